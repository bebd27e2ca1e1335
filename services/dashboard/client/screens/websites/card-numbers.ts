/** The numbers of the cards: one batch for all of them and the organization, and what each card says by its answer. */
import type { Request } from '../../api/answer.ts';
import type { WebsiteView } from '../../api/wire.ts';
import type { SparkPoint } from '../../charts/spark-path.ts';
import { answerOf, type DatasetRow, numberOf, previousOf, type QueryBatch } from '../../website/batch.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Before anything that ingest takes. */
const EVER = '2000-01-01T00:00:00Z';
const TOTALS = 'website_totals';
const LINES = 'website_lines';
/** Of all of an organization, or of all time. */
const SUMMARY = 'summary_metrics';
/** Where the time of the last event stands: of visitors, and of events that have none. */
const LATEST = { profiles: 'last_visit', custom_events_recent: 'timestamp' } as const;

/** As many websites as one batch answers: of its 50 requests three are about all of them. */
export const PAGE = 47;

/** The ranges that the cards show, by the days that they reach back; the first is the usual one. */
const DAYS = { last_24h: 1, last_7d: 7, last_30d: 30 } as const;
export type CardRange = keyof typeof DAYS;
export const CARD_RANGES = Object.keys(DAYS) as readonly CardRange[];

/** The range of an address; one that cards do not show is the usual one. */
export function cardRangeOf(range: string | undefined): CardRange {
  return CARD_RANGES.find((each) => each === range) ?? 'last_24h';
}

/**
 * When the last event came: an instant; `some`: in the range, when exactly no dataset tells; `silent`: none in it; `never`: none at
 * all.
 */
export type LastEvent = { readonly at: string } | 'some' | 'silent' | 'never';

/** A number, and what it was in the time just before. */
export interface Compared {
  readonly now: number;
  readonly before: number;
}

/** What a card says of the range. What could not be computed is undefined. */
export interface CardNumbers {
  readonly visitors: Compared | undefined;
  readonly pageviews: Compared | undefined;
  /** Visitors by the hour or the day. */
  readonly line: readonly LinePoint[] | undefined;
  readonly lastEvent: LastEvent | undefined;
}

export interface LinePoint extends SparkPoint {
  /** The hour or the day as the API writes it. */
  readonly date: string;
}

/** Totals of the whole organization, in the order that they are shown. */
export const TOTALS_SHOWN = ['visitors', 'pageviews', 'sessions'] as const;

export interface Asked {
  readonly websites: readonly Pick<WebsiteView, 'id' | 'createdAt'>[];
  readonly range: CardRange;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly timezone: string;
}

/** One request about all websites of a page, and about the organization. */
export function batchOf({ websites, range, now, timezone }: Asked): Request {
  const shared = { timezone, preset: range };
  const filters = [{ field: 'website_id', op: 'in', value: websites.map(({ id }) => id) }];
  const granularity = range === 'last_24h' ? 'hourly' : 'daily';
  const body = [
    { ...shared, compare: 'previous', parameters: [SUMMARY] },
    { ...shared, compare: 'previous', filters, parameters: [TOTALS] },
    { ...shared, filters, granularity, parameters: [LINES] },
    ...websites.map(({ id, createdAt }) => ({
      ...shared,
      id,
      websiteId: id,
      // The latest row alone.
      limit: 1,
      parameters: [
        ...Object.keys(LATEST),
        // Only of a new website: to ask an old one for all of its time would cost more than the rest.
        ...(isNew(createdAt, range, now) ? [{ name: SUMMARY, startDate: EVER }] : []),
      ],
    })),
  ];
  return { method: 'POST', path: '/v1/query', body };
}

/** The numbers by website; one that the answer does not hold is absent. `today`: the date in the zone that was asked for. */
export function numbersOf(batch: QueryBatch, now: number, today: string): ReadonlyMap<string, CardNumbers> {
  const totals = rowsOf(batch, TOTALS);
  const lines = rowsOf(batch, LINES);
  const ids = batch.results.flatMap(({ queryId }) => queryId ?? []);
  return new Map(
    ids.map((id) => {
      const row = totals?.find(isOf(id));
      return [
        id,
        {
          visitors: row && compared(row, 'visitors'),
          pageviews: row && compared(row, 'pageviews'),
          line: lines?.filter(isOf(id)).map((each) => pointOf(each, now, today)),
          lastEvent: lastEventOf(batch, id, row),
        },
      ];
    }),
  );
}

/** The totals of the organization; undefined when they could not be computed. */
export function organizationOf(batch: QueryBatch): readonly Compared[] | undefined {
  // It stands first, and by no id: that of a website would be its own of all time.
  const [row] = rowsOf({ results: batch.results.slice(0, 1) }, SUMMARY) ?? [];
  return row && TOTALS_SHOWN.map((name) => compared(row, name));
}

/** Whether a part could not be computed. */
export function isIncomplete(numbers: CardNumbers): boolean {
  return Object.values(numbers).some((part) => part === undefined);
}

/** The columns of the list as CSV, by the names that the API has for them. */
export const CSV_COLUMNS = [
  ...(['id', 'name', 'domain', 'visitors', 'pageviews', 'last_event'] as const),
  ...(['previous_visitors', 'previous_pageviews'] as const),
];

/** A website as a row of CSV; what is unknown is empty. */
export function csvRow(
  { id, name, domain }: Pick<WebsiteView, 'id' | 'name' | 'domain'>,
  { visitors, pageviews, lastEvent }: Partial<CardNumbers> = {},
): (string | number | null)[] {
  return [
    ...[id, name, domain, visitors?.now ?? null, pageviews?.now ?? null],
    ...[typeof lastEvent === 'object' ? lastEvent.at : null],
    ...[visitors?.before ?? null, pageviews?.before ?? null],
  ];
}

/** The rows of a dataset; undefined when it failed. */
function rowsOf(batch: QueryBatch, dataset: string, id?: string): readonly DatasetRow[] | undefined {
  const found = answerOf(batch, dataset, id);
  return found?.success ? found.data : undefined;
}

const isOf =
  (id: string) =>
  (row: DatasetRow): boolean =>
    row.website_id === id;

/** A website without events before has no numbers there: nothing happened. */
function compared(row: DatasetRow, name: string): Compared {
  return { now: numberOf(row, name), before: numberOf(previousOf(row), name) };
}

function pointOf(row: DatasetRow, now: number, today: string): LinePoint {
  const date = String(row.date);
  const at = Date.parse(String(row.timestamp ?? date));
  const isWhole = row.timestamp === undefined ? date < today : at >= now - DAY_MS && at + HOUR_MS <= now;
  return { date, at, value: numberOf(row, 'visitors'), isWhole };
}

function lastEventOf(batch: QueryBatch, id: string, totals: DatasetRow | undefined): LastEvent | undefined {
  const lists = Object.entries(LATEST).map(([name, column]) => ({ rows: rowsOf(batch, name, id), column }));
  if (totals === undefined || lists.some(({ rows }) => rows === undefined)) return undefined;
  const latest = lists
    .flatMap(({ rows = [], column }) => rows.map((row) => String(row[column])))
    .sort()
    .at(-1);
  if (latest !== undefined) return { at: latest };
  if (totals.total_events !== 0) return 'some';
  const [ever] = rowsOf(batch, SUMMARY, id) ?? [];
  return ever?.total_events === 0 ? 'never' : 'silent';
}

function isNew(createdAt: string, range: CardRange, now: number): boolean {
  return Date.parse(createdAt) > now - DAYS[range] * DAY_MS;
}
