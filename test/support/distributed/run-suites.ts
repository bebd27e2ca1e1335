/** Runs the API suites over separate processes: in a mocha of their own, for the mode is one of the whole run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { EMBEDDED_SUITES } from './embedded-suites.ts';
import { DISTRIBUTED, MODE_VARIABLE } from './test-mode.ts';

const SUITES = join(PACKAGE_ROOT, 'test/api');
const HOOKS = join(PACKAGE_ROOT, 'dist/test/support/distributed/shared-hooks.js');

/** Names of the API suites that start their servers by `startTidegate`, which gives them those of the mode. */
export function suitesOfBothModes(): string[] {
  return readdirSync(SUITES)
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => readFileSync(join(SUITES, file), 'utf8').includes('startTidegate'))
    .map((file) => file.replace(/\.test\.ts$/, ''));
}

/** Those that run over separate processes. */
export function distributedSuites(): string[] {
  return suitesOfBothModes().filter((name) => EMBEDDED_SUITES[name] === undefined);
}

/** Runs them; what mocha wrote, and its exit code: 0 when all passed. */
export async function runDistributedSuites(
  suites: readonly string[],
  reporter: 'spec' | 'dot',
): Promise<{ readonly code: number | null; readonly output: string }> {
  const files = suites.map((name) => join(PACKAGE_ROOT, `dist/test/api/${name}.test.js`));
  const mocha = join(PACKAGE_ROOT, 'node_modules/mocha/bin/mocha.js');
  // Whatever a failed hook leaves open must not keep it from telling.
  const args = [mocha, '--exit', '--require', HOOKS, '--reporter', reporter, ...files];
  const child = spawn(process.execPath, args, {
    cwd: PACKAGE_ROOT,
    env: { ...process.env, [MODE_VARIABLE]: DISTRIBUTED },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
      if (reporter === 'spec') process.stdout.write(chunk);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
