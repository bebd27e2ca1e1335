/** The first step of every ingest route: the events of a body, or every fault of every one of them at once. */
import type { z } from 'zod';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { OUR_WORDING } from '../../shared/errors/issue-wording.ts';
import { validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import { FURTHEST_AHEAD_MS, toInstant } from './instant.ts';
import { received } from './wire-fields.ts';

/** Most events of one request. */
export const LARGEST_LIST = 100;

/** Stands in `details[].field` before the number of an element, on every route. */
export const LIST_NAME = 'events';

/** How a route reads one element of its body. */
export interface EventReader<T> {
  /** The shape of an element, which may depend on what it says of itself. */
  schemaOf(element: unknown): z.ZodType<T>;
  /** Other names of fields: the field by the name that is also taken. */
  readonly aliases?: Readonly<Record<string, string>>;
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
    return settle([validateOne(body, reader, '', now)]);
  }
  if (reader.takes === 'one') {
    throw validationError([{ field: 'body', message: `Expected ${allowed}, received an array.` }]);
  }
  if (body.length < 1 || body.length > LARGEST_LIST) {
    const message = `Expected 1..${LARGEST_LIST} events, received ${body.length}.`;
    throw validationError([{ field: LIST_NAME, message }]);
  }
  return settle(body.map((element: unknown, i) => validateOne(element, reader, `${LIST_NAME}[${i}]`, now)));
}

type Outcome<T> = { readonly event: T } | { readonly faults: readonly ErrorDetail[] };

function settle<T>(outcomes: readonly Outcome<T>[]): T[] {
  const faults = outcomes.flatMap((outcome) => ('faults' in outcome ? outcome.faults : []));
  if (faults.length > 0) throw validationError(faults);
  return outcomes.flatMap((outcome) => ('event' in outcome ? [outcome.event] : []));
}

function validateOne<T>(element: unknown, reader: EventReader<T>, prefix: string, now: number): Outcome<T> {
  const { value, used } = withoutAliases(element, reader.aliases);
  const result = reader.schemaOf(value).safeParse(value, OUR_WORDING);
  const issues = result.success ? [] : result.error.issues;
  const asNamed = issues.map((issue) => {
    const [first, ...rest] = issue.path;
    const alias = used.get(first);
    return alias === undefined ? issue : { ...issue, path: [alias, ...rest] };
  });
  const faults = [...zodDetails(asNamed, prefix), ...validateNotAhead(value, prefix, now)];
  return result.success && faults.length === 0 ? { event: result.data } : { faults };
}

/** The element with the fields that came under another name under their own, and which those are. */
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
    used.set(field, alias);
  }
  return { value, used };
}

/** An instant too far in the future: the one fault that no schema can know. */
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
