/** Takes a custom query from the wire to its rows: checks body and dates together, finds the website, runs the query. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { accessibleWebsites, requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { SandboxResult } from '../../shared/storage/duckdb/sandbox-engine.ts';
import type { QueryPorts } from '../query-ports.ts';
import { createFaults } from '../stages/faults.ts';
import { namesOf, readNames, type Selectors, selectorsOf } from '../stages/names.ts';
import type { CallInput } from '../stages/parse.ts';
import { readQueryDates } from '../stages/query-dates.ts';
import { requireScopes } from '../stages/require-scopes.ts';
import { linkReach, requireOrganization } from '../stages/resolve.ts';
import { createZones } from '../stages/zones.ts';
import type { CustomQuery, CustomSql } from './custom-sql.ts';
import { type DateField, readRange } from './date-range.ts';
import { CUSTOM_NAMES, type CustomBody, customBodySchema } from './request-schema.ts';
import type { RunningTime } from './running-time.ts';
import { structuredSql } from './structured-sql.ts';

export interface CustomCall extends CallInput {
  readonly signal: AbortSignal;
  readonly time: RunningTime;
}

export interface CustomAnswer {
  readonly result: SandboxResult;
  readonly executionTimeMs: number;
}

interface Ports extends Pick<QueryPorts, 'documents' | 'findLink'> {
  readonly clock: Clock;
  readonly customSql: CustomSql;
}

/** @throws ApiError of the contract: faults of the request first, then access, then those of the query */
export async function answerCustomQuery(call: CustomCall, ports: Ports): Promise<CustomAnswer> {
  const { selectors, ...query } = parse(call);
  const { websiteId, organizationId } = await findWebsite(selectors, call.caller, ports);
  const startedAt = ports.clock.now();
  const result = await ports.customSql.run({ ...query, websiteId, organizationId }, call.signal, call.time);
  return { result, executionTimeMs: Math.max(0, ports.clock.now() - startedAt) };
}

interface ParsedQuery extends Omit<CustomQuery, 'websiteId' | 'organizationId'> {
  readonly selectors: Selectors;
}

function parse({ body, query, caller }: CallInput): ParsedQuery {
  const faults = createFaults();
  const names = namesOf(body, readNames(query, '', faults), '', faults);
  const selectors = selectorsOf(names);
  // A link or an organization is not a website, and does not change which scopes are required.
  const selector = selectors.websiteId === undefined ? null : 'website_id';
  if (faults.isEmpty()) requireScopes(caller, [{ selector, prefix: '' }]);
  const dates = readQueryDates(query, faults);
  const checked = customBodySchema.safeParse(body, OUR_WORDING);
  if (!checked.success) {
    faults.addIssues(checked.error.issues, '', CUSTOM_NAMES);
    faults.throwIfAny();
  }
  const written = checked.data as CustomBody;
  const zone = createZones(faults)(names.timezone);
  const start = dateField(written.startDate, 'startDate', dates.start, 'start_date');
  const end = dateField(written.endDate, 'endDate', dates.end, 'end_date');
  const range = readRange(start, end, zone, faults);
  const structured = written.query && structuredSql(written.query, faults);
  faults.throwIfAny();
  return {
    ...range,
    selectors,
    sql: structured?.sql ?? written.sql ?? '',
    params: structured?.params ?? written.params ?? {},
    limit: written.limit ?? null,
  };
}

function dateField(
  own: string | undefined,
  field: string,
  other: string | undefined,
  otherField: string,
): DateField | null {
  if (own !== undefined) return { field, text: own };
  return other === undefined ? null : { field: otherField, text: other };
}

/** The named website, or the caller's only one. A second selector is checked for access, then ignored. */
async function findWebsite(
  { linkId, websiteId, organizationId }: Selectors,
  caller: Caller,
  { documents, findLink }: Ports,
): Promise<{ readonly websiteId: string; readonly organizationId: string }> {
  const own = organizationOf(caller);
  requireOrganization(organizationId, caller);
  if (linkId !== undefined) await linkReach(linkId, caller, { documents, findLink });
  if (websiteId !== undefined) {
    const website = await requireWebsite(documents, caller, websiteId);
    return { websiteId: website.id, organizationId: website.organizationId };
  }
  if (linkId !== undefined) {
    throw new ApiError('MISSING_WEBSITE_ID', {
      text: 'A custom query runs over a website: name it with website_id, and the link by link_id in the SQL.',
    });
  }
  const websites = await accessibleWebsites(documents, caller);
  const [only] = websites;
  if (only === undefined || websites.length > 1) {
    throw new ApiError('MISSING_WEBSITE_ID', {
      text: `Name the website with website_id: this caller reaches ${websites.length} websites; GET /v1/query/websites lists them.`,
    });
  }
  return { websiteId: only.id, organizationId: own };
}
