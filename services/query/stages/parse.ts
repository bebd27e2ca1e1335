/** Stage 1: turns what came over the wire into a checked call, or reports every fault at once. */

import type { GrantedCaller } from '../../shared/access/grant.ts';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import type { QueryParameters } from '../../shared/http/query-string.ts';
import { tooLong } from '../../shared/text/faulty-text.ts';
import type { ArgumentValues } from '../catalogue/arguments.ts';
import { DATASETS_BY_NAME } from '../datasets/index.ts';
import type { Granularity, TimeRange } from '../time/buckets.ts';
import type { CompareWith } from '../time/comparison.ts';
import { presetRange } from '../time/presets.ts';
import type { Zone } from '../time/zone.ts';
import { readArguments } from './dataset-arguments.ts';
import { createFaults, type Faults, fieldIn } from './faults.ts';
import type { RequestedFilter } from './filter-groups.ts';
import { MAX_FILTERS } from './filter-schema.ts';
import { type Named, namesOf, readNames, type Selectors, selectorsOf, winnerOf } from './names.ts';
import { NO_RANGE, parseRange, readDate } from './parse-range.ts';
import { type QueryDates, readQueryDates } from './query-dates.ts';
import { MAX_PARTS, type QueryRequest, REQUEST_NAMES, requestSchema } from './request-schema.ts';
import { requireScopes } from './require-scopes.ts';
import { createZones } from './zones.ts';

/** One requested dataset, with its range and granularity. */
export interface RequestedDataset {
  readonly name: string;
  readonly id?: string;
  readonly range: TimeRange;
  /** The range starts with the day of the first event, which is not known yet. */
  readonly startsAtFirstEvent?: true;
  /** Whether it names dates of its own. */
  readonly hasOwnDates: boolean;
  readonly granularity: Granularity;
  readonly arguments: ArgumentValues;
}

/** One request object, checked. */
export interface ParsedRequest {
  readonly id?: string;
  readonly selectors: Selectors;
  readonly zone: Zone;
  readonly parameters: readonly RequestedDataset[];
  readonly filters: readonly RequestedFilter[];
  readonly limit?: number;
  readonly page: number;
  readonly sortBy?: string;
  readonly sortOrder?: 'asc' | 'desc';
  /** What rows of a list must have, and the columns that are searched; absent: all texts. */
  readonly search?: { readonly text: string; readonly columns?: readonly string[] };
  readonly groupBy: readonly string[];
  /** Whether the request is about all time, by its preset. */
  readonly isOfAllTime: boolean;
  readonly compare?: CompareWith;
}

export interface ParsedCall {
  readonly isBatch: boolean;
  readonly requests: readonly ParsedRequest[];
}

/** The request, and its caller. */
export interface CallInput {
  readonly body: unknown;
  readonly query: QueryParameters;
  readonly caller: GrantedCaller;
}

export interface ParseInput extends CallInput {
  readonly now: number;
  /** Faults found before. */
  readonly faults?: Faults;
}

/**
 * @throws ApiError VALIDATION_ERROR with every fault, or INVALID_DATE_RANGE when all of them are impossible dates;
 * before those INSUFFICIENT_SCOPE when the caller may not query what is named.
 */
export function parseCall({ body, query, caller, now, faults = createFaults() }: ParseInput): ParsedCall {
  const isBatch = Array.isArray(body);
  const elements: unknown[] = isBatch ? body.slice(0, MAX_PARTS) : [body];
  const common = readNames(query, '', faults);
  const named = elements.map((element, index) => {
    const prefix = isBatch ? `[${index}]` : '';
    return { element, prefix, names: namesOf(element, common, prefix, faults) };
  });
  // A faulty name has no effect here: it is refused below.
  if (faults.isEmpty()) {
    const asked = named.map(({ names, prefix }) => ({ selector: winnerOf(selectorsOf(names)), prefix }));
    requireScopes(caller, asked);
  }
  const dates = readQueryDates(query, faults);
  if (isBatch && (body.length < 1 || body.length > MAX_PARTS)) {
    faults.add('body', `A batch holds 1 to ${MAX_PARTS} request objects, not ${body.length}.`);
    faults.throwIfAny();
  }
  const zoneOf = createZones(faults);
  const requests = named.flatMap(({ element, prefix, names }) =>
    parseRequest(element, { prefix, names, zone: zoneOf(names.timezone), now, dates, faults }),
  );
  faults.throwIfAny();
  return { isBatch, requests };
}

export interface Context {
  readonly prefix: string;
  readonly names: Named;
  readonly zone: Zone;
  readonly now: number;
  readonly dates: QueryDates;
  readonly faults: Faults;
}

/** One request object; without it, `faults` say why. */
export function parseRequest(element: unknown, context: Context): ParsedRequest[] {
  const { faults, prefix } = context;
  if (typeof element !== 'object' || element === null || Array.isArray(element)) {
    faults.add(prefix || 'body', 'Must be an object with parameters and dates.');
    return [];
  }
  const result = requestSchema.safeParse(withShortLists(element, prefix, faults), OUR_WORDING);
  if (!result.success) {
    faults.addIssues(result.error.issues, prefix, REQUEST_NAMES);
    addDateFaultsOfMisshapen(element, context);
    return [];
  }
  const request = result.data;
  return [
    {
      id: request.id,
      selectors: selectorsOf(context.names),
      zone: context.zone,
      parameters: parseParameters(request, context),
      filters: request.filters ?? [],
      limit: request.limit,
      page: request.page ?? 1,
      sortBy: request.sortBy,
      sortOrder: request.sortOrder,
      search: parseSearch(request, context),
      groupBy: request.groupBy === undefined ? [] : [request.groupBy].flat(),
      isOfAllTime: request.preset === 'all',
      compare: parseCompare(request, context),
    },
  ];
}

/** The dates of a request that fails its schema are checked as well, so that nobody has to fix it twice. */
function addDateFaultsOfMisshapen(element: object, context: Context): void {
  for (const name of ['startDate', 'endDate'] as const) {
    const value = (element as Record<string, unknown>)[name];
    if (typeof value === 'string') readDate(value, fieldIn(context.prefix, name), context.faults);
  }
}

function parseCompare({ compare, align }: QueryRequest, context: Context): CompareWith | undefined {
  const { prefix, faults } = context;
  if (compare === undefined) {
    if (align !== undefined) faults.add(fieldIn(prefix, 'align'), 'Only beside compare.');
    return undefined;
  }
  const date = (name: string, text: string) => ({ field: fieldIn(prefix, 'compare', name), text });
  const period =
    typeof compare === 'string'
      ? compare
      : parseRange(date('startDate', compare.startDate), date('endDate', compare.endDate), context);
  return { period, align: align ?? 'date' };
}

function parseSearch(
  { search, searchIn }: QueryRequest,
  { prefix, faults }: Context,
): ParsedRequest['search'] {
  if (search !== undefined) return { text: search, columns: searchIn };
  if (searchIn !== undefined) faults.add(fieldIn(prefix, 'searchIn'), 'Only beside search.');
  return undefined;
}

function parseParameters(request: QueryRequest, context: Context): RequestedDataset[] {
  const { prefix, zone, now, dates } = context;
  const preset = request.preset && presetRange(request.preset, zone, now);
  const start = dateField(request.startDate, fieldIn(prefix, 'startDate'), dates.start, 'start_date');
  const end = dateField(request.endDate, fieldIn(prefix, 'endDate'), dates.end, 'end_date');
  const own = {
    from: preset ? preset.from : start,
    to: preset ? preset.to : end,
  };
  const ranges = new Map<string, TimeRange>();
  return request.parameters.map((parameter, index) => {
    const fields =
      typeof parameter === 'string' ? { name: parameter } : (parameter as Exclude<typeof parameter, string>);
    const { name, id, startDate, endDate, granularity } = fields;
    const dataset = DATASETS_BY_NAME.get(name);
    const place = fieldIn(prefix, 'parameters', index);
    const given = readArguments({ fields, place, dataset }, context.faults);
    const field = (key: string) => fieldIn(place, key);
    const from = startDate === undefined ? own.from : { field: field('startDate'), text: startDate };
    const to = endDate === undefined ? own.to : { field: field('endDate'), text: endDate };
    // Datasets with a fixed range need no dates; given ones are checked all the same.
    const isOwn = dataset?.fixedRange !== undefined;
    if (isOwn && from === undefined && to === undefined)
      return { name, id, range: NO_RANGE, hasOwnDates: false, granularity: 'daily', arguments: given };
    const key = `${startDate ?? ''}|${endDate ?? ''}`;
    const range = ranges.get(key) ?? parseRange(from, to, context);
    ranges.set(key, range);
    const hasOwnDates = startDate !== undefined || endDate !== undefined;
    const wanted = granularity ?? request.granularity ?? 'daily';
    const parsed = { name, id, range, hasOwnDates, granularity: wanted, arguments: given };
    const startsAtFirstEvent = request.preset === 'all' && startDate === undefined;
    return startsAtFirstEvent ? { ...parsed, startsAtFirstEvent } : parsed;
  });
}

function dateField(text: string | undefined, field: string, fallback: string | undefined, name: string) {
  if (text !== undefined) return { field, text };
  return fallback === undefined ? undefined : { field: name, text: fallback };
}

/** Lists by field: their bound, what they hold, and a valid replacement for one that is too long. */
const LISTS = [
  { field: 'parameters', most: MAX_PARTS, what: 'datasets', instead: ['-'] },
  { field: 'filters', most: MAX_FILTERS, what: 'filters', instead: undefined },
  { field: 'groupBy', most: MAX_PARTS, what: 'dimensions', instead: undefined },
] as const;

/** The request object; too long lists become faults and are replaced, so that other faults are found too. */
function withShortLists(element: object, prefix: string, faults: Faults): object {
  const request: Record<string, unknown> = { ...element };
  for (const { field, most, what, instead } of LISTS) {
    const list = request[field];
    if (!Array.isArray(list) || list.length <= most) continue;
    faults.add(fieldIn(prefix, field), tooLong(what, most, list.length));
    request[field] = instead;
  }
  return request;
}
