/** The query for the next events of an export, for each engine, in an order that no later event changes. */
import type { CompiledQuery } from '../../shared/ports/event-store.ts';
import { EVENT_COLUMNS } from '../../shared/storage/event-columns.ts';
import type { Reach } from '../stages/resolve.ts';
import type { TimeRange } from '../time/buckets.ts';

/** The next events after some. */
export interface ExportPage {
  readonly reach: Reach;
  /** What is left of the range. */
  readonly range: TimeRange;
  /** Events at its first instant that were given. */
  readonly given: number;
  readonly limit: number;
}

const NAMES = EVENT_COLUMNS.map(({ name }) => name);

export function pageQuery(engine: CompiledQuery['engine'], page: ExportPage): CompiledQuery {
  return engine === 'duckdb' ? duckDbPage(page) : mongodbPage(page);
}

/**
 * Events of one instant come as they were stored, those of one commit by the hash of all they hold: if two are alike in
 * that too, it does not matter which comes first.
 */
function duckDbPage({ reach, range, given, limit }: ExportPage): CompiledQuery {
  const columns = NAMES.map((name) => `"${name}"`).join(', ');
  const ofOrganization = reach.organizationEvents ? ' OR website_id IS NULL' : '';
  return {
    engine: 'duckdb',
    sql: `SELECT ${columns} FROM events
WHERE organization_id = $organization AND (website_id IN (SELECT unnest($websites))${ofOrganization})
  AND "timestamp" >= make_timestamp_ms($from) AND "timestamp" < make_timestamp_ms($to)
ORDER BY "timestamp", received_at NULLS FIRST, hash(${columns})
LIMIT $limit OFFSET $given`,
    params: {
      organization: reach.organizationId,
      websites: reach.websiteIds,
      from: range.from,
      to: range.to,
      limit,
      given,
    },
  };
}

/** Identifiers of documents grow as they are stored. */
function mongodbPage({ reach, range, given, limit }: ExportPage): CompiledQuery {
  const websites = reach.organizationEvents ? [...reach.websiteIds, null] : reach.websiteIds;
  return {
    engine: 'mongodb',
    pipeline: [
      {
        $match: {
          website_id: { $in: websites },
          organization_id: reach.organizationId,
          timestamp: { $gte: range.from, $lt: range.to },
        },
      },
      { $sort: { timestamp: 1, _id: 1 } },
      ...(given === 0 ? [] : [{ $skip: given }]),
      { $limit: limit },
      { $project: { _id: 0, ...Object.fromEntries(NAMES.map((name) => [name, 1])) } },
    ],
  };
}
