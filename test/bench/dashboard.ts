/** The dashboard bench: how soon a page shows its numbers in a real browser on a slow line and processor, and an overview among many events, against the budgets. */
import { loadavg } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Browser } from 'playwright-core';
import { findChromium, startChromium } from '../support/chromium.ts';
import { UsageError } from './bench-options.ts';
import type { BenchProcesses } from './bench-processes.ts';
import { startLargeTarget, visitLarge } from './dashboard-large.ts';
import {
  READY_EVENTS,
  type ReadyRow,
  renderReady,
  renderVisits,
  summarizeReady,
  summarizeVisits,
  type Visit,
} from './dashboard-report.ts';
import { type DashboardTargetOptions, startDashboardTarget } from './dashboard-target.ts';
import { loggedIn, PAGES, visit } from './dashboard-visit.ts';
import { runBench } from './run-bench.ts';
import { MissingRequirement } from './target.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const EVENTS = 100_000;
const EXIT_FAILED = 1;

type Place = Omit<DashboardTargetOptions, 'events'>;

const USAGE = `Usage: npm run bench:dashboard -- [options]
  --runs N    measured visits of each page, 1..50 (default 5)
  --events N  events of which a small, a middle and a large website are asked, 1,000..100,000,000; 0 leaves
              them out (default 10,000,000)
  --json      print one JSON document instead of the tables
  --help      print this`;

interface Options {
  readonly runs: number;
  readonly events: number;
  readonly json: boolean;
}

/** Null: help is asked for. @throws UsageError */
function readOptions(args: readonly string[]): Options | null {
  const values = readArguments(args);
  if (values.help) return null;
  const whole = (text: string) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN);
  const [runs, events] = [whole(values.runs), whole(values.events)];
  if (!(runs >= 1 && runs <= 50)) {
    throw new UsageError(`--runs: "${values.runs}" is not a whole number from 1 to 50`);
  }
  if (!(events === 0 || (events >= 1_000 && events <= 100_000_000))) {
    throw new UsageError(`--events: "${values.events}" is neither 0 nor from 1000 to 100000000`);
  }
  return { runs, events, json: values.json };
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        runs: { type: 'string', default: '5' },
        events: { type: 'string', default: `${READY_EVENTS}` },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Each page on a slow line and a slow processor. */
async function slowVisits(browser: Browser, runs: number, place: Place): Promise<Visit[]> {
  const origin = await startDashboardTarget({ ...place, events: EVENTS });
  const state = await loggedIn(browser, origin);
  const visits: Visit[] = [];
  // The first round warms up the server, and does not count.
  for (let round = 0; round <= runs; round++) {
    for (const page of PAGES) {
      const taken = await visit(browser, origin, state, page);
      if (round > 0) visits.push(taken);
    }
  }
  return visits;
}

async function bench(
  { runs, events, json }: Options,
  processes: BenchProcesses,
  folder: string,
): Promise<void> {
  if (findChromium() === null) {
    throw new MissingRequirement(
      'The dashboard bench needs chromium. On Debian: apt-get install -y chromium-headless-shell',
    );
  }
  const load = () => (loadavg()[0] ?? 0).toFixed(1);
  const loadBefore = load();
  const browser = await startChromium();
  try {
    const visits = await slowVisits(browser, runs, { processes, root: ROOT, folder });
    const rows = summarizeVisits(visits);
    const ready: ReadyRow[] = [];
    if (events > 0) {
      // The server of the first part is idle from here on.
      const target = await startLargeTarget({
        processes,
        root: ROOT,
        folder: path.join(folder, 'large'),
        events,
      });
      ready.push(...summarizeReady(await visitLarge(browser, target, runs)));
    }
    const about = { node: process.version, chromium: browser.version(), loadBefore, loadAfter: load() };
    if (json) console.log(JSON.stringify({ ...about, runs, rows, visits, events, ready }, null, 2));
    else {
      console.log(
        `node ${about.node}, chromium ${about.chromium}; slow 4G (1.6 Mbit/s, 150 ms), processor 4 times slower; median of ${runs} visits, in ms; load ${loadBefore} before, ${about.loadAfter} after\n`,
      );
      console.log(renderVisits(rows));
      if (events > 0) {
        console.log(
          `\nThe overview of a website among ${events.toLocaleString('en')} events, nothing slowed down, files in the cache; median of ${runs} visits, in ms\n`,
        );
        console.log(renderReady(ready, events));
      }
    }
    const isMissed = rows.some(({ missed }) => missed.length > 0);
    const isLate = events >= READY_EVENTS && ready.some(({ isMet }) => !isMet);
    if (isMissed || isLate) process.exitCode = EXIT_FAILED;
  } finally {
    await browser.close();
  }
}

await runBench(USAGE, async (args, processes, folder) => {
  const options = readOptions(args);
  if (options === null) console.log(USAGE);
  else await bench(options, processes, folder);
});
