/** What a reader of a share may ask: the request of its view, made narrower by the body and never wider. */
import { z } from 'zod';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import type { ViewState } from '../../shared/model/saved-view.ts';
import type { Share } from '../../shared/model/share.ts';
import { ENTRY_TEXTS } from '../catalogue/session-entry.ts';
import { requestOf } from '../saved-views/judge-view-state.ts';
import { columnFilter } from '../stages/column-filters.ts';
import type { Faults } from '../stages/faults.ts';
import type { RequestedFilter, RequestedTest } from '../stages/filter-groups.ts';
import { type ParsedRequest, parseRequest, type RequestedDataset } from '../stages/parse.ts';
import { REQUEST_NAMES, requestSchema } from '../stages/request-schema.ts';
import { shareableDataset } from './shareable-datasets.ts';

/** One request object without selectors, zone and further dimensions: those are the view's. */
export const shareRequestSchema = requestSchema.pick({
  id: true,
  parameters: true,
  startDate: true,
  endDate: true,
  preset: true,
  filters: true,
  granularity: true,
  limit: true,
  page: true,
  sortBy: true,
  sortOrder: true,
});
const FIELDS = Object.keys(shareRequestSchema.shape);

/** What is shown, and of what. */
export interface Shown {
  readonly share: Pick<Share, 'datasets'>;
  readonly state: ViewState;
}

/** Fields that read other events than the one that they keep, or name people. */
const READ_ELSEWHERE: ReadonlySet<string> = new Set([
  ...['entry_path', 'exit_path', 'stack', ...Object.keys(ENTRY_TEXTS)],
  ...['visitor_id', 'anonymous_id', 'session_id', 'profile_id'],
]);

/**
 * The request that is answered: the view's filters and the reader's, within the view's range; null with faults. `body`:
 * what the reader sent.
 */
export function shareRequest(
  body: unknown,
  { share, state }: Shown,
  now: number,
  faults: Faults,
): ParsedRequest | null {
  const view = requestOf(state, now, faults);
  if (view === null) return null;
  const asked = parseAsked(body, state, view, now, faults);
  if (asked === null || !faults.isEmpty()) return null;
  requireDatasets(asked.parameters, share, faults);
  requireRange(asked.parameters, view, faults);
  requireFields(asked.filters, share, faults);
  return { ...asked, filters: [...view.filters, ...asked.filters], groupBy: [] };
}

function parseAsked(
  body: unknown,
  { preset, startDate, endDate, granularity }: ViewState,
  { zone }: ParsedRequest,
  now: number,
  faults: Faults,
): ParsedRequest | null {
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  if (isObject) addUnknown(body, faults);
  // What the view says where the reader says nothing; what is no object is a fault of the parser.
  const own = isObject ? (body as Readonly<Record<string, unknown>>) : {};
  const isRanged = ['preset', 'startDate', 'endDate'].some((name) => own[name] !== undefined);
  const given = isObject
    ? { granularity, ...(isRanged ? {} : { preset, startDate, endDate }), ...withoutUndefined(own) }
    : body;
  const [asked] = parseRequest(given, { prefix: '', names: {}, zone, now, dates: {}, faults });
  return asked ?? null;
}

/** Names that a query takes and a share does not: the parser would let them pass. */
function addUnknown(body: object, faults: Faults): void {
  const names = z.strictObject(Object.fromEntries(FIELDS.map((name) => [name, z.unknown().optional()])));
  const result = names.safeParse(body, OUR_WORDING);
  if (!result.success) faults.addIssues(result.error.issues, '', { ...REQUEST_NAMES, '': FIELDS });
}

function requireDatasets(
  parameters: readonly RequestedDataset[],
  { datasets }: Shown['share'],
  faults: Faults,
): void {
  const allowed = new Set(datasets.map((name) => shareableDataset(name)?.names[0]));
  for (const [index, { name, arguments: given }] of parameters.entries()) {
    const place = `parameters[${index}]`;
    const main = shareableDataset(name)?.names[0];
    if (main === undefined || !allowed.has(main)) {
      faults.add(place, `"${name}" is no dataset of this share. Allowed: ${datasets.join(', ')}.`);
    }
    // Such as the goal of a list of sessions, which is not shared.
    for (const argument of Object.keys(given)) faults.add(`${place}.${argument}`, 'Not for shares.');
  }
}

/**
 * Whether a view asks for its whole range alone: one that keeps whole sessions or visitors, or reads their first or last page
 * or what they came by, asks all of its range for that, and in a part of it others would match.
 */
export function asksForWhole({ filters }: ParsedRequest): boolean {
  return testsIn(filters).some(({ of, field }) => of !== 'event' || READ_ELSEWHERE.has(field));
}

/** Within the view's range. */
function requireRange(parameters: readonly RequestedDataset[], view: ParsedRequest, faults: Faults): void {
  const whole = view.parameters[0]?.range ?? { from: 0, to: 0 };
  const isFixed = asksForWhole(view);
  for (const { range } of parameters) {
    const isWithin = isFixed
      ? range.from === whole.from && range.to === whole.to
      : range.from >= whole.from && range.to <= whole.to;
    if (isWithin) continue;
    const from = new Date(whole.from).toISOString();
    const to = new Date(whole.to).toISOString();
    const allowed = isFixed
      ? 'this range itself: its filters look at all of it'
      : 'this range or a part of it';
    faults.addDate('startDate', `This share shows ${from} up to ${to}. Allowed: ${allowed}.`);
  }
}

/** Only by what the datasets of the share show: a filter on anything else would tell of it by what it keeps. */
function requireFields(
  filters: readonly RequestedFilter[],
  { datasets }: Shown['share'],
  faults: Faults,
): void {
  const allowed = shownFields(datasets);
  for (const { field, of } of testsIn(filters)) {
    if (of !== 'event') faults.add('filters', `Filters of a share keep events; "of: ${of}" is not for them.`);
    if (allowed.has(field)) continue;
    const fields = [...allowed].join(', ') || 'none';
    faults.add(
      'filters',
      `The datasets of this share do not show ${JSON.stringify(field)}. Allowed: ${fields}.`,
    );
  }
}

/** The fields by which rows of these datasets filter back. */
export function shownFields(datasets: readonly string[]): ReadonlySet<string> {
  const fields = datasets.flatMap((name) => {
    const dataset = shareableDataset(name);
    if (dataset === undefined) return [];
    return dataset.columns.flatMap((column) => {
      const filter = columnFilter(column, dataset);
      return filter === undefined || filter.of !== undefined ? [] : [filter.field];
    });
  });
  return new Set(fields.filter((field) => !READ_ELSEWHERE.has(field) && !field.startsWith('properties.')));
}

/** The single filters of all groups. */
function testsIn(filters: readonly RequestedFilter[]): RequestedTest[] {
  return filters.flatMap((filter) => {
    if ('field' in filter) return [filter];
    if ('not' in filter) return testsIn([filter.not]);
    return testsIn('any' in filter ? filter.any : filter.all);
  });
}

function withoutUndefined(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
