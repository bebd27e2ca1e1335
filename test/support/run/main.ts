/**
 * Runs tests: `main.js unit api` those tiers, `main.js distributed` the API and the dashboard's most telling journeys over
 * separate processes, `main.js distributed-dashboard` all of the dashboard so, and files or folders as they are named. As
 * many processes as there are processors, and two more, since tests wait for clocks, files and other processes, take one file
 * after the other. `--grep TEXT` runs only tests whose titles hold it, `--complete` fails when something is skipped that could
 * run, `--jobs N` sets the number of processes, `--stalls` stops each process at random, which shows races, `--part K/N` runs
 * each N-th file from the K-th on.
 */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { isInPart, jobsNamed } from './passes.ts';
import { createReport } from './report.ts';
import { createRunFolder } from './run-folder.ts';
import { startWorker, type Worker } from './worker-process.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    grep: { type: 'string', default: '' },
    complete: { type: 'boolean', default: false },
    jobs: { type: 'string', default: `${availableParallelism() + 2}` },
    stalls: { type: 'boolean', default: false },
    part: { type: 'string', default: '1/1' },
  },
});

const jobs = jobsNamed(positionals).filter(isInPart(values.part));
const folder = createRunFolder();
const report = createReport((text) => process.stdout.write(text), values.complete);
const workers = new Set<Worker>();
// Who ends the run is told what it was about: each worker's file counts as failed, with what it wrote.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    jobs.length = 0;
    for (const worker of workers) worker.kill();
  });
}
/** A single file writes as it goes. */
const isAlone = jobs.length === 1;

/** Takes jobs until none is left; a worker goes on to the next file as long as it can. */
async function takeJobs(number: number): Promise<void> {
  let worker = null as Worker | null;
  for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
    if (worker?.suits(job) !== true) {
      await endWorker(worker);
      worker = startWorker(job, {
        grep: values.grep,
        folder: folder.path,
        log: isAlone ? null : join(folder.path, `${number}.log`),
        stalls: values.stalls,
      });
      workers.add(worker);
    }
    const began = performance.now();
    report.add(job, await worker.run(job), (performance.now() - began) / 1_000);
  }
  await endWorker(worker);
}

async function endWorker(worker: Worker | null): Promise<void> {
  if (worker === null) return;
  const output = await worker.end();
  workers.delete(worker);
  if (output !== null) report.addFailure(`a process of the run did not end well: ${output}`);
}

const processes = Math.max(1, Math.min(Number(values.jobs), jobs.length));
await Promise.all(Array.from({ length: processes }, (_, number) => takeJobs(number)));
folder.remove();
process.exitCode = report.end();
