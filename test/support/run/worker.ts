/** A process that runs one test file after the other by mocha, as its parent names them, and tells how each went. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { config as chaiConfig } from 'chai';
import Mocha from 'mocha';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { isDistributedRun } from '../distributed/test-mode.ts';
import { endThisProcess, mochaGlobalTeardown, noteTimers } from './end-of-run.ts';

/** What a parent sends. */
export interface Order {
  /** From the package root, such as `test/services/query/dates.test.ts`. */
  readonly path: string;
  /** Only tests whose titles hold it; empty: all. */
  readonly grep: string;
}

/** A test, or a hook, that failed. */
export interface Failure {
  readonly title: string;
  /** What was thrown, as its stack shows it. */
  readonly fault: string;
}

/** What it is answered. */
export interface Outcome {
  readonly passed: number;
  readonly failed: readonly Failure[];
  readonly skipped: readonly string[];
  /** What it cost of processors, with the processes that it started and that are over. */
  readonly cpuSeconds: number;
}

const { timeout } = JSON.parse(readFileSync(join(PACKAGE_ROOT, '.mocharc.json'), 'utf8')) as {
  readonly timeout: number;
};

// What tests start runs as the product does, without the options of this process.
process.execArgv.length = 0;
// A failure says what came; whole lists, not their length.
chaiConfig.truncateThreshold = 2_000;

process.on('message', (order: Order) => {
  run(order).then((outcome) => process.send?.(outcome), fail);
});
// What nobody waits for fails the test that runs.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
// What was started ends with this process.
process.once('SIGTERM', () => process.exit(1));
process.once('disconnect', () => {
  mochaGlobalTeardown().then(endThisProcess, fail);
});

async function run({ path, grep }: Order): Promise<Outcome> {
  const before = cpuSeconds();
  // Before the first suite, whose hooks have less time.
  if (isDistributedRun()) {
    await (await import('../distributed/start-distributed-tidegate.ts')).startShared();
  }
  const mocha = new Mocha({ timeout, reporter: 'spec', color: process.stdout.isTTY });
  if (grep !== '') mocha.fgrep(grep);
  mocha.addFile(join(PACKAGE_ROOT, 'dist', path.replace(/\.ts$/, '.js')));
  await mocha.loadFilesAsync();
  const failed: Failure[] = [];
  const skipped: string[] = [];
  const runner = await new Promise<Mocha.Runner>((resolve) => {
    const runs = mocha.run(() => resolve(runs));
    runs.on('fail', (test: Mocha.Runnable, thrown: unknown) => {
      failed.push({ title: test.fullTitle(), fault: textOf(thrown) });
    });
    runs.on('pending', (test: Mocha.Runnable) => void skipped.push(test.fullTitle()));
  });
  // Else it would hear what is rejected while later files run.
  mocha.dispose();
  noteTimers(path);
  return { passed: runner.stats?.passes ?? 0, failed, skipped, cpuSeconds: cpuSeconds() - before };
}

/** Of this process until now; where the system tells, of those that it started as well. */
function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + secondsOfEnded();
}

/** Of the processes that this one has waited for, as Linux counts them in hundredths of a second (proc_pid_stat(5)). */
function secondsOfEnded(): number {
  if (process.platform !== 'linux') return 0;
  // The name in parentheses may hold anything; the third field comes after it, these are the 16th and 17th.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').pop()?.split(' ') ?? [];
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

function textOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

/** A file that cannot be loaded, or something shared that cannot be closed. */
function fail(fault: unknown): void {
  console.error(fault);
  process.exit(1);
}
