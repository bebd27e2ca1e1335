/** The first step of every ingest route: parses the events of a body, or reports every fault of all of them at once. */
import type { z } from 'zod';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import { validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import { FURTHEST_AHEAD_MS, toInstant } from './instant.ts';
import { misnamedFields } from './meant-names.ts';
import { WEBSITE_ALIAS, websiteNameFaults } from './website-names.ts';
import { readQuickly, wireEventSchema } from './wire-event.ts';
import { received } from './wire-fields.ts';

/** Most events of one request. */
export const LARGEST_LIST = 100;

/** The name in `details[].field` before the index of an element, on every route. */
export const LIST_NAME = 'events';

/** How a route reads one element of its body. */
export interface EventReader<T> {
  /** The shape of an element, which may depend on its contents. */
  schemaOf(element: unknown): z.ZodType<T>;
  /** Aliases: the field by its other accepted name. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** For each invalid field of an element, its probably intended value. */
  suggestionsOf?(element: unknown): Readonly<Record<string, string>>;
  /** `one`: the route takes no array. */
  readonly takes?: 'one';
}

/** Reads every element by the same shape. */
export function readBy<T>(schema: z.ZodType<T>, aliases?: Readonly<Record<string, string>>): EventReader<T> {
  return { schemaOf: () => schema, ...(aliases ? { aliases } : {}) };
}

/**
 * The events of `body`, one or an array of 1..100; `now` in milliseconds since the epoch.
 * @throws ApiError VALIDATION_ERROR with every fault
 */
export function validateEvents<T>(body: unknown, reader: EventReader<T>, now: number): T[] {
  const allowed = reader.takes === 'one' ? 'one object' : `an event or an array of 1..${LARGEST_LIST} events`;
  if (!Array.isArray(body)) {
    if (typeof body !== 'object' || body === null) {
      throw validationError([{ field: 'body', message: `Expected ${allowed}, received ${received(body)}.` }]);
    }
    return settle([quickOne(body, reader, now) ?? validateOne(body, reader, '', now)]);
  }
  if (reader.takes === 'one') {
    throw validationError([{ field: 'body', message: `Expected ${allowed}, received an array.` }]);
  }
  if (body.length < 1 || body.length > LARGEST_LIST) {
    const message = `Expected 1..${LARGEST_LIST} events, received ${body.length}.`;
    throw validationError([{ field: LIST_NAME, message }]);
  }
  return settle(
    body.map(
      (element: unknown, i): Outcome<T> =>
        quickOne(element, reader, now) ?? validateOne(element, reader, `${LIST_NAME}[${i}]`, now),
    ),
  );
}

type Outcome<T> = { readonly event: T } | { readonly faults: readonly ErrorDetail[] };

function settle<T>(outcomes: readonly Outcome<T>[]): T[] {
  const events: T[] = [];
  const faults: ErrorDetail[] = [];
  for (const outcome of outcomes) {
    if ('event' in outcome) events.push(outcome.event);
    else faults.push(...outcome.faults);
  }
  if (faults.length > 0) throw validationError(faults);
  return events;
}

/** The outcome for an event that is plainly sound; null for any other. */
function quickOne<T>(element: unknown, reader: EventReader<T>, now: number): Outcome<T> | null {
  if (typeof element !== 'object' || element === null || Array.isArray(element)) return null;
  const event = readQuickly(reader.schemaOf(element), element);
  return event === null || validateNotAhead(event, '', now).length > 0 ? null : { event };
}

function validateOne<T>(element: unknown, reader: EventReader<T>, prefix: string, now: number): Outcome<T> {
  const { value, used } = withoutAliases(element, aliasesFor(element, reader));
  const result = reader.schemaOf(value).safeParse(value, OUR_WORDING);
  const issues = result.success ? [] : result.error.issues;
  const asNamed = issues.map((issue) => {
    const [first, ...rest] = issue.path;
    const alias = used.get(first);
    return alias === undefined ? issue : { ...issue, path: [alias, ...rest] };
  });
  const suggestions = result.success ? {} : (reader.suggestionsOf?.(value) ?? {});
  const faults = [
    ...misnamedFields(value, missingFields(value, issues), KNOWN_FIELDS, prefix),
    ...asNamed.flatMap((issue) =>
      zodDetails([issue], prefix).map((detail) => withSuggestion(detail, issue, suggestions)),
    ),
    ...validateNotAhead(value, prefix, now),
    ...websiteNameFaults(element, prefix),
  ];
  return result.success && faults.length === 0 ? { event: result.data } : { faults };
}

/** Fields with a meaning on some route. */
const KNOWN_FIELDS: ReadonlySet<string> = new Set([...Object.keys(wireEventSchema.shape), 'type', 'traits']);

/** The fields that are invalid because they are absent; null is absent. */
function missingFields(element: unknown, issues: readonly z.core.$ZodIssue[]): PropertyKey[] {
  if (typeof element !== 'object' || element === null) return [];
  const given = element as Readonly<Record<PropertyKey, unknown>>;
  return issues.flatMap(({ path: [field, ...rest] }) =>
    field !== undefined && rest.length === 0 && (given[field] ?? null) === null ? [field] : [],
  );
}

function withSuggestion(
  detail: ErrorDetail,
  { path }: z.core.$ZodIssue,
  suggestions: Readonly<Record<string, string>>,
): ErrorDetail {
  const [field] = path;
  if (path.length !== 1 || typeof field !== 'string' || !Object.hasOwn(suggestions, field)) return detail;
  return { ...detail, suggestion: suggestions[field] };
}

/** The aliases that apply to an element: those of the route, and the website's if it is present. */
function aliasesFor(element: unknown, { aliases }: EventReader<unknown>): EventReader<unknown>['aliases'] {
  if (typeof element !== 'object' || element === null || !(WEBSITE_ALIAS in element)) return aliases;
  return { ...aliases, websiteId: WEBSITE_ALIAS };
}

/** The element with aliased fields under their own names, and the list of those. */
function withoutAliases(element: unknown, aliases: EventReader<unknown>['aliases']) {
  const used = new Map<PropertyKey | undefined, string>();
  if (aliases === undefined || typeof element !== 'object' || element === null || Array.isArray(element)) {
    return { value: element, used };
  }
  const given: Readonly<Record<string, unknown>> = { ...element };
  const value: Record<string, unknown> = { ...element };
  for (const [field, alias] of Object.entries(aliases)) {
    if ((given[field] ?? null) !== null || (given[alias] ?? null) === null) continue;
    value[field] = given[alias];
    delete value[alias];
    used.set(field, alias);
  }
  return { value, used };
}

/** An instant too far in the future: the one fault that no schema can detect. */
function validateNotAhead(element: unknown, prefix: string, now: number): ErrorDetail[] {
  if (typeof element !== 'object' || element === null || !('timestamp' in element)) return [];
  const instant = toInstant(element.timestamp);
  if (instant === null || instant <= now + FURTHEST_AHEAD_MS) return [];
  return [
    {
      field: prefix === '' ? 'timestamp' : `${prefix}.timestamp`,
      message: `Expected at most an hour from now, ${new Date(now).toISOString()}; received ${JSON.stringify(element.timestamp).slice(0, 60)}.`,
    },
  ];
}
