/** The first step of every ingest route: the events of a body, or every fault of every one of them at once. */
import type { z } from 'zod';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import { FURTHEST_AHEAD_MS, toInstant } from './instant.ts';

/** Most events of one request. */
export const LARGEST_LIST = 100;

/** Where the faults of a request lie, and what its instants are measured by. */
export interface ValidationContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Stands in `details[].field` before the number of an element. */
  readonly arrayName: string;
}

/** The events of `body`, one or an array of 1..100. @throws ApiError VALIDATION_ERROR with every fault */
export function validateEvents<T>(body: unknown, schema: z.ZodType<T>, context: ValidationContext): T[] {
  const { now, arrayName } = context;
  if (!Array.isArray(body)) {
    if (typeof body !== 'object' || body === null) {
      throw validationError([
        { field: 'body', message: `Expected an event or an array of 1..${LARGEST_LIST} events.` },
      ]);
    }
    return settle([validateOne(body, schema, '', now)]);
  }
  if (body.length < 1 || body.length > LARGEST_LIST) {
    const message = `Expected 1..${LARGEST_LIST} events, received ${body.length}.`;
    throw validationError([{ field: arrayName, message }]);
  }
  return settle(body.map((element: unknown, i) => validateOne(element, schema, `${arrayName}[${i}]`, now)));
}

type Outcome<T> = { readonly event: T } | { readonly faults: readonly ErrorDetail[] };

function settle<T>(outcomes: readonly Outcome<T>[]): T[] {
  const faults = outcomes.flatMap((outcome) => ('faults' in outcome ? outcome.faults : []));
  if (faults.length > 0) throw validationError(faults);
  return outcomes.flatMap((outcome) => ('event' in outcome ? [outcome.event] : []));
}

function validateOne<T>(element: unknown, schema: z.ZodType<T>, prefix: string, now: number): Outcome<T> {
  const result = schema.safeParse(element);
  const faults = [
    ...(result.success ? [] : zodDetails(result.error.issues, prefix)),
    ...validateNotAhead(element, prefix, now),
  ];
  return result.success && faults.length === 0 ? { event: result.data } : { faults };
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
