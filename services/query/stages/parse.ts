/** Stage 1: turns what came over the wire into a checked call, or reports every fault at once. */

import type { GrantedCaller } from '../../shared/access/grant.ts';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import type { QueryParameters } from '../../shared/http/query-string.ts';
import { tooLong } from '../../shared/text/faulty-text.ts';
import type { ArgumentValues } from '../catalogue/arguments.ts';
import { DATASETS_BY_NAME } from '../datasets/index.ts';
import type { Granularity, TimeRange } from '../time/buckets.ts';
import { type DateText, readDateText } from '../time/date-text.ts';
import { presetRange } from '../time/presets.ts';
import { DAY_MS, type LocalTime, type Zone } from '../time/zone.ts';
import { readArguments } from './dataset-arguments.ts';
import { createFaults, type Faults, fieldIn } from './faults.ts';
import type { RequestedFilter } from './filter-groups.ts';
import { MAX_FILTERS } from './filter-schema.ts';
import { type Named, namesOf, readNames, type Selectors, selectorsOf, winnerOf } from './names.ts';
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
  readonly groupBy: readonly string[];
  /** Whether the request is about all time, by its preset. */
  readonly isOfAllTime: boolean;
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
      groupBy: request.groupBy === undefined ? [] : [request.groupBy].flat(),
      isOfAllTime: request.preset === 'all',
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

/** A date with the field that it was given in. */
interface DateField {
  readonly field: string;
  readonly text: string;
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
      return { name, id, range: NO_RANGE, granularity: 'daily', arguments: given };
    const key = `${startDate ?? ''}|${endDate ?? ''}`;
    const range = ranges.get(key) ?? parseRange(from, to, context);
    ranges.set(key, range);
    const parsed = {
      name,
      id,
      range,
      granularity: granularity ?? request.granularity ?? 'daily',
      arguments: given,
    };
    const startsAtFirstEvent = request.preset === 'all' && startDate === undefined;
    return startsAtFirstEvent ? { ...parsed, startsAtFirstEvent } : parsed;
  });
}

function dateField(text: string | undefined, field: string, fallback: string | undefined, name: string) {
  if (text !== undefined) return { field, text };
  return fallback === undefined ? undefined : { field: name, text: fallback };
}

/** For a dataset without dates. */
const NO_RANGE: TimeRange = { from: 0, to: 0 };

/** A bound is an instant (from a preset), a date with its field, or missing. */
type Bound = number | DateField | undefined;

function parseRange(start: Bound, end: Bound, context: Context): TimeRange {
  const { prefix, faults, zone } = context;
  for (const [bound, name] of [
    [start, 'startDate'],
    [end, 'endDate'],
  ] as const) {
    if (bound !== undefined) continue;
    faults.add(fieldIn(prefix, name), 'Required: give startDate and endDate, or a preset.');
  }
  const from = startInstant(start, zone, faults);
  const to = endInstants(end, zone, faults);
  if (from === null || to === null) return NO_RANGE;
  if (from > to.last) {
    const field = typeof start === 'object' ? start.field : fieldIn(prefix, 'startDate');
    faults.addDate(field, `The start ${boundText(start)} lies after the end ${boundText(end)}.`);
  }
  return { from, to: to.end };
}

function boundText(bound: Bound): string {
  return typeof bound === 'object' ? bound.text : 'of the preset';
}

function startInstant(bound: Bound, zone: Zone, faults: Faults): number | null {
  if (typeof bound !== 'object') return bound ?? null;
  const date = readDate(bound.text, bound.field, faults);
  if (date === null) return null;
  return date.kind === 'instant' ? date.instant : zone.instantOf(date.local);
}

/** `end`: the first instant after the range; `last`: the latest start that is not after the end. */
interface EndInstants {
  readonly end: number;
  readonly last: number;
}

function endInstants(bound: Bound, zone: Zone, faults: Faults): EndInstants | null {
  if (bound === undefined) return null;
  if (typeof bound === 'number') return { end: bound, last: bound - 1 };
  const date = readDate(bound.text, bound.field, faults);
  if (date === null) return null;
  if (date.kind === 'day') {
    const end = endOfDay(zone, date.local);
    // A day that the zone skipped is empty; it does not make a start on that day late.
    return { end, last: Math.max(end - 1, zone.instantOf(date.local)) };
  }
  const end = date.kind === 'instant' ? date.instant : zone.instantOf(date.local);
  return { end, last: end };
}

function endOfDay(zone: Zone, day: LocalTime): number {
  return zone.instantOf(day + DAY_MS);
}

type RealDate = Exclude<DateText, { kind: 'malformed' | 'impossible' }>;

function readDate(text: string, field: string, faults: Faults): RealDate | null {
  const date = readDateText(text);
  switch (date.kind) {
    case 'malformed':
      faults.add(field, date.message);
      return null;
    case 'impossible':
      faults.addDate(field, date.message);
      return null;
    default:
      return date;
  }
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
