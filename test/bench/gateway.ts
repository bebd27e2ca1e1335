/** The gateway bench: the same upstream behind a bare proxy, stock express-gateway, Tidegate and its peers, measured in turn in one go. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BenchOptions, parseBenchOptions, USAGE, UsageError } from './bench-options.ts';
import { type BenchProcesses, createBenchProcesses } from './bench-processes.ts';
import { describeMachine } from './machine.ts';
import { measureGateway } from './measure-gateway.ts';
import { renderReport, summarize } from './report.ts';
import { MissingRequirement } from './target.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXIT_FAILED = 1;
const EXIT_UNUSABLE = 2;
const EXIT_INTERRUPTED = 130;

async function bench(options: BenchOptions, processes: BenchProcesses, folder: string): Promise<number> {
  const tell = (text: string) => {
    if (!options.json) console.error(`${text} …`);
  };
  const measured = await measureGateway({
    ...options,
    ...{ processes, root: ROOT, folder, tell, warmUpRounds: 2, halfLoadRuns: 0, halfLoadSeconds: 0 },
  });
  const report = summarize(measured.samples, measured.targets);
  const where = describeMachine(measured.machine);
  if (options.json) {
    console.log(JSON.stringify({ node: process.version, where, options, ...report }, null, 2));
  } else {
    console.log(
      `\nnode ${process.version}; ${where}\nmedian of ${options.runs} runs of ${options.seconds} s, ${options.connections} connections\n`,
    );
    console.log(renderReport(report));
  }
  if (report.failures > 0) console.error(`\n${report.failures} requests failed: the figures do not count.`);
  return report.failures > 0 ? EXIT_FAILED : 0;
}

async function main(): Promise<number> {
  const options = parseBenchOptions(process.argv.slice(2));
  if (options === null) {
    console.log(USAGE);
    return 0;
  }
  const processes = createBenchProcesses();
  const folder = mkdtempSync(path.join(tmpdir(), 'tidegate-bench-'));
  let interrupted = false;
  const interrupt = () => {
    interrupted = true;
    void processes.stopAll();
  };
  process.once('SIGINT', interrupt).once('SIGTERM', interrupt);
  try {
    return await bench(options, processes, folder);
  } catch (error) {
    if (interrupted) return EXIT_INTERRUPTED;
    throw error;
  } finally {
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

main().then(
  (status) => {
    process.exitCode = status;
  },
  (error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    if (error instanceof UsageError) console.error(`${text}\n\n${USAGE}`);
    else console.error(text);
    process.exitCode =
      error instanceof UsageError || error instanceof MissingRequirement ? EXIT_UNUSABLE : EXIT_FAILED;
  },
);
