/** Which events a plan includes, as a query of MongoDB: the first stage, which every shard runs over its index. */
import { PAIRS_FIELD } from '../../../shared/storage/mongodb/event-document.ts';
import type { PlannedFilter, QueryPlan } from '../query-plan.ts';
import type { Reach } from '../resolve.ts';
import type { Stage } from './expressions.ts';

/** A condition on a document; client values appear only where a query reads values. */
type Query = Readonly<Record<string, unknown>>;

/** Website and instants come first: the index, and the shard key, have this order. */
export function matchStage(plan: QueryPlan): Stage {
  const { reach, range, scope, needs, filters } = plan;
  const further: Query[] = [];
  if (reach.linkId !== undefined) further.push({ link_id: { $eq: reach.linkId } });
  if (scope.events !== 'all') {
    further.push({ event_name: { [scope.events === 'only' ? '$in' : '$nin']: scope.names } });
  }
  if (needs !== undefined) further.push({ [needs]: { $gt: '' } });
  if (readsSessionsOnly(plan)) further.push({ session_id: { $gt: '' } });
  further.push(...filters.map(filterQuery));
  return {
    $match: {
      website_id: websiteQuery(reach),
      timestamp: { $gte: range.from, $lt: range.to },
      organization_id: { $eq: reach.organizationId },
      is_bot: false,
      ...(further.length === 0 ? {} : { $and: further }),
    },
  };
}

function readsSessionsOnly({ kind, unit }: QueryPlan): boolean {
  return kind === 'list' && unit === 'sessions';
}

/** Events of the organization itself have null as their website. */
function websiteQuery({ websiteIds, organizationEvents }: Reach): Query {
  const [only, ...others] = websiteIds;
  if (only !== undefined && others.length === 0 && !organizationEvents) return { $eq: only };
  return { $in: organizationEvents ? [null, ...websiteIds] : [...websiteIds] };
}

/** @throws Error for groups, filters of sessions and visitors, and fields and operators that only DuckDB has */
function filterQuery(filter: PlannedFilter): Query {
  if (!('on' in filter) || filter.of !== 'event' || !(filter.op in POSITIVE)) throw unsupported();
  const { on, values } = filter;
  if (!('column' in on || 'property' in on)) throw unsupported();
  const op = filter.op as keyof typeof POSITIVE;
  const positive = POSITIVE[op];
  const test = testOf(positive, values);
  // A property that is null has no text, and a key occurs at most once.
  const query =
    'column' in on
      ? { [on.column]: test }
      : { [PAIRS_FIELD]: { $elemMatch: { k: { $eq: on.property }, v: test } } };
  // What a missing text cannot meet, its opposite meets.
  return positive === op ? query : { $nor: [query] };
}

/** The condition of an operator, or of its opposite, on a text that is present. */
const POSITIVE = {
  eq: 'eq',
  ne: 'eq',
  contains: 'contains',
  not_contains: 'contains',
  starts_with: 'starts_with',
  in: 'in',
  not_in: 'in',
} as const;

function unsupported(): Error {
  return new Error('A filter that pipelines do not have is refused before it is planned.');
}

function testOf(op: (typeof POSITIVE)[keyof typeof POSITIVE], values: readonly string[]): Query {
  const value = values[0] ?? '';
  switch (op) {
    case 'eq':
      return { $eq: value };
    case 'in':
      return { $in: [...values] };
    // Some servers refuse an empty pattern, which every text meets.
    case 'contains':
      return value === '' ? IS_TEXT : { $regex: escaped(value) };
    case 'starts_with':
      return value === '' ? IS_TEXT : { $regex: `^${escaped(value)}` };
  }
}

/** Any text that is present; a missing one is null. */
const IS_TEXT: Query = { $ne: null };

/** A pattern that only the text itself meets: cheaper in a query than searching each document by an expression. */
function escaped(text: string): string {
  return text.replaceAll(/[\\^$.|?*+()[\]{}]/g, String.raw`\$&`);
}
