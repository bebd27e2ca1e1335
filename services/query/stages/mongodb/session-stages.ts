/**
 * Sessions: what an event says about its session, and events grouped into sessions with their contributions to the
 * measures.
 */
import { isOfSessions, type Measure, type SessionCondition } from '../../catalogue/measure.ts';
import { IS_PAGEVIEW } from '../../catalogue/measures.ts';
import type { QueryPlan } from '../query-plan.ts';
import { rowNames } from '../row-names.ts';
import { bucketExpression } from './bucket-expression.ts';
import { contributions, edge, SESSION, splitMeasures } from './contributions.ts';
import {
  conditionExpression,
  type Expression,
  field,
  literal,
  oneIf,
  orMissing,
  type Stage,
  textExpression,
  textOfColumn,
  when,
} from './expressions.ts';

export function countsSessions(plan: QueryPlan): boolean {
  return plan.unit === 'sessions' || Object.values(plan.measures).some(isOfSessions);
}

/** The parts of a session: what events say, and how it is added up, in one step or several. */
type Parts = Readonly<Record<string, readonly [of: Expression, sum: Expression]>>;

/** Only what the plan needs of sessions. */
function partsOf(plan: QueryPlan): Parts {
  const instant = field('timestamp');
  const measures = Object.values(plan.measures);
  const conditions = [plan.sessions, ...measures.map((measure) => sessionCondition(measure))];
  const asks = (key: 'pageviews' | 'interactions') =>
    conditions.some((condition) => condition !== undefined && key in condition);
  const parts: Record<string, readonly [Expression, Expression]> = {
    [SESSION.first]: [instant, { $min: field(SESSION.first) }],
    [SESSION.last]: [instant, { $max: field(SESSION.last) }],
  };
  if (asks('pageviews')) {
    parts[SESSION.pageviews] = [oneIf(conditionExpression(IS_PAGEVIEW)), { $sum: field(SESSION.pageviews) }];
  }
  if (asks('interactions')) {
    const interacts = { $gt: [field('interaction_count'), literal(0)] };
    parts[SESSION.interactions] = [oneIf(interacts), { $sum: field(SESSION.interactions) }];
  }
  if (measures.some(({ kind }) => kind === 'sessionVisitors')) {
    const visitor = edge(textOfColumn('anonymous_id'), instant);
    parts[SESSION.visitor] = [visitor, { $min: field(SESSION.visitor) }];
  }
  for (const dimension of ofSessions(plan)) {
    const column = rowNames.dimension(dimension.name);
    const text = textExpression(dimension);
    const meant = dimension.where ? when(conditionExpression(dimension.where), text, null) : text;
    const operator = dimension.at === 'last' ? '$max' : '$min';
    parts[column] = [edge(meant, instant), { [operator]: field(column) }];
  }
  return parts;
}

function sessionCondition(measure: Measure): SessionCondition | undefined {
  return measure.kind === 'sessions' ? measure.where : undefined;
}

/** Dimensions that sessions are grouped by. */
function ofSessions({ unit, dimensions }: QueryPlan): QueryPlan['dimensions'] {
  return unit === 'sessions' ? dimensions : [];
}

/** Fields of an event that its session is built from; the session uses the same names. */
export function sessionParts(plan: QueryPlan): Record<string, Expression> {
  const parts = Object.entries(partsOf(plan)).map(([name, [of]]) => [name, of] as const);
  return { [SESSION.id]: textOfColumn('session_id'), ...Object.fromEntries(parts) };
}

/** How the parts are added up. */
export function sessionAccumulators(plan: QueryPlan): Record<string, Expression> {
  return Object.fromEntries(Object.entries(partsOf(plan)).map(([name, [, sum]]) => [name, sum] as const));
}

/** From documents with the parts to one per counted session, with keys and {@link contributions}. */
export function sessionStages(plan: QueryPlan): Stage[] {
  const dimensions = ofSessions(plan).map((dimension): [string, Expression] => {
    const column = rowNames.dimension(dimension.name);
    return [column, orMissing(field(`${column}.v`), dimension)];
  });
  return [
    { $match: { [SESSION.id]: { $ne: null } } },
    { $group: { _id: field(SESSION.id), ...sessionAccumulators(plan) } },
    ...conditionStages(plan),
    {
      $project: {
        _id: 0,
        ...(plan.bands ? { [rowNames.band]: bandExpression(plan.bands) } : {}),
        ...(plan.kind === 'list'
          ? {}
          : { [rowNames.bucket]: bucketExpression(plan.buckets, field(SESSION.first)) }),
        ...Object.fromEntries(dimensions),
        ...contributions(splitMeasures(plan.measures).ofSessions),
      },
    },
  ];
}

function conditionStages({ sessions }: QueryPlan): Stage[] {
  if (!sessions) return [];
  if ('interactions' in sessions) return [{ $match: { [SESSION.interactions]: { $gt: 0 } } }];
  return [{ $match: { [SESSION.pageviews]: sessions.pageviews === 'one' ? 1 : { $gt: 0 } } }];
}

function bandExpression(bands: NonNullable<QueryPlan['bands']>): Expression {
  const duration = { $subtract: [field(SESSION.last), field(SESSION.first)] };
  return bands
    .slice(0, -1)
    .reduceRight<Expression>(
      (longer, { below }, index) => when({ $lt: [duration, below] }, literal(index), longer),
      literal(bands.length - 1),
    );
}
