/** Validates a new or changed short link: every fault at once, in words that say what is allowed. */
import { z } from 'zod';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestField } from '../../shared/errors/nearest-name.ts';
import { validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import type { IsReservedSlug } from './reserved-slugs.ts';
import { linkInputSchema } from './schema.ts';

const FIELDS = Object.keys(linkInputSchema.shape);

/** Parses `asked` by `schema`. @throws ApiError VALIDATION_ERROR with every fault at once */
export function judgeLink<T>(schema: z.ZodType<T>, asked: unknown, isReserved: IsReservedSlug): T {
  const fields = z.record(z.string(), z.unknown()).safeParse(asked);
  if (!fields.success) throw validationError([{ field: 'body', message: 'Allowed: a JSON object.' }]);
  const { slug } = fields.data;
  // The original: a record drops the name `__proto__`, but unknown names must be refused, not dropped.
  const parsed = schema.safeParse(asked);
  const faults = [
    ...(parsed.success ? [] : zodDetails(parsed.error.issues).map((fault) => inOurWords(fault, fields.data))),
    ...(typeof slug === 'string' && isReserved(slug) ? [reservedFault(slug)] : []),
  ];
  if (!parsed.success || faults.length > 0) throw validationError(faults);
  return parsed.data;
}

function reservedFault(slug: string): ErrorDetail {
  return { field: 'slug', message: `"${slug}" is reserved for the service itself. Choose another word.` };
}

/** The fault in the words of the schema's descriptions; an unknown field gets the nearest known one. */
function inOurWords(detail: ErrorDetail, asked: Readonly<Record<string, unknown>>): ErrorDetail {
  if (detail.message === 'Unknown field.') {
    const suggestion = nearestField(detail.field, FIELDS);
    return suggestion === undefined ? detail : { ...detail, suggestion };
  }
  const name = /^\w+/.exec(detail.field)?.[0] ?? '';
  const description = descriptionOf(linkInputSchema.shape[name as keyof typeof linkInputSchema.shape]);
  if (description === undefined) return detail;
  const missing = asked[name] === undefined ? 'This is missing. ' : '';
  return { ...detail, message: `${missing}Allowed: ${description}.` };
}

/** The description, which optional and nullable fields wrap. */
function descriptionOf(schema: z.core.$ZodType | undefined): string | undefined {
  if (!(schema instanceof z.ZodType)) return undefined;
  if (schema.description !== undefined) return schema.description;
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapped ? descriptionOf(schema.unwrap()) : undefined;
}
