/** The dashboard bench: how soon a page shows its numbers in a real browser on a slow line and processor, against the budgets. */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findChromium, startChromium } from '../support/chromium.ts';
import { UsageError } from './bench-options.ts';
import type { BenchProcesses } from './bench-processes.ts';
import { renderVisits, summarizeVisits, type Visit } from './dashboard-report.ts';
import { startDashboardTarget } from './dashboard-target.ts';
import { loggedIn, PAGES, visit } from './dashboard-visit.ts';
import { runBench } from './run-bench.ts';
import { MissingRequirement } from './target.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EVENTS = 100_000;
const EXIT_FAILED = 1;

const USAGE = `Usage: npm run bench:dashboard -- [options]
  --runs N  measured visits of each page, 1..50 (default 5)
  --json    print one JSON document instead of the table
  --help    print this`;

interface Options {
  readonly runs: number;
  readonly json: boolean;
}

/** Null: help is asked for. @throws UsageError */
function readOptions(args: readonly string[]): Options | null {
  const values = readArguments(args);
  if (values.help) return null;
  const runs = /^\d{1,2}$/.test(values.runs) ? Number(values.runs) : 0;
  if (runs < 1 || runs > 50) {
    throw new UsageError(`--runs: "${values.runs}" is not a whole number from 1 to 50`);
  }
  return { runs, json: values.json };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        runs: { type: 'string', default: '5' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function bench({ runs, json }: Options, processes: BenchProcesses, folder: string): Promise<void> {
  if (findChromium() === null) {
    throw new MissingRequirement(
      'The dashboard bench needs chromium. On Debian: apt-get install -y chromium-headless-shell',
    );
  }
  const load = () => (loadavg()[0] ?? 0).toFixed(1);
  const loadBefore = load();
  const origin = await startDashboardTarget({ processes, root: ROOT, folder, events: EVENTS });
  const browser = await startChromium();
  const visits: Visit[] = [];
  try {
    const state = await loggedIn(browser, origin);
    // The first round warms up the server, and does not count.
    for (let round = 0; round <= runs; round++) {
      for (const page of PAGES) {
        const taken = await visit(browser, origin, state, page);
        if (round > 0) visits.push(taken);
      }
    }
    const rows = summarizeVisits(visits);
    const about = { node: process.version, chromium: browser.version(), loadBefore, loadAfter: load() };
    if (json) console.log(JSON.stringify({ ...about, runs, rows, visits }, null, 2));
    else {
      console.log(
        `node ${about.node}, chromium ${about.chromium}; slow 4G (1.6 Mbit/s, 150 ms), processor 4 times slower; median of ${runs} visits, in ms; load ${loadBefore} before, ${about.loadAfter} after\n`,
      );
      console.log(renderVisits(rows));
    }
    if (rows.some(({ missed }) => missed.length > 0)) process.exitCode = EXIT_FAILED;
  } finally {
    await browser.close();
  }
}

await runBench(USAGE, async (args, processes, folder) => {
  const options = readOptions(args);
  if (options === null) console.log(USAGE);
  else await bench(options, processes, folder);
});
