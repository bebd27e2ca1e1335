/** What funnels, retention, journeys and goals cost, over every event of the large website. */
import { POSTGRES_PATHS } from './query-paths-sql.ts';
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
  /** What PostgreSQL takes for the same, where it was asked. */
  readonly postgres?: readonly number[];
}

/** By the names of {@link PATHS}. */
export type PathMeasures = Readonly<Record<string, PathCost>>;

export interface PathTarget {
  /** Reads the whole answer of POST /v1/query. */
  ask(body: string): Promise<string>;
  cpuMicroseconds(): number;
}

/** PostgreSQL, which answers the statement of a name of POSTGRES_PATHS. */
export interface ComparedTarget {
  askPath(name: string): Promise<readonly (readonly string[])[]>;
}

/**
 * Turn by turn, so that a machine that is slow for a while is slow for all; the first turn warms up.
 * @throws Error when a dataset fails, or `compared` answers something else
 */
export async function measurePaths(
  target: PathTarget,
  dates: { startDate: string; endDate: string },
  turns: number,
  compared: ComparedTarget | null = null,
): Promise<PathMeasures> {
  const names = Object.keys(PATHS);
  const spent = new Map(
    names.map((name) => [
      name,
      { milliseconds: [] as number[], cpuMilliseconds: 0, postgres: [] as number[] },
    ]),
  );
  for (let turn = 0; turn <= turns; turn++) {
    for (const [name, cost] of spent) {
      const body = JSON.stringify({ parameters: [PATHS[name]], ...dates });
      const [before, cpuBefore] = [performance.now(), target.cpuMicroseconds()];
      const rows = rowsOf(name, await target.ask(body));
      const took = performance.now() - before;
      if (turn > 0) {
        cost.milliseconds.push(took);
        cost.cpuMilliseconds += (target.cpuMicroseconds() - cpuBefore) / 1_000 / turns;
      }
      const statement = POSTGRES_PATHS[name];
      if (compared === null || statement === undefined) continue;
      const begun = performance.now();
      const found = await compared.askPath(name);
      if (turn > 0) cost.postgres.push(performance.now() - begun);
      requireSame(name, comparedRows(rows, statement.columns), found);
    }
  }
  return Object.fromEntries(spent);
}

type Row = Readonly<Record<string, string | number | null>>;

/** A dataset without rows would be quick and say nothing. */
function rowsOf(name: string, text: string): readonly Row[] {
  const answer = JSON.parse(text) as { data: { success: boolean; error?: string; data: Row[] }[] };
  const [dataset] = answer.data;
  if (!dataset?.success) throw new Error(`${name} failed: ${dataset?.error}`);
  if (dataset.data.length === 0) throw new Error(`${name} has no rows`);
  return dataset.data;
}

function comparedRows(rows: readonly Row[], columns: readonly string[]): string[][] {
  return rows.filter(({ visitors }) => visitors !== 0).map((row) => columns.map((name) => String(row[name])));
}

function requireSame(name: string, own: readonly string[][], found: readonly (readonly string[])[]): void {
  const [expected, other] = [own, found].map((rows) => rows.map((row) => row.join(' ')));
  const at = expected?.findIndex((row, i) => row !== other?.[i]) ?? -1;
  if (at === -1 && expected?.length === other?.length) return;
  throw new Error(`${name}: tidegate answers ${expected?.[at]}, postgresql ${other?.[at]}`);
}

/** How many times as long PostgreSQL takes; null where it was not asked. */
export function timesPostgres({ milliseconds, postgres = [] }: PathCost): number | null {
  return postgres.length === 0 ? null : median(postgres) / median(milliseconds);
}

/** The rows of a table. */
export function pathRows(measures: PathMeasures): string[][] {
  const rows = Object.entries(measures).map(([name, cost]) => [
    name,
    median(cost.milliseconds).toFixed(1),
    cost.cpuMilliseconds.toFixed(1),
    timesPostgres(cost)?.toFixed(1) ?? '–',
  ]);
  return [['dataset', 'p50 ms', 'CPU ms', 'PostgreSQL ×'], ...rows];
}
