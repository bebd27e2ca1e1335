/** Translates zod issues into the `details` of a VALIDATION_ERROR, so that every schema speaks one language. */
import type { z } from 'zod';
import { ApiError, type ErrorDetail } from './api-error.ts';
import { OUR_WORDING } from './issue-wording.ts';

/** `['events', 2, 'name']` → `events[2].name`. */
export function fieldPath(path: readonly PropertyKey[], prefix = ''): string {
  let text = prefix;
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? String(step) : `.${String(step)}`;
  }
  return text;
}

/** Every issue as a detail; unrecognized keys get one detail each. `prefix` stands before each field. */
export function zodDetails(issues: readonly z.core.$ZodIssue[], prefix = ''): ErrorDetail[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({
        field: fieldPath([...issue.path, key], prefix),
        message: 'Unknown field.',
      }));
    }
    return [{ field: fieldPath(issue.path, prefix) || 'body', message: issue.message }];
  });
}

/** `value` through `schema`, or a VALIDATION_ERROR that carries every fault at once. */
export function parseOrThrow<T>(schema: z.ZodType<T>, value: unknown, prefix = ''): T {
  const result = schema.safeParse(value, OUR_WORDING);
  if (result.success) return result.data;
  const details = zodDetails(result.error.issues, prefix);
  throw validationError(details);
}

/** A VALIDATION_ERROR whose text repeats its first fault. */
export function validationError(details: readonly ErrorDetail[]): ApiError {
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  return new ApiError('VALIDATION_ERROR', {
    text: first ? `${first.field}: ${first.message}${more}` : undefined,
    details,
  });
}
