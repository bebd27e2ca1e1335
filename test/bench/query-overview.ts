/** What an overview costs: fourteen datasets alone, and compared with the period before; and when its first line comes. */
import { median } from './report.ts';

/** What the overview of a dashboard shows. */
export const OVERVIEW = [
  'summary_metrics',
  'summary',
  'top_pages',
  'entry_pages',
  'exit_pages',
  'top_referrers',
  'traffic_sources',
  'utm_sources',
  'countries',
  'cities',
  'browsers',
  'os_name',
  'device_types',
  'custom_events',
] as const;

/** What the overview of a screen asks at most of each list. */
const OVERVIEW_ROWS = 10;

/** Milliseconds of calls, and of the processor for one. */
export interface OverviewCost {
  readonly milliseconds: readonly number[];
  readonly cpuMilliseconds: number;
}

export interface OverviewMeasures {
  /** The fourteen datasets. */
  readonly alone: OverviewCost;
  /** The fourteen, with what they are compared with: twenty-eight. */
  readonly compared: OverviewCost;
  /** Milliseconds until the first line of the compared ones. */
  readonly firstLine: readonly number[];
  /** The compared ones once more, with answers remembered. */
  readonly again?: OverviewCost;
}

/** What is measured. */
export interface OverviewTarget {
  /** Reads the whole answer of POST /v1/query. */
  ask(body: string): Promise<unknown>;
  /** Reads an answer in lines; resolves with the milliseconds until the first one. */
  firstLine(body: string): Promise<number>;
  cpuMicroseconds(): number;
}

/** The body of an overview of these days. */
export function overviewBody(dates: { startDate: string; endDate: string }, compare?: 'previous'): string {
  return JSON.stringify({ parameters: OVERVIEW, ...dates, limit: OVERVIEW_ROWS, compare });
}

/** Turn by turn, so that a machine that is slow for a while is slow for all; the first turn warms up. */
export async function measureOverview(
  target: OverviewTarget,
  dates: { startDate: string; endDate: string },
  turns: number,
): Promise<OverviewMeasures> {
  const bodies = { alone: overviewBody(dates), compared: overviewBody(dates, 'previous') };
  const spent = { alone: [] as number[], compared: [] as number[] };
  const cpu = { alone: 0, compared: 0 };
  const firstLine: number[] = [];
  for (let turn = 0; turn <= turns; turn++) {
    for (const kind of ['alone', 'compared'] as const) {
      const [before, cpuBefore] = [performance.now(), target.cpuMicroseconds()];
      await target.ask(bodies[kind]);
      if (turn === 0) continue;
      spent[kind].push(performance.now() - before);
      cpu[kind] += (target.cpuMicroseconds() - cpuBefore) / 1_000 / turns;
    }
    const first = await target.firstLine(bodies.compared);
    if (turn > 0) firstLine.push(first);
  }
  return {
    alone: { milliseconds: spent.alone, cpuMilliseconds: cpu.alone },
    compared: { milliseconds: spent.compared, cpuMilliseconds: cpu.compared },
    firstLine,
  };
}

/** The compared datasets, after a first call that does not count. */
export async function measureAgain(
  target: Omit<OverviewTarget, 'firstLine'>,
  dates: { startDate: string; endDate: string },
  turns: number,
): Promise<OverviewCost> {
  const body = overviewBody(dates, 'previous');
  await target.ask(body);
  const milliseconds: number[] = [];
  const cpuBefore = target.cpuMicroseconds();
  for (let turn = 0; turn < turns; turn++) {
    const before = performance.now();
    await target.ask(body);
    milliseconds.push(performance.now() - before);
  }
  return { milliseconds, cpuMilliseconds: (target.cpuMicroseconds() - cpuBefore) / 1_000 / turns };
}

/** The rows of a table: what each takes, and how many times as much as the datasets alone. */
export function overviewRows({ alone, compared, firstLine, again }: OverviewMeasures): string[][] {
  const row = (name: string, { milliseconds, cpuMilliseconds }: OverviewCost) => [
    name,
    median(milliseconds).toFixed(1),
    (median(milliseconds) / median(alone.milliseconds)).toFixed(2),
    cpuMilliseconds.toFixed(1),
    (cpuMilliseconds / alone.cpuMilliseconds).toFixed(2),
  ];
  return [
    ['overview', 'p50 ms', '× alone', 'CPU ms', '× alone'],
    row(`${OVERVIEW.length} datasets`, alone),
    row('compared', compared),
    ['first line, compared', median(firstLine).toFixed(1), '', '', ''],
    ...(again ? [row('compared, again', again)] : []),
  ];
}
