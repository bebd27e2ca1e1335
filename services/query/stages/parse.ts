/** Stage 1: what came over the wire becomes a checked call, or every fault of it at once. */

import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import { DATASETS_BY_NAME } from '../datasets/index.ts';
import type { Granularity, TimeRange } from '../time/buckets.ts';
import { type DateText, readDateText } from '../time/date-text.ts';
import { presetDays } from '../time/presets.ts';
import { createZone, DAY_MS, isZoneName, type LocalTime, type Zone } from '../time/zone.ts';
import { createFaults, type Faults, fieldIn } from './faults.ts';
import { withShortLists } from './list-lengths.ts';
import {
  type FilterOperator,
  MAX_PARTS,
  type QueryRequest,
  type QueryString,
  requestSchema,
} from './request-schema.ts';
import { shown } from './shown.ts';

/** What a call queries, as named by the client; nothing of it is checked for access yet. */
export interface Selectors {
  readonly linkId?: string;
  readonly websiteId?: string;
  readonly organizationId?: string;
}

/** A filter of a request: `field` as the client wrote it, values as text. */
export interface RequestedFilter {
  readonly field: string;
  readonly op: FilterOperator;
  readonly values: readonly string[];
}

/** One dataset that a request asks for, with the range and granularity that hold for it. */
export interface RequestedDataset {
  readonly name: string;
  readonly id?: string;
  readonly range: TimeRange;
  readonly granularity: Granularity;
}

/** One request object, checked. */
export interface ParsedRequest {
  readonly id?: string;
  readonly parameters: readonly RequestedDataset[];
  readonly filters: readonly RequestedFilter[];
  readonly limit?: number;
  readonly page: number;
  readonly sortBy?: string;
  readonly sortOrder?: 'asc' | 'desc';
  readonly groupBy: readonly string[];
}

export interface ParsedCall {
  readonly isBatch: boolean;
  readonly zone: Zone;
  readonly selectors: Selectors;
  readonly requests: readonly ParsedRequest[];
}

/** @throws ApiError VALIDATION_ERROR with every fault, or INVALID_DATE_RANGE when all of them are impossible dates. */
export function parseCall(body: unknown, query: QueryString, now: number): ParsedCall {
  const faults = createFaults();
  const selectors = {
    linkId: oneSpelling(query.link_id, query.linkId, 'link_id', faults),
    websiteId: oneSpelling(query.website_id, query.websiteId, 'website_id', faults),
    organizationId: oneSpelling(query.organization_id, query.organizationId, 'organization_id', faults),
  };
  const zone = parseZone(query.timezone, faults);
  const dates = {
    start: oneSpelling(query.start_date, query.startDate, 'start_date', faults),
    end: oneSpelling(query.end_date, query.endDate, 'end_date', faults),
  };
  const isBatch = Array.isArray(body);
  if (isBatch && (body.length < 1 || body.length > MAX_PARTS)) {
    faults.add('body', `A batch holds 1 to ${MAX_PARTS} request objects, not ${body.length}.`);
    faults.throwIfAny();
  }
  const elements: unknown[] = isBatch ? body : [body];
  const requests = elements.flatMap((element, index) => {
    const context = { prefix: isBatch ? `[${index}]` : '', zone, now, dates, faults };
    return parseRequest(element, context);
  });
  faults.throwIfAny();
  return { isBatch, zone, selectors, requests };
}

interface Context {
  readonly prefix: string;
  readonly zone: Zone;
  readonly now: number;
  /** Dates of the query string: they stand in where the body has none. */
  readonly dates: { readonly start?: string; readonly end?: string };
  readonly faults: Faults;
}

function oneSpelling(snake: string | undefined, camel: string | undefined, name: string, faults: Faults) {
  if (snake !== undefined && camel !== undefined && snake !== camel) {
    faults.add(name, `Came twice with different values: ${shown(snake)} and ${shown(camel)}.`);
  }
  return snake ?? camel;
}

function parseZone(name: string | undefined, faults: Faults): Zone {
  if (name === undefined) return createZone('UTC');
  if (isZoneName(name)) return createZone(name);
  faults.add('timezone', `${shown(name)} is no IANA time zone such as Europe/Berlin.`);
  return createZone('UTC');
}

function parseRequest(element: unknown, context: Context): ParsedRequest[] {
  const { faults, prefix } = context;
  if (typeof element !== 'object' || element === null || Array.isArray(element)) {
    faults.add(prefix || 'body', 'Must be an object with parameters and dates.');
    return [];
  }
  const result = requestSchema.safeParse(withShortLists(element, prefix, faults), OUR_WORDING);
  if (!result.success) {
    faults.addIssues(result.error.issues, prefix);
    addDateFaultsOfMisshapen(element, context);
    return [];
  }
  const request = result.data;
  return [
    {
      id: request.id,
      parameters: parseParameters(request, context),
      filters: (request.filters ?? []).map(({ field, op, value }) => ({
        field,
        op,
        values: (Array.isArray(value) ? value : [value]).map(String),
      })),
      limit: request.limit,
      page: request.page ?? 1,
      sortBy: request.sortBy,
      sortOrder: request.sortOrder,
      groupBy: request.groupBy === undefined ? [] : [request.groupBy].flat(),
    },
  ];
}

/** A request that fails its schema is still told of its dates, so that nobody mends it twice. */
function addDateFaultsOfMisshapen(element: object, context: Context): void {
  for (const name of ['startDate', 'endDate'] as const) {
    const value = (element as Record<string, unknown>)[name];
    if (typeof value === 'string') readDate(value, fieldIn(context.prefix, name), context.faults);
  }
}

/** A date with the field that it came in. */
interface DateField {
  readonly field: string;
  readonly text: string;
}

function parseParameters(request: QueryRequest, context: Context): RequestedDataset[] {
  const { prefix, zone, now, dates } = context;
  const preset = request.preset && presetDays(request.preset, zone.localOf(now));
  const start = dateField(request.startDate, fieldIn(prefix, 'startDate'), dates.start, 'start_date');
  const end = dateField(request.endDate, fieldIn(prefix, 'endDate'), dates.end, 'end_date');
  const own = {
    from: preset ? zone.instantOf(preset.first) : start,
    to: preset ? endOfDay(zone, preset.last) : end,
  };
  const ranges = new Map<string, TimeRange>();
  return request.parameters.map((parameter, index) => {
    const { name, id, startDate, endDate, granularity } =
      typeof parameter === 'string' ? { name: parameter } : (parameter as Exclude<typeof parameter, string>);
    const field = (key: string) => fieldIn(prefix, 'parameters', index, key);
    const from = startDate === undefined ? own.from : { field: field('startDate'), text: startDate };
    const to = endDate === undefined ? own.to : { field: field('endDate'), text: endDate };
    // Datasets of a range of their own need no dates; those that came are checked all the same.
    const isOwn = DATASETS_BY_NAME.get(name)?.fixedRange !== undefined;
    if (isOwn && from === undefined && to === undefined)
      return { name, id, range: NO_RANGE, granularity: 'daily' };
    const key = `${startDate ?? ''}|${endDate ?? ''}`;
    const range = ranges.get(key) ?? parseRange(from, to, context);
    ranges.set(key, range);
    return { name, id, range, granularity: granularity ?? request.granularity ?? 'daily' };
  });
}

function dateField(text: string | undefined, field: string, fallback: string | undefined, name: string) {
  if (text !== undefined) return { field, text };
  return fallback === undefined ? undefined : { field: name, text: fallback };
}

/** Of a dataset that looks at none. */
const NO_RANGE: TimeRange = { from: 0, to: 0 };

/** A bound is an instant (of a preset), a date with its field, or missing. */
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
    // A day that the zone skipped is empty, and yet no start lies after it by being that day.
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
