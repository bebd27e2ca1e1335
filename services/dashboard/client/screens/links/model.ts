/** Turns answers about clicks into what the screens of links show. It computes no number: it picks and names. */
import type { DatasetAnswer, LinkView } from '../../api/wire.ts';
import type { Cell } from '../../exports/csv.ts';
import { answerOf, type DatasetRow, numberOf, type QueryBatch, textOf } from '../../website/batch.ts';
import { type BucketState, type Clock, stateOf } from '../../website/buckets.ts';
import type { Days } from '../../website/calendar.ts';
import type { Granularity } from '../../website/range.ts';

/** The clicks of a link in a range. */
export interface Totals {
  readonly clicks: number;
  readonly visitors: number;
  /** Null: none in the range. */
  readonly lastClick: string | null;
}

const NO_CLICK: Totals = { clicks: 0, visitors: 0, lastClick: null };

/** By the identifier of the link, one without a click too; undefined: they were not computed, or did not come. */
export function totalsOf(batch: QueryBatch | undefined): ((id: string) => Totals) | undefined {
  const answer = answerOf(batch, 'link_totals');
  if (!answer?.success) return undefined;
  const found = new Map(answer.data.map((row) => [textOf(row, 'link_id'), rowTotals(row)]));
  return (id) => found.get(id) ?? NO_CLICK;
}

function rowTotals(row: DatasetRow): Totals {
  const lastClick = textOf(row, 'last_click') || null;
  return { clicks: numberOf(row, 'clicks'), visitors: numberOf(row, 'unique_visitors'), lastClick };
}

export interface ClickBucket {
  readonly date: string;
  readonly timestamp?: string;
  readonly state: BucketState;
  readonly clicks: number;
}

export function bucketsOf(
  answer: DatasetAnswer,
  granularity: Granularity,
  clock: Clock,
  days: Days | undefined,
): readonly ClickBucket[] {
  return answer.data.map((row) => {
    const bucket = { date: textOf(row, 'date'), timestamp: textOf(row, 'timestamp') || undefined };
    return {
      ...bucket,
      state: stateOf(bucket, granularity, clock, days),
      clicks: numberOf(row, 'clicks'),
    };
  });
}

export interface TopRow {
  readonly name: string;
  /** ISO code of the country that it is, or lies in; empty where there is none. */
  readonly country: string;
  readonly clicks: number;
  /** Length of its bar: its clicks by those of the first row, 0 to 1. */
  readonly share: number;
}

/** The first `shown` rows of a list, and whether there are more. */
export function topOf({ data }: DatasetAnswer, shown: number): { rows: readonly TopRow[]; hasMore: boolean } {
  const most = Math.max(1, numberOf(data[0], 'clicks'));
  const rows = data.slice(0, shown).map((row) => {
    const clicks = numberOf(row, 'clicks');
    return { name: textOf(row, 'name'), country: textOf(row, 'country'), clicks, share: clicks / most };
  });
  return { rows, hasMore: data.length > shown };
}

/** The list of links as CSV, by the names that the API has for its columns. */
export const CSV_COLUMNS = [
  'id',
  'name',
  'slug',
  'target_url',
  'website_id',
  'expires_at',
  'tags',
  'clicks',
  'unique_visitors',
  'last_click',
] as const;

/** A link as a row of CSV; clicks that are not known are empty. */
export function csvRow(link: LinkView, totals: Totals | undefined): Cell[] {
  const { id, name, slug, targetUrl, websiteId, expiresAt, tags } = link;
  const numbers = [totals?.clicks, totals?.visitors, totals?.lastClick];
  return [id, name, slug, targetUrl, websiteId, expiresAt, tags.join(' '), ...numbers];
}
