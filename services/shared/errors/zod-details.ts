/** Translates zod issues into the `details` of a VALIDATION_ERROR, so that every schema speaks one language. */
import { z } from 'zod';
import { ApiError, type ErrorDetail } from './api-error.ts';
import { OUR_WORDING } from './issue-wording.ts';
import { nearestField } from './nearest-name.ts';

/** The text about a field that does not exist, before a near name is known. */
const UNKNOWN_FIELD = 'Unknown field.';

/** How many faults get the nearest name: a query string may hold thousands of names, and comparing takes time. */
const MOST_SUGGESTED = 10;

/** `['events', 2, 'name']` → `events[2].name`. */
export function fieldPath(path: readonly PropertyKey[], prefix = ''): string {
  let text = prefix;
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? String(step) : `.${String(step)}`;
  }
  return text;
}

/** Every issue as a detail; each unrecognized key gets its own. `prefix` precedes each field. */
export function zodDetails(issues: readonly z.core.$ZodIssue[], prefix = ''): ErrorDetail[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: fieldPath([...issue.path, key], prefix),
        message: UNKNOWN_FIELD,
      }));
    }
    return [{ field: fieldPath(issue.path, prefix) || 'body', message: issue.message }];
  });
}

/** Parses `value` by `schema`, or throws a VALIDATION_ERROR that carries every fault at once. */
export function parseOrThrow<T>(schema: z.ZodType<T>, value: unknown, prefix = ''): T {
  const result = schema.safeParse(value, OUR_WORDING);
  if (result.success) return result.data;
  const known = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const details = zodDetails(result.error.issues, prefix).map((detail, listed) => {
    if (detail.message !== UNKNOWN_FIELD || listed >= MOST_SUGGESTED) return detail;
    const suggestion = nearestField(detail.field, known);
    return suggestion === undefined ? detail : { ...detail, suggestion };
  });
  throw validationError(details);
}

/** A VALIDATION_ERROR whose text repeats its first fault. */
export function validationError(faults: readonly ErrorDetail[]): ApiError {
  const details = faults.map(withNearest);
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new ApiError('VALIDATION_ERROR', {
    text: first ? `${first.field}: ${first.message}${more}` : undefined,
    details,
  });
}

/** A suggestion for an unknown field also stands in the text, since many clients show only the text. */
function withNearest(detail: ErrorDetail): ErrorDetail {
  if (detail.message !== UNKNOWN_FIELD || detail.suggestion === undefined) return detail;
  return { ...detail, message: `Unknown field; did you mean "${detail.suggestion}"?` };
}
