/**
 * Stage 5 for MongoDB: a plan becomes an aggregation pipeline. Shards match, keep the few fields that are needed, and
 * group; the results are merged. Client values appear only where a query reads values, or as literals.
 */
import type { CompiledQuery } from '../../shared/ports/event-store.ts';
import { PAIRS_FIELD } from '../../shared/storage/mongodb/event-document.ts';
import type { Dimension } from '../catalogue/dataset.ts';
import { bucketExpression } from './mongodb/bucket-expression.ts';
import { accumulator, contributions, membersOf, SESSION, splitMeasures } from './mongodb/contributions.ts';
import { type Expression, field, orMissing, type Stage, textExpression } from './mongodb/expressions.ts';
import { groupStages } from './mongodb/group-stages.ts';
import { matchStage } from './mongodb/match-stage.ts';
import { measureNames, pageStages } from './mongodb/page-stages.ts';
import {
  countsSessions,
  sessionAccumulators,
  sessionParts,
  sessionStages,
} from './mongodb/session-stages.ts';
import type { QueryPlan } from './query-plan.ts';
import { rowNames } from './row-names.ts';

/**
 * Operators are limited to those that MongoDB has had since 5.0. Rows carry 64-bit integers where numbers are summed;
 * the store returns those beyond 2^53 as text.
 */
export function compileMongodb(plan: QueryPlan): CompiledQuery {
  const rows = plan.kind === 'list' ? listStages(plan) : bucketStages(plan);
  return { engine: 'mongodb', pipeline: [matchStage(plan), ...rows] };
}

function listStages(plan: QueryPlan): Stage[] {
  const measures = Object.entries(plan.measures);
  const dimensions = plan.dimensions.map(({ name }) => rowNames.dimension(name));
  if (plan.unit === 'sessions') {
    const keys = plan.bands ? [rowNames.band, ...dimensions] : dimensions;
    return [
      { $project: { _id: 0, ...sessionParts(plan) } },
      ...sessionStages(plan),
      ...groupStages({ keys, measures, totals: plan.totals }),
      ...pageStages(plan),
    ];
  }
  const events = plan.unit === 'properties' ? propertyStages(plan) : [eventStage(plan, plan.dimensions)];
  const rows =
    plan.unit === 'eachEvent' ? [] : groupStages({ keys: dimensions, measures, totals: plan.totals });
  return [...events, ...rows, ...pageStages(plan)];
}

/** The dimensions of an event, and its contributions to the measures. */
function eventStage(plan: QueryPlan, dimensions: readonly Dimension[], kept: Stage = {}): Stage {
  const texts = dimensions.map(dimensionField);
  return {
    $project: {
      _id: 0,
      ...Object.fromEntries(texts),
      ...contributions(Object.entries(plan.measures)),
      ...kept,
    },
  };
}

function dimensionField(dimension: Dimension): [string, Expression] {
  return [rowNames.dimension(dimension.name), orMissing(textExpression(dimension), dimension)];
}

/** A document for each property with a text; fields of the event are read before its properties are expanded. */
function propertyStages(plan: QueryPlan): Stage[] {
  const ofPairs = plan.dimensions.filter(({ source }) => 'pair' in source);
  const ofEvents = plan.dimensions.filter((dimension) => !ofPairs.includes(dimension));
  return [
    eventStage(plan, ofEvents, { [PAIRS_FIELD]: 1 }),
    { $unwind: field(PAIRS_FIELD) },
    { $match: { [`${PAIRS_FIELD}.v`]: { $ne: null } } },
    { $addFields: Object.fromEntries(ofPairs.map(dimensionField)) },
  ];
}

/** How many events a document represents. */
const EVENTS = 'events';

/** Rows by bucket; a single one for a `row`. */
function bucketStages(plan: QueryPlan): Stage[] {
  const { ofEvents, ofSessions } = splitMeasures(plan.measures);
  const keys = [rowNames.bucket];
  const bucket = { [rowNames.bucket]: bucketExpression(plan.buckets, field('timestamp')) };
  if (!countsSessions(plan)) {
    return [
      { $project: { _id: 0, ...bucket, ...contributions(ofEvents) } },
      ...groupStages({ keys, measures: ofEvents }),
    ];
  }
  const ofAllSessions = [...sessionStages(plan), ...groupStages({ keys, measures: ofSessions })];
  if (ofEvents.length === 0) return [{ $project: { _id: 0, ...sessionParts(plan) } }, ...ofAllSessions];
  return [
    { $project: { _id: 0, ...bucket, ...contributions(ofEvents), ...sessionParts(plan) } },
    ...joinedOnce(plan),
    {
      $facet: {
        events: groupStages({ keys, measures: ofEvents, each: field(EVENTS) }),
        sessions: ofAllSessions,
      },
    },
    { $project: { rows: { $concatArrays: ['$events', '$sessions'] } } },
    { $unwind: '$rows' },
    { $replaceRoot: { newRoot: '$rows' } },
    ...mergedRows(plan),
  ];
}

/**
 * Events grouped by everything that distinguishes measures of events and of sessions. Both are then computed from these
 * documents on the merging server, since no shard runs a $facet; they are far fewer than the events.
 */
function joinedOnce(plan: QueryPlan): Stage[] {
  const { ofEvents } = splitMeasures(plan.measures);
  const keys = [rowNames.bucket, SESSION.id, ...membersOf(ofEvents).map((member) => member.field)];
  const added = ofEvents.flatMap(([name, measure]): [string, Expression][] => {
    const column = rowNames.measure(name);
    const sum = accumulator(measure, field(column));
    return sum === null ? [] : [[column, sum]];
  });
  const sums = { ...Object.fromEntries(added), ...sessionAccumulators(plan), [EVENTS]: { $sum: 1 } };
  return [
    { $group: { _id: Object.fromEntries(keys.map((key) => [key, field(key)])), ...sums } },
    {
      $project: {
        _id: 0,
        ...Object.fromEntries(keys.map((key) => [key, field(`_id.${key}`)])),
        ...Object.fromEntries(Object.keys(sums).map((name) => [name, 1])),
      },
    },
  ];
}

/** Rows of events and of sessions with the same bucket are merged; each name occurs on one side only. */
function mergedRows(plan: QueryPlan): Stage[] {
  const names = Object.entries(plan.measures).flatMap(([name, measure]) => measureNames(name, measure));
  return [
    {
      $group: {
        _id: field(rowNames.bucket),
        ...Object.fromEntries(names.map((name) => [name, { $max: field(name) }])),
      },
    },
    {
      $project: {
        _id: 0,
        [rowNames.bucket]: '$_id',
        ...Object.fromEntries(names.map((name) => [name, 1])),
      },
    },
  ];
}
