/** Takes a custom query from the wire to its rows: body and dates checked at once, the website found, the query run. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { accessibleWebsites, requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { SandboxResult } from '../../shared/storage/duckdb/sandbox-engine.ts';
import { createFaults, type Faults } from '../stages/faults.ts';
import type { QueryString } from '../stages/request-schema.ts';
import { shown } from '../stages/shown.ts';
import { createZone, isZoneName, type Zone } from '../time/zone.ts';
import type { CustomQuery, CustomSql } from './custom-sql.ts';
import { type DateField, readRange } from './date-range.ts';
import { type CustomBody, customBodySchema } from './request-schema.ts';
import { structuredSql } from './structured-sql.ts';

export interface CustomCall {
  readonly body: unknown;
  readonly query: QueryString;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

export interface CustomAnswer {
  readonly result: SandboxResult;
  readonly executionTimeMs: number;
}

interface Ports {
  readonly documents: DocumentStore;
  readonly clock: Clock;
  readonly customSql: CustomSql;
}

/** @throws ApiError of the contract: faults of the request first, then access, then those of the query */
export async function answerCustomQuery(call: CustomCall, ports: Ports): Promise<CustomAnswer> {
  const parsed = parse(call.body, call.query);
  const { websiteId, organizationId } = await findWebsite(call, ports.documents);
  const startedAt = ports.clock.now();
  const result = await ports.customSql.run({ ...parsed, websiteId, organizationId }, call.signal);
  return { result, executionTimeMs: Math.max(0, ports.clock.now() - startedAt) };
}

type ParsedQuery = Omit<CustomQuery, 'websiteId' | 'organizationId'>;

function parse(body: unknown, query: QueryString): ParsedQuery {
  const faults = createFaults();
  const checked = customBodySchema.safeParse(body);
  if (!checked.success) {
    faults.addIssues(checked.error.issues, '');
    faults.throwIfAny();
  }
  const request = checked.data as CustomBody;
  const zone = readZone(request.timezone ?? query.timezone, faults);
  const start = dateField(request.startDate, 'startDate', query.start_date ?? query.startDate, 'start_date');
  const end = dateField(request.endDate, 'endDate', query.end_date ?? query.endDate, 'end_date');
  const range = readRange(start, end, zone, faults);
  const structured = request.query && structuredSql(request.query, faults);
  faults.throwIfAny();
  return {
    ...range,
    sql: structured?.sql ?? request.sql ?? '',
    params: structured?.params ?? request.params ?? {},
    limit: request.limit ?? null,
  };
}

function readZone(name: string | undefined, faults: Faults): Zone {
  if (name === undefined || isZoneName(name)) return createZone(name ?? 'UTC');
  faults.add('timezone', `${shown(name)} is no IANA time zone such as Europe/Berlin.`);
  return createZone('UTC');
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

/** The named website, or the only one of the caller. A second selector is checked for access, then ignored. */
async function findWebsite(
  { query, caller }: CustomCall,
  documents: DocumentStore,
): Promise<{ readonly websiteId: string; readonly organizationId: string }> {
  const organizationId = organizationOf(caller);
  const named = query.organization_id ?? query.organizationId;
  if (named !== undefined && (named !== organizationId || caller.access.level !== 'global')) {
    throw new ApiError('ACCESS_DENIED', {
      text: `The organization ${shown(named)} is not accessible to this caller.`,
    });
  }
  const websiteId = query.website_id ?? query.websiteId;
  if (websiteId !== undefined) {
    const website = await requireWebsite(documents, caller, websiteId);
    return { websiteId: website.id, organizationId: website.organizationId };
  }
  const websites = await accessibleWebsites(documents, caller);
  const [only] = websites;
  if (only === undefined || websites.length > 1) {
    throw new ApiError('MISSING_WEBSITE_ID', {
      text: `Name the website with website_id in the query string: this caller reaches ${websites.length} websites; GET /v1/query/websites lists them.`,
    });
  }
  return { websiteId: only.id, organizationId: only.organizationId };
}
