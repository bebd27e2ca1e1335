/** Pipelines that ask an event store on MongoDB simple things, for tests. */
import { NUMBER_COLUMNS, TEXT_COLUMNS } from '../../../services/shared/model/event-record.ts';
import type { CompiledQuery } from '../../../services/shared/ports/event-store.ts';

type MongodbQuery = Extract<CompiledQuery, { engine: 'mongodb' }>;

export function mongodb(pipeline: MongodbQuery['pipeline']): MongodbQuery {
  return { engine: 'mongodb', pipeline };
}

const COLUMNS = [...TEXT_COLUMNS, ...NUMBER_COLUMNS, 'organization_id', 'timestamp', 'is_bot', 'is_keyless'];

/** Every column of every event, `event_id` ascending. */
export const ALL_EVENTS = mongodb([
  { $sort: { event_id: 1 } },
  {
    $project: {
      _id: 0,
      ...Object.fromEntries(COLUMNS.map((column) => [column, { $ifNull: [`$${column}`, null] }])),
    },
  },
]);

/** One row, also where there are no events: `events`, their number. */
export const COUNT_EVENTS = mongodb([
  { $facet: { found: [{ $group: { _id: null, events: { $sum: 1 } } }] } },
  { $project: { events: { $ifNull: [{ $arrayElemAt: ['$found.events', 0] }, 0] } } },
]);

/** One row of these values. */
export function constantRow(values: Readonly<Record<string, unknown>>): MongodbQuery {
  return mongodb([
    { $facet: { found: [{ $limit: 1 }, { $project: { _id: 1 } }] } },
    {
      $project: Object.fromEntries(
        Object.entries(values).map(([name, value]) => [name, { $literal: value }]),
      ),
    },
  ]);
}

/** A query that takes minutes of one processor and little memory; `number` tells it from others. */
export function endlessOf(number: number): MongodbQuery {
  const none = { $filter: { input: { $range: [0, 50_000] }, as: 'y', cond: { $lt: ['$$y', 0] } } };
  const counted = {
    $filter: { input: { $range: [0, 200_000] }, as: 'x', cond: { $gt: [{ $size: none }, 0] } },
  };
  return mongodb([
    { $facet: { found: [{ $limit: 1 }, { $project: { _id: 1 } }] } },
    { $project: { number: { $literal: number }, found: { $size: counted } } },
  ]);
}

export const ENDLESS = endlessOf(0);
