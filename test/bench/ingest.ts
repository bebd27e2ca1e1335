/** The ingest bench: durable events per second and CPU per event, through the gateway and straight to the service. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { UsageError } from './bench-options.ts';
import { type BenchProcesses, createBenchProcesses } from './bench-processes.ts';
import { renderIngestReport, summarizeIngest } from './ingest-report.ts';
import { LOADS, measureIngest, nameOfLoad } from './measure-ingest.ts';
import { MissingRequirement } from './target.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EXIT_FAILED = 1;
const EXIT_UNUSABLE = 2;
const USAGE = `Usage: npm run bench:ingest -- [options]
  --seconds N    length of one measured run, 1..60 (default 3)
  --runs N       measured runs of each load, 1..50 (default 3)
  --profile DIR  write a CPU profile of the server to DIR; its figures are not comparable
  --only TEXT    only loads whose name holds TEXT, such as "gateway arrays"
  --json         print one JSON document instead of the table
  --help         print this`;

function readOptions(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: { type: 'string', default: '3' },
      runs: { type: 'string', default: '3' },
      profile: { type: 'string' },
      only: { type: 'string', default: '' },
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const whole = (name: 'seconds' | 'runs', most: number): number => {
    const value = /^\d{1,2}$/.test(values[name]) ? Number(values[name]) : 0;
    if (value < 1 || value > most) {
      throw new UsageError(`--${name}: "${values[name]}" is not a whole number from 1 to ${most}`);
    }
    return value;
  };
  return { ...values, seconds: whole('seconds', 60), runs: whole('runs', 50) };
}

async function bench(args: readonly string[], processes: BenchProcesses, folder: string): Promise<number> {
  const options = readOptions(args);
  if (options.help) {
    console.log(USAGE);
    return 0;
  }
  const loads = LOADS.filter((each) => nameOfLoad(each).includes(options.only));
  if (loads.length === 0) throw new UsageError(`--only: no load's name holds "${options.only}"`);
  const { machine, samples, visibleMilliseconds } = await measureIngest({
    ...{ processes, root: ROOT, folder, loads, runs: options.runs, seconds: options.seconds },
    profileFolder: options.profile ?? null,
    tell: (text) => {
      if (!options.json) console.error(`${text} …`);
    },
  });
  const report = summarizeIngest(samples, visibleMilliseconds);
  if (options.json) console.log(JSON.stringify({ node: process.version, ...report }, null, 2));
  else {
    const pinned = machine.targetProcessor === null ? 'not pinned' : 'the server on one processor';
    console.log(
      `\nnode ${process.version}; ${pinned}; median of ${options.runs} runs of ${options.seconds} s\n`,
    );
    console.log(renderIngestReport(report));
  }
  if (report.failures > 0) console.error(`\n${report.failures} failures: the figures do not count.`);
  return report.failures > 0 ? EXIT_FAILED : 0;
}

const processes = createBenchProcesses();
const folder = mkdtempSync(path.join(tmpdir(), 'tidegate-ingest-'));
process.once('SIGINT', () => void processes.stopAll()).once('SIGTERM', () => void processes.stopAll());
try {
  process.exitCode = await bench(process.argv.slice(2), processes, folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  const isUnusable = error instanceof UsageError || error instanceof MissingRequirement;
  process.exitCode = isUnusable ? EXIT_UNUSABLE : EXIT_FAILED;
} finally {
  await processes.stopAll();
  rmSync(folder, { recursive: true, force: true });
}
