/** What funnels, retention, journeys and goals cost, over every event of the large website. */
import { median } from './report.ts';

const page = (value: string, op = 'eq') => ({ type: 'page', match: { op, value } });
const event = (value: string) => ({ type: 'event', match: { op: 'eq', value } });

/** Pages that many visit, so that each step has visitors who go on. */
const STEPS = [
  page('/articles/0'),
  page('/articles/1', 'starts_with'),
  event('button_clicked'),
  page('/articles/2', 'starts_with'),
  event('button_clicked'),
];

/** The datasets, by what the report calls them; retention by day makes more of the thirty days than by week of twelve. */
export const PATHS: Readonly<Record<string, object>> = {
  'funnel of five steps': { name: 'funnel', steps: STEPS },
  'retention by day': { name: 'retention', unit: 'day' },
  'journey of five steps': { name: 'journey', start: STEPS[0] },
  'pages in detail': { name: 'page_details' },
  'channels of sessions': { name: 'session_channels' },
};

/** Those with a goal. */
export const JUDGED_PATHS: readonly string[] = ['funnel of five steps', 'retention by day'];

export interface PathCost {
  readonly milliseconds: readonly number[];
  /** Of the processor, for one call. */
  readonly cpuMilliseconds: number;
}

/** By the names of {@link PATHS}. */
export type PathMeasures = Readonly<Record<string, PathCost>>;

export interface PathTarget {
  /** Reads the whole answer of POST /v1/query. */
  ask(body: string): Promise<string>;
  cpuMicroseconds(): number;
}

/** Turn by turn, so that a machine that is slow for a while is slow for all; the first turn warms up. @throws Error when a dataset fails */
export async function measurePaths(
  target: PathTarget,
  dates: { startDate: string; endDate: string },
  turns: number,
): Promise<PathMeasures> {
  const names = Object.keys(PATHS);
  const spent = new Map(names.map((name) => [name, { milliseconds: [] as number[], cpuMilliseconds: 0 }]));
  for (let turn = 0; turn <= turns; turn++) {
    for (const [name, cost] of spent) {
      const body = JSON.stringify({ parameters: [PATHS[name]], ...dates });
      const [before, cpuBefore] = [performance.now(), target.cpuMicroseconds()];
      requireRows(name, await target.ask(body));
      if (turn === 0) continue;
      cost.milliseconds.push(performance.now() - before);
      cost.cpuMilliseconds += (target.cpuMicroseconds() - cpuBefore) / 1_000 / turns;
    }
  }
  return Object.fromEntries(spent);
}

/** A dataset without rows would be quick and say nothing. */
function requireRows(name: string, text: string): void {
  const answer = JSON.parse(text) as { data: { success: boolean; error?: string; data: unknown[] }[] };
  const [dataset] = answer.data;
  if (!dataset?.success) throw new Error(`${name} failed: ${dataset?.error}`);
  if (dataset.data.length === 0) throw new Error(`${name} has no rows`);
}

/** The rows of a table. */
export function pathRows(measures: PathMeasures): string[][] {
  const rows = Object.entries(measures).map(([name, { milliseconds, cpuMilliseconds }]) => [
    name,
    median(milliseconds).toFixed(1),
    cpuMilliseconds.toFixed(1),
  ]);
  return [['dataset', 'p50 ms', 'CPU ms'], ...rows];
}
