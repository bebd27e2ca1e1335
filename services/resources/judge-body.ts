/** Judges a body by its schema for handlers that find further faults: every fault at once, unknown fields with the nearest one. */
import type { z } from 'zod';
import type { ErrorDetail } from '../shared/errors/api-error.ts';
import { OUR_WORDING } from '../shared/errors/issue-wording.ts';
import { nearestName } from '../shared/errors/nearest-name.ts';
import { validationError, zodDetails } from '../shared/errors/zod-details.ts';

export interface JudgeOptions {
  /** Fields that a body may hold, for suggestions. */
  readonly fields: readonly string[];
  /** Fields that are shown and cannot be written. */
  readonly readOnly?: readonly string[];
  /** Faults that were found elsewhere. */
  readonly faults?: readonly ErrorDetail[];
}

/** What `asked` says by `schema`. @throws ApiError VALIDATION_ERROR with every fault at once */
export function judgeBody<T>(schema: z.ZodType<T>, asked: unknown, options: JudgeOptions): T {
  const parsed = schema.safeParse(asked, OUR_WORDING);
  const faults = [
    ...(parsed.success ? [] : zodDetails(parsed.error.issues).map((detail) => worded(detail, options))),
    ...(options.faults ?? []),
  ];
  if (parsed.success && faults.length === 0) return parsed.data;
  throw validationError(faults);
}

function worded(detail: ErrorDetail, { fields, readOnly = [] }: JudgeOptions): ErrorDetail {
  if (detail.message !== 'Unknown field.') return detail;
  if (readOnly.includes(detail.field)) {
    return { ...detail, message: `This is read-only. Allowed: ${fields.join(', ')}.` };
  }
  const suggestion = nearestName(detail.field, fields);
  return suggestion === undefined ? detail : { ...detail, suggestion };
}
