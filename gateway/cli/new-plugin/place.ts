/** Where a new plugin goes: into the source of Tidegate, or into a package of its own elsewhere. */
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { Refusal } from '../refusal.ts';
import { nextSteps } from './next-steps.ts';
import { manifestText, packageText, policyText, readmeText, testText, tsconfigText } from './texts.ts';

export interface PluginPlace {
  /** The folder that the paths begin at. */
  readonly root: string;
  /** The text of each file by its path. */
  readonly files: ReadonlyMap<string, string>;
  /** What is left for whoever asked. */
  readonly nextSteps: string;
}

/** The place of plugin `name` for somebody who works in `directory`. @throws Refusal in a folder within the source */
export function placePlugin(name: string, directory: string, packageRoot: string): PluginPlace {
  const root = realpathSync(directory);
  const top = realpathSync(packageRoot);
  const isSource = existsSync(join(top, 'plugins', 'kit', 'plugin.ts'));
  if (isSource && root === top) return inSource(name, root);
  if (isSource && root.startsWith(`${top}${sep}`)) {
    throw new Refusal(
      'VALIDATION_ERROR',
      `${root} lies within the source of Tidegate: run new-plugin at its top, ${top}`,
    );
  }
  return asPackage(name, root, packageRoot);
}

function inSource(name: string, root: string): PluginPlace {
  const folder = `plugins/${name}`;
  const test = `test/plugins/${name}/${name}-policy.test.ts`;
  const files = new Map([
    [`${folder}/manifest.ts`, manifestText(name, '../kit/plugin.ts')],
    [`${folder}/${name}-policy.ts`, policyText(name, '../kit/plugin.ts')],
    [`${folder}/README.md`, readmeText(name)],
    [
      test,
      testText(name, {
        runner: 'mocha',
        testing: '../../../plugins/kit/testing.ts',
        policy: `../../../plugins/${name}/${name}-policy.ts`,
      }),
    ],
  ]);
  const steps = nextSteps(name, {
    files,
    tryIt: `npm run test:file -- ${test}`,
    manifest: `\${PLUGIN_DIR}/${name}/manifest.js`,
  });
  return { root, files, nextSteps: steps };
}

function asPackage(name: string, root: string, packageRoot: string): PluginPlace {
  const { devDependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as {
    devDependencies: Readonly<Record<string, string>>;
  };
  const files = new Map([
    [`${name}/package.json`, packageText(name, devDependencies)],
    [`${name}/tsconfig.json`, tsconfigText()],
    [`${name}/manifest.ts`, manifestText(name, 'tidegate/plugin')],
    [`${name}/${name}-policy.ts`, policyText(name, 'tidegate/plugin')],
    [
      `${name}/${name}-policy.test.ts`,
      testText(name, { runner: 'node', testing: 'tidegate/testing', policy: `./${name}-policy.ts` }),
    ],
    [`${name}/README.md`, readmeText(name)],
  ]);
  const steps = nextSteps(name, {
    files,
    tryIt: `cd ${name} && npm install && npm test`,
    manifest: join(root, name, 'dist', 'manifest.js'),
  });
  return { root, files, nextSteps: steps };
}
