/** Validates a new or changed website: every fault at once, in words that say what is allowed. */
import { z } from 'zod';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { nearestField } from '../../shared/errors/nearest-name.ts';
import { validationError, zodDetails } from '../../shared/errors/zod-details.ts';
import { normalForm, websiteChangesSchema, websiteInputSchema } from './schema.ts';

/** Longest text that a fault repeats. */
const MAX_SHOWN = 60;

const SETTINGS = Object.keys(websiteChangesSchema.shape.settings.unwrap().shape);
const FIELDS = [...Object.keys(websiteInputSchema.shape), ...SETTINGS.map((name) => `settings.${name}`)];

/** Parses `asked` by `schema`. @throws ApiError VALIDATION_ERROR with every fault at once */
export function judgeWebsite<T>(
  schema: z.ZodType<T> & { readonly shape: Readonly<Record<string, z.ZodType>> },
  asked: unknown,
): T {
  const fields = z.record(z.string(), z.unknown()).safeParse(asked);
  if (!fields.success) throw validationError([{ field: 'body', message: 'Allowed: a JSON object.' }]);
  const parsed = schema.safeParse(asked);
  if (parsed.success) return parsed.data;
  throw validationError(
    parsed.error.issues.flatMap((issue) =>
      zodDetails([issue]).map((detail) => inOurWords(detail, issue, asked, schema)),
    ),
  );
}

function inOurWords(
  detail: ErrorDetail,
  issue: z.core.$ZodIssue,
  asked: unknown,
  schema: { readonly shape: Readonly<Record<string, z.ZodType>> },
): ErrorDetail {
  if (issue.code === 'unrecognized_keys') return suggesting(detail, nearestField(detail.field, FIELDS));
  const came = issue.path.reduce<unknown>(fieldOf, asked);
  const [name, setting] = issue.path.map(String);
  const settings = schema.shape.settings;
  const described =
    name === 'settings' && setting !== undefined && settings instanceof z.ZodOptional
      ? (settings.unwrap() as z.ZodObject).shape[setting]
      : schema.shape[name ?? ''];
  const allowed = `Allowed: ${descriptionOf(described)}.`;
  const message = came === undefined ? `This is missing. ${allowed}` : `Came ${shown(came)}. ${allowed}`;
  return suggesting({ ...detail, message }, normalForm(setting ?? name ?? '', came));
}

function descriptionOf(schema: unknown): string {
  if (!(schema instanceof z.ZodType)) return 'an object';
  if (schema.description !== undefined) return schema.description;
  return schema instanceof z.ZodOptional ? descriptionOf(schema.unwrap()) : 'an object';
}

function suggesting(detail: ErrorDetail, suggestion: string | undefined): ErrorDetail {
  return suggestion === undefined ? detail : { ...detail, suggestion };
}

function fieldOf(value: unknown, step: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<PropertyKey, unknown>)[step];
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value === null) return 'null';
  if (typeof value === 'object') return 'an object';
  const text = JSON.stringify(value);
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}
