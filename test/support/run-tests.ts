/**
 * `npm test`: the whole suite in two runs of mocha beside each other, for most of it waits for processes that it starts.
 * What the second one writes comes when the first has ended. Arguments go to both, such as `--grep TEXT`.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { PACKAGE_ROOT } from '../../config/settings.ts';

const ALL = 'dist/test/**/*.test.js';
/** Suites of the API and of processes, without those of commands: about half of the whole time. */
const OF_SERVERS = 'dist/test/{api,gateway}/*.test.js';

type Write = (text: string) => void;

interface Outcome {
  readonly title: string;
  readonly code: number;
  readonly output: string;
}

/** Runs mocha to its end. */
async function runMocha(title: string, args: readonly string[], write: Write): Promise<Outcome> {
  const mocha = join(PACKAGE_ROOT, 'node_modules/mocha/bin/mocha.js');
  const colors = process.stdout.isTTY ? ['--color'] : [];
  const child = spawn(process.execPath, [mocha, ...args, ...colors, ...process.argv.slice(2)], {
    cwd: PACKAGE_ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      write(text);
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { title, code: code ?? 1, output: stripVTControlCharacters(output) };
}

/** Keeps what is written until it may pass. */
function holdBack(): { readonly write: Write; pass(): void } {
  let held: string[] | null = [];
  return {
    write(text) {
      if (held === null) print(text);
      else held.push(text);
    },
    pass() {
      for (const text of held ?? []) print(text);
      held = null;
    },
  };
}

function print(text: string): void {
  process.stdout.write(text);
}

/** What mocha counted, by its word for it. */
function counted({ output }: Outcome, word: string): number {
  return Number(new RegExp(`^ +(\\d+) ${word}\\b`, 'm').exec(output)?.[1] ?? 0);
}

const later = holdBack();
const runOthers = () => runMocha('all other suites', [ALL, '--ignore', OF_SERVERS], later.write);
const servers = runMocha('suites of servers', [OF_SERVERS], print);
const others = availableParallelism() > 1 ? runOthers() : servers.then(runOthers);
const first = await servers;
print('\n== all other suites ==\n');
later.pass();
const outcomes = [first, await others];

print('\n== the whole suite ==\n');
for (const outcome of outcomes) {
  const counts = ['passing', 'failing', 'pending'].map((word) => `${counted(outcome, word)} ${word}`);
  print(
    `  ${outcome.title}: ${counts.join(', ')}${outcome.code === 0 ? '' : `; exit code ${outcome.code}`}\n`,
  );
}
process.exitCode = Math.max(...outcomes.map(({ code }) => code));
