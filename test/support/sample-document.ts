/** The smallest document that a schema takes, for tests that need one of every collection, those of tomorrow included. */
import { z } from 'zod';

interface JsonSchema {
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly minLength?: number;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/** What `schema` demands, with `fields` in place of what would be made up. @throws ZodError where that does not fit */
export function sampleDocument(schema: z.ZodType, fields: object): object {
  const made = madeOf(z.toJSONSchema(schema, { unrepresentable: 'any' }) as JsonSchema) as object;
  return schema.parse({ ...made, ...fields }) as object;
}

/** A text of each format that has one of its own. */
const TEXTS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00.000Z',
  date: '2026-01-01',
  email: 'somebody@example.com',
  uri: 'https://example.com/',
};

function madeOf(schema: JsonSchema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  const [first] = schema.anyOf ?? schema.oneOf ?? [];
  if (first !== undefined) return madeOf(first);
  switch (schema.type) {
    case 'string':
      return TEXTS[schema.format ?? ''] ?? 'x'.repeat(schema.minLength ?? 1);
    case 'number':
    case 'integer':
      return schema.minimum ?? 0;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object': {
      const { properties = {}, required = [] } = schema;
      return Object.fromEntries(required.map((name) => [name, madeOf(properties[name] ?? {})]));
    }
    default:
      return null;
  }
}
