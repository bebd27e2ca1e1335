/** How soon the overview of a small, a middle and a large website shows its first numbers, and all panels, out of many events: no line or processor is slowed down. */
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { BenchProcesses } from './bench-processes.ts';
import type { ReadyVisit } from './dashboard-report.ts';
import { OWNER } from './dashboard-target.ts';
import { loggedIn, numbersScript, untilSeen } from './dashboard-visit.ts';
import { generateEvents } from './query-events.ts';
import { datesOf } from './query-tidegate.ts';
import { ORGANIZATION, WEBSITES, type Window, windowBefore } from './query-workload.ts';
import { startEmbedded } from './tidegate-process.ts';

/** Limits that repeated runs do not reach. */
const UNREACHED = 1_000_000;

export interface LargeTarget {
  /** On localhost, where browsers keep sessions. */
  readonly origin: string;
  readonly window: Window;
}

export interface LargeTargetOptions {
  readonly processes: BenchProcesses;
  /** Root of the project. */
  readonly root: string;
  /** Of its own. */
  readonly folder: string;
  /** Over thirty days; the websites that are asked have 6, 0.6 and 0.12 percent of them. */
  readonly events: number;
}

/** Tidegate as shipped, but for remembered answers: what is measured is that they are computed. */
export async function startLargeTarget(options: LargeTargetOptions): Promise<LargeTarget> {
  const { folder, events } = options;
  const window = windowBefore(Date.now());
  await generateEvents({
    ...{ eventsFile: dataPathsOf(path.join(folder, 'data')).events, textFile: null, events, window },
    ...{ arrivalOrder: false, onProgress: () => undefined },
  });
  const organization = {
    ...{ id: ORGANIZATION, name: 'Bench', plan: 'scale' },
    limits: { per10Seconds: UNREACHED, perMinute: UNREACHED },
    users: [{ ...OWNER, role: 'owner' }],
    websites: WEBSITES.map(({ websiteId, name }) => ({ id: websiteId, name, domain: `${name}.example.com` })),
  };
  const { url } = await startEmbedded({
    ...options,
    provisioning: JSON.stringify({ organizations: [organization] }),
    processor: null,
    settings: { ANSWERS_MEMORY_MB: '0' },
  });
  return { origin: url.replace('127.0.0.1', 'localhost'), window };
}

/** The overview of each website over the whole window, `runs` times after a visit that warms up: files are in the cache. */
export async function visitLarge(
  browser: Browser,
  { origin, window }: LargeTarget,
  runs: number,
): Promise<ReadyVisit[]> {
  const { startDate, endDate } = datesOf(window);
  const context = await browser.newContext({
    ...{ locale: 'en-US', viewport: { width: 1280, height: 800 } },
    storageState: await loggedIn(browser, origin),
  });
  try {
    const page = await context.newPage();
    await page.addInitScript(numbersScript('.tile .number'));
    const visits: ReadyVisit[] = [];
    for (let round = 0; round <= runs; round++) {
      for (const { name, websiteId } of WEBSITES) {
        await page.goto(`${origin}/dashboard/websites/${websiteId}?from=${startDate}&to=${endDate}`);
        await untilSeen(page, 'all');
        const { numbers, all } = await page.evaluate<{ numbers: number; all: number }>('benchSeen');
        if (round > 0) visits.push({ website: name, numbers, all });
      }
    }
    return visits;
  } finally {
    await context.close();
  }
}
