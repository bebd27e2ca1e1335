/**
 * Follows every recipe of CONTRIBUTING.md to the letter, each in a fresh copy of the source: it must build, and its
 * commands must pass.
 *
 * A recipe is a section `### …` below `## Recipes`. Text is free; fenced blocks have one of two forms:
 *
 * - A file. The line above the block says where it goes, and nothing else:
 *     `path` (new):                  a new file
 *     `path`, after `LINE`:          below the one line of the file that is LINE, indentation aside
 *     `path`, before `LINE`:         above it
 *     `path`, in place of `LINE`:    instead of it
 *     `path`, at its end:            below the last line
 * - Commands, marked `sh`. They run in the root of the copy, in order, after all blocks above them were applied, and must
 *   exit with 0. A line `# prints TEXT` says what the block prints.
 *
 * `npx tidegate` is the copy's own. Nothing is downloaded. A recipe that must stay small has its bound in MOST_FILES,
 * counted by what changed in the copy.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../config/settings.ts';
import { createTempDirectory, type TempDirectory } from './support/temp-directory.ts';

const PACKAGES = realpathSync(join(PACKAGE_ROOT, 'node_modules'));
const GUIDE = readFileSync(join(PACKAGE_ROOT, 'CONTRIBUTING.md'), 'utf8');

/** Most files that a recipe may touch besides tests and the YAML of `config/`. */
const MOST_FILES: Readonly<Record<string, number>> = {
  'Add a dataset': 3,
  'Add an endpoint': 3,
  'Add a stored resource': 5,
  'Add a plugin': 4,
};

/** What is no source: packages, builds, data, and what git and tools keep. */
const NOT_COPIED = ['.git', '.data', '.mongodb', '.venv', 'coverage', 'dist', 'node_modules'];

interface Recipe {
  readonly title: string;
  readonly steps: readonly Step[];
}
type Step =
  | { readonly kind: 'commands'; readonly script: string }
  | { readonly kind: 'file'; readonly path: string; readonly place: Place; readonly text: string };
interface Place {
  readonly how: 'new' | 'end' | 'after' | 'before' | 'in place of';
  /** Of the last three. */
  readonly line: string;
}

/** The recipes of the guide. @throws Error for a block of neither form */
function recipesOf(guide: string): Recipe[] {
  const [, part = ''] = /^## Recipes\n([\s\S]*?)(?=^## )/m.exec(guide) ?? [];
  return part
    .split(/^### /m)
    .slice(1)
    .map((section) => ({ title: section.split('\n')[0] ?? '', steps: stepsOf(section) }));
}

function stepsOf(section: string): Step[] {
  const blocks = section.matchAll(/(?:^(.*)\n)?\n*^```(\w*)\n([\s\S]*?)^```$/gm);
  const steps = [...blocks].map(([, above = '', language, text = '']): Step => {
    if (language === 'sh') return { kind: 'commands', script: text };
    const form = /^`([^`]+)`(?: \((new)\)|, at its (end)|, (after|before|in place of) `([^`]+)`):$/.exec(
      above,
    );
    if (form === null) throw new Error(`a block without a place above it: ${above}`);
    const [, path = '', isNew, atEnd, how, line = ''] = form;
    const place = { how: (isNew ?? atEnd ?? how) as Place['how'], line };
    return { kind: 'file', path, place, text };
  });
  // A block that does not end would swallow what follows, and its commands would never run.
  const fences = section.match(/^```/gm)?.length ?? 0;
  if (fences !== 2 * steps.length) throw new Error(`a block does not end: ${section.split('\n')[0]}`);
  return steps;
}

/** The file as it is after the step. @throws Error when the step does not fit it */
function applied(place: Place, text: string, before: string | null): string {
  if (place.how === 'new') {
    if (before !== null) throw new Error('this file is there already');
    return text;
  }
  if (before === null) throw new Error('this file is not there');
  if (place.how === 'end') return before + text;
  const lines = before.split('\n');
  const found = lines.flatMap((line, index) => (line.trim() === place.line ? [index] : []));
  const [at] = found;
  if (at === undefined || found.length > 1) throw new Error(`${found.length} lines are ${place.line}`);
  const added = text.replace(/\n$/, '').split('\n');
  lines.splice(place.how === 'after' ? at + 1 : at, place.how === 'in place of' ? 1 : 0, ...added);
  return lines.join('\n');
}

/** What can be copied below a folder, as paths from it with their texts. */
function filesBelow(root: string, folder = ''): Map<string, string> {
  const files = new Map<string, string>();
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (NOT_COPIED.includes(entry.name)) continue;
    if (entry.isDirectory()) for (const [name, text] of filesBelow(root, path)) files.set(name, text);
    else if (entry.isFile()) files.set(path, readFileSync(join(root, path), 'latin1'));
  }
  return files;
}

/** What is built here is built there too, so that the compiler builds only what a recipe changes. It knows packages by their real paths. */
function copyBuild(checkout: TempDirectory): void {
  cpSync(join(PACKAGE_ROOT, 'dist'), checkout.file('dist'), { recursive: true });
  const known = checkout.file('dist/tsconfig.tsbuildinfo');
  const there = relative(checkout.file('dist'), PACKAGES);
  writeFileSync(known, readFileSync(known, 'utf8').replaceAll('"../node_modules/', `"${there}/`));
}

describe('the recipes of CONTRIBUTING.md', function () {
  this.timeout(600_000);
  let checkout: TempDirectory;

  beforeEach(() => {
    checkout = createTempDirectory();
    symlinkSync(PACKAGES, checkout.file('node_modules'));
    copyBuild(checkout);
    for (const name of readdirSync(PACKAGE_ROOT)) {
      if (NOT_COPIED.includes(name)) continue;
      cpSync(join(PACKAGE_ROOT, name), checkout.file(name), {
        recursive: true,
        filter: (source) => !NOT_COPIED.includes(source.split('/').at(-1) ?? ''),
      });
    }
  });
  afterEach(() => checkout.remove());

  function apply({ path, place, text }: Extract<Step, { kind: 'file' }>): void {
    const file = checkout.file(path);
    const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
    try {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, applied(place, text, before));
    } catch (cause) {
      throw new Error(`${path}: ${cause instanceof Error ? cause.message : cause}`, { cause });
    }
  }

  async function run(script: string): Promise<void> {
    const { stdout } = await promisify(execFile)('sh', ['-euc', script], {
      cwd: checkout.path,
      maxBuffer: 64 * 1024 * 1024,
      env: {
        PATH: process.env.PATH,
        HOME: checkout.file('.data'),
        npm_config_offline: 'true',
        npm_config_update_notifier: 'false',
      },
    }).catch((fault: { stdout: string; stderr: string }) => {
      throw new Error(`${script}\n${fault.stdout}\n${fault.stderr}`);
    });
    for (const [, text = ''] of script.matchAll(/^# prints (.+)$/gm)) expect(stdout).to.include(text);
  }

  const recipes = recipesOf(GUIDE);

  it('are there, each with commands that try it, and each bound is of one of them', () => {
    const titles = recipes.map(({ title }) => title);
    expect(titles).to.include.members(Object.keys(MOST_FILES));
    for (const { title, steps } of recipes) expect(steps.at(-1)?.kind, title).to.equal('commands');
  });

  it('name only scripts that package.json has', () => {
    const { scripts } = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'));
    const named = [...GUIDE.matchAll(/npm run (?:--silent )?([a-z:-]+)/g)].map(([, name]) => name);
    expect(named).to.have.length.of.at.least(5);
    expect(Object.keys(scripts)).to.include.members(named);
  });

  for (const { title, steps } of recipes) {
    it(`"${title}" works as it is written`, async () => {
      const before = filesBelow(checkout.path);
      for (const step of steps) {
        if (step.kind === 'commands') await run(step.script);
        else apply(step);
      }
      const changed = [...filesBelow(checkout.path)].filter(([path, text]) => before.get(path) !== text);
      const counted = changed
        .map(([path]) => path)
        .filter((path) => !path.startsWith('test/') && !/^config\/.*\.yml$/.test(path));
      expect(counted).to.have.length.within(1, MOST_FILES[title] ?? Number.POSITIVE_INFINITY);
    });
  }
});
