/**
 * Parses bodies by their schemas, the same for all resources: every fault at once, unknown fields with the nearest known
 * one.
 */
import { z } from 'zod';
import type { ErrorDetail } from '../shared/errors/api-error.ts';
import { OUR_WORDING } from '../shared/errors/issue-wording.ts';
import { nearestField } from '../shared/errors/nearest-name.ts';
import { validationError, zodDetails } from '../shared/errors/zod-details.ts';

/** The input and its faults; without faults, `data` is what the schema parsed. */
export interface JudgedFields<T> {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly data: T | null;
  readonly faults: ErrorDetail[];
}

/** Every own name in the input: a record schema would drop `__proto__`, but unknown names must be refused, not dropped. */
const fieldsSchema = z.custom<Readonly<Record<string, unknown>>>(
  (asked) => typeof asked === 'object' && asked !== null && !Array.isArray(asked),
);

/** Parses `asked` by `schema`. @throws ApiError VALIDATION_ERROR with every fault at once */
export function parseFields<T>(schema: z.ZodObject & z.ZodType<T>, asked: unknown): T {
  const { data, faults } = judgeFields(schema, asked);
  if (data === null) throw validationError(faults);
  return data;
}

/** The input and its faults, for callers that find further faults. */
export function judgeFields<T>(schema: z.ZodObject & z.ZodType<T>, asked: unknown): JudgedFields<T> {
  const fields = fieldsSchema.safeParse(asked);
  if (!fields.success) {
    return { fields: {}, data: null, faults: [{ field: 'body', message: 'Allowed: a JSON object.' }] };
  }
  const parsed = schema.safeParse(fields.data, OUR_WORDING);
  if (parsed.success) return { fields: fields.data, data: parsed.data, faults: [] };
  const known = Object.keys(schema.shape);
  const faults = zodDetails(parsed.error.issues).map((fault) => worded(fault, { fields: known }));
  return { fields: fields.data, data: null, faults };
}

export interface JudgeOptions {
  /** Fields that a body may have, for suggestions. */
  readonly fields: readonly string[];
  /** Fields that are shown and cannot be written. */
  readonly readOnly?: readonly string[];
  /** Faults found elsewhere. */
  readonly faults?: readonly ErrorDetail[];
}

/**
 * Parses `asked` by `schema`, with read-only names and faults found elsewhere.
 * @throws ApiError VALIDATION_ERROR with every fault at once
 */
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
  const suggestion = nearestField(detail.field, fields);
  return suggestion === undefined ? detail : { ...detail, suggestion };
}
