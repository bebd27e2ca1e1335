/** Judges the fields of a body by a schema in one language for all resources: unknown fields get the nearest known one. */
import { z } from 'zod';
import type { ErrorDetail } from '../shared/errors/api-error.ts';
import { OUR_WORDING } from '../shared/errors/issue-wording.ts';
import { nearestName } from '../shared/errors/nearest-name.ts';
import { validationError, zodDetails } from '../shared/errors/zod-details.ts';

/** What came and what is wrong with it; without faults, `data` is what the schema made of it. */
export interface JudgedFields<T> {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly data: T | null;
  readonly faults: ErrorDetail[];
}

/** Every own name as it came: a record schema would drop `__proto__`, and what is unknown is refused, not dropped. */
const fieldsSchema = z.custom<Readonly<Record<string, unknown>>>(
  (asked) => typeof asked === 'object' && asked !== null && !Array.isArray(asked),
);

/** @throws ApiError VALIDATION_ERROR only for what is no JSON object */
export function judgeFields<T>(schema: z.ZodObject & z.ZodType<T>, asked: unknown): JudgedFields<T> {
  const fields = fieldsSchema.safeParse(asked);
  if (!fields.success) throw validationError([{ field: 'body', message: 'Allowed: a JSON object.' }]);
  const parsed = schema.safeParse(fields.data, OUR_WORDING);
  if (parsed.success) return { fields: fields.data, data: parsed.data, faults: [] };
  const known = Object.keys(schema.shape);
  const faults = zodDetails(parsed.error.issues).map((fault) => {
    const suggestion = fault.message === 'Unknown field.' ? nearestName(fault.field, known) : undefined;
    return suggestion === undefined ? fault : { ...fault, suggestion };
  });
  return { fields: fields.data, data: null, faults };
}
