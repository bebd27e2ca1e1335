/** Revenue, evaluated by walking over events. */
import type { NaiveBucket } from './calendar.ts';
import { isMatch, type Match, propertyOf } from './matches.ts';
import { type Events, groupBy, iso, mostFirst, type Row, ratio, visitorsOf } from './measures.ts';

export interface RevenueQuestion {
  readonly property: string;
  readonly match?: Match;
  readonly currency?: string;
}

function worthOf(events: Events, { property, match, currency }: RevenueQuestion): Events {
  return events.filter((event) => {
    const own = propertyOf(event, 'currency');
    const isOther = currency !== undefined && own !== undefined && own !== currency;
    return (!match || isMatch(event, match)) && typeof propertyOf(event, property) === 'number' && !isOther;
  });
}

function rowOf(own: Events, { property }: RevenueQuestion): Row {
  // In thousandths, so that sums are exact.
  const sum = own.reduce((so, event) => so + Math.round(Number(propertyOf(event, property)) * 1_000), 0);
  return {
    revenue: ratio(sum, 1_000),
    orders: own.length,
    average_order: ratio(sum, 1_000 * own.length),
    visitors: visitorsOf(own),
  };
}

export function revenueRows(events: Events, question: RevenueQuestion): Row[] {
  const currencyOf = (event: Events[number]) =>
    String(propertyOf(event, 'currency') ?? question.currency ?? 'Unknown');
  const rows = groupBy(worthOf(events, question), currencyOf).flatMap((own) =>
    own.slice(0, 1).map((event) => ({ currency: currencyOf(event), ...rowOf(own, question) })),
  );
  return mostFirst(rows, 'revenue', 'currency');
}

export function revenueSeries(
  events: Events,
  question: RevenueQuestion,
  buckets: readonly NaiveBucket[],
): Row[] {
  const found = worthOf(events, question);
  return buckets.map(({ label, start, holds }) => ({
    date: label,
    ...(start === undefined ? {} : { timestamp: iso(start) }),
    ...rowOf(
      found.filter(({ timestamp }) => holds(timestamp)),
      question,
    ),
  }));
}
