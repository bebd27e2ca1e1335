/** Tells of a test run: a line for each file, all that a failed one wrote, and the counts as its last line. */
import type { Job } from './passes.ts';
import type { Failure } from './worker.ts';
import type { Ran } from './worker-process.ts';

/** In the title of a test that no stand-in for MongoDB can run. */
const NEEDS_REAL_MONGODB = '(needs a real MongoDB)';
/** Of what a failed file wrote. Its failures come last. */
const MOST_LINES = 500;
const MOST_SLOW = 10;
/** Of the fault under a title at the end, and how wide they may be. */
const MOST_FAULT_LINES = 8;
const WIDEST = 300;

export interface Report {
  add(job: Job, ran: Ran, seconds: number): void;
  /** Something that failed outside of every file. */
  addFailure(text: string): void;
  /** Prints the end; the exit code. */
  end(): number;
}

/** `isComplete`: nothing may be skipped but what needs a real MongoDB. */
export function createReport(print: (text: string) => void, isComplete: boolean): Report {
  let passed = 0;
  let skipped = 0;
  const failed: string[] = [];
  const missed: string[] = [];
  let cpu = 0;
  const times: { readonly name: string; readonly seconds: number; readonly cost: number }[] = [];

  return {
    add(job, { outcome, output }, seconds) {
      const name = job.way === '' ? job.path : `${job.path}, ${job.way}`;
      const faults: readonly Failure[] = outcome?.failed ?? [
        {
          title: 'it did not come to its end',
          fault: output.trimEnd().split('\n').slice(-MOST_FAULT_LINES).join('\n'),
        },
      ];
      const left = outcome?.skipped ?? [];
      const cost = outcome?.cpuSeconds ?? 0;
      times.push({ name, seconds, cost });
      cpu += cost;
      passed += outcome?.passed ?? 0;
      skipped += left.length;
      failed.push(...faults.map(({ title, fault }) => [`  ${name}: ${title}`, ...linesOf(fault)].join('\n')));
      missed.push(...left.filter((title) => !title.includes(NEEDS_REAL_MONGODB)));
      print(
        `${faults.length > 0 ? '✖' : '✔'} ${name}  ${countsOf(outcome)}, ${seconds.toFixed(1)} s, ${cost.toFixed(1)} s of CPU\n`,
      );
      if (left.length > 0) print(reasonsIn(output, left));
      if (faults.length > 0) print(`${lastLines(output)}\n`);
    },
    addFailure(text) {
      failed.push(`  ${text}`);
    },
    end() {
      const slow = times.sort((a, b) => b.seconds - a.seconds).slice(0, MOST_SLOW);
      if (times.length > 1) {
        print('\nthe files that took longest, with what they cost of CPU:\n');
        for (const { name, seconds, cost } of slow)
          print(`  ${seconds.toFixed(0).padStart(4)} s ${cost.toFixed(0).padStart(4)} s  ${name}\n`);
        print(`\nall files: ${cpu.toFixed(0)} s of CPU\n`);
      }
      if (failed.length > 0) print(`\nfailed:\n${failed.map((text) => `${text}\n`).join('')}`);
      const mustRun = isComplete ? missed : [];
      if (mustRun.length > 0)
        print(`\nskipped, and must run here:\n${mustRun.map((title) => `  ${title}\n`).join('')}`);
      print(`\n${passed} passed, ${failed.length} failed, ${skipped} skipped\n`);
      return failed.length + mustRun.length > 0 || passed === 0 ? 1 : 0;
    },
  };
}

function countsOf(outcome: Ran['outcome']): string {
  const { passed = 0, failed = [], skipped = [] } = outcome ?? {};
  const counts = [`${passed} passed`];
  if (failed.length > 0) counts.push(`${failed.length} failed`);
  if (skipped.length > 0) counts.push(`${skipped.length} skipped`);
  return counts.join(', ');
}

/** The first lines of a fault, none of them empty: who copies the failures of a run stops at an empty one. */
function linesOf(fault: string): string[] {
  const lines = fault.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(0, MOST_FAULT_LINES).map((line) => `      ${line.trim().slice(0, WIDEST)}`);
}

/** Why tests were skipped, as their suite said; the titles where it said nothing. */
function reasonsIn(output: string, titles: readonly string[]): string {
  const reasons = new Set(output.match(/^ *skipped: .*$/gm)?.map((line) => line.trim()));
  return [...(reasons.size > 0 ? reasons : titles.map((title) => `skipped: ${title}`))]
    .map((line) => `    ${line}\n`)
    .join('');
}

/** Without the tests that passed. */
function lastLines(output: string): string {
  const lines = output
    .trimEnd()
    .split('\n')
    .filter((line) => !/^ +✔ /.test(line));
  const left = lines.length - MOST_LINES;
  return left <= 0 ? lines.join('\n') : [`(${left} lines before)`, ...lines.slice(left)].join('\n');
}
