/** The numbers of the cards: one batch for all of them, and what each card says by its answer. */
import type { Request } from '../../api/answer.ts';
import type { QueryAnswer, WebsiteView } from '../../api/wire.ts';
import type { SparkPoint } from '../../charts/spark-path.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Before anything that ingest takes. */
const EVER = '2000-01-01T00:00:00Z';
const TOTALS = 'summary_metrics';
const HOURS = 'summary';
/** Where the time of the last event stands: of visitors, and of events that have none. */
const LATEST = { profiles: 'last_visit', custom_events_recent: 'timestamp' } as const;

export interface BatchAnswer {
  readonly results: readonly QueryAnswer[];
}

/**
 * When the last event came: an instant; `some`: in the last 24 hours, when exactly no dataset tells; `silent`: none in these
 * hours; `never`: none at all.
 */
export type LastEvent = { readonly at: string } | 'some' | 'silent' | 'never';

/** What a card says of the last 24 hours. What could not be computed is undefined. */
export interface CardNumbers {
  readonly visitors: number | undefined;
  readonly pageviews: number | undefined;
  /** Visitors by the hour. */
  readonly hours: readonly SparkPoint[] | undefined;
  readonly lastEvent: LastEvent | undefined;
}

export interface Asked {
  readonly websites: readonly Pick<WebsiteView, 'id' | 'createdAt'>[];
  /** End of the 24 hours, in milliseconds since 1970. */
  readonly now: number;
  readonly timezone: string;
}

/** One request about all websites of a page: at most 50, as the API has it. */
export function batchOf({ websites, now, timezone }: Asked): Request {
  const range = { startDate: instant(now - DAY_MS), endDate: instant(now) };
  const body = websites.map(({ id, createdAt }) => ({
    id,
    websiteId: id,
    timezone,
    ...range,
    // Of the lists the latest row alone; totals and hours have no limit.
    limit: 1,
    parameters: [
      TOTALS,
      { name: HOURS, granularity: 'hourly' },
      ...Object.keys(LATEST),
      // Only of a new website: to ask an old one for all of its time would cost more than the rest.
      ...(isNew(createdAt, now) ? [{ name: TOTALS, id: 'ever', startDate: EVER }] : []),
    ],
  }));
  return { method: 'POST', path: '/v1/query', body };
}

/** The numbers by website; one that the answer does not hold is absent. */
export function numbersOf({ results }: BatchAnswer, now: number): ReadonlyMap<string, CardNumbers> {
  return new Map(results.map((answer) => [answer.queryId ?? '', cardOf(answer, now)]));
}

/** Whether a part could not be computed. */
export function isIncomplete(numbers: CardNumbers): boolean {
  return Object.values(numbers).some((part) => part === undefined);
}

/** The columns of the list as CSV, by the names that the API has for them. */
export const CSV_COLUMNS = ['id', 'name', 'domain', 'visitors', 'pageviews', 'last_event'] as const;

/** A website as a row of CSV; what is unknown is empty. */
export function csvRow(
  { id, name, domain }: Pick<WebsiteView, 'id' | 'name' | 'domain'>,
  numbers: CardNumbers | undefined,
): (string | number | null)[] {
  const { visitors = null, pageviews = null, lastEvent } = numbers ?? {};
  return [id, name, domain, visitors, pageviews, typeof lastEvent === 'object' ? lastEvent.at : null];
}

function cardOf(answer: QueryAnswer, now: number): CardNumbers {
  const [totals] = rowsOf(answer, TOTALS) ?? [];
  return {
    visitors: totals && Number(totals.visitors),
    pageviews: totals && Number(totals.pageviews),
    hours: rowsOf(answer, HOURS)?.map((row) => pointOf(row, now)),
    lastEvent: lastEventOf(answer),
  };
}

type Row = QueryAnswer['data'][number]['data'][number];

/** The rows of a dataset; undefined when it failed. */
function rowsOf(answer: QueryAnswer, parameter: string): readonly Row[] | undefined {
  const found = answer.data.find((dataset) => dataset.parameter === parameter);
  return found?.success ? found.data : undefined;
}

function pointOf(row: Row, now: number): SparkPoint {
  const at = Date.parse(String(row.timestamp));
  return {
    at,
    value: Number(row.visitors),
    isWhole: at >= now - DAY_MS && at + HOUR_MS <= now,
  };
}

function lastEventOf(answer: QueryAnswer): LastEvent | undefined {
  const lists = Object.entries(LATEST).map(([name, column]) => ({ rows: rowsOf(answer, name), column }));
  const [totals] = rowsOf(answer, TOTALS) ?? [];
  if (totals === undefined || lists.some(({ rows }) => rows === undefined)) return undefined;
  const latest = lists
    .flatMap(({ rows = [], column }) => rows.map((row) => String(row[column])))
    .sort()
    .at(-1);
  if (latest !== undefined) return { at: latest };
  if (totals.total_events !== 0) return 'some';
  const [ever] = rowsOf(answer, 'ever') ?? [];
  return ever?.total_events === 0 ? 'never' : 'silent';
}

function isNew(createdAt: string, now: number): boolean {
  return Date.parse(createdAt) > now - DAY_MS;
}

function instant(at: number): string {
  return new Date(at).toISOString();
}
