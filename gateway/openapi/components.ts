/** Gathers what operations share under `components`, so that each thing is stated once and referenced. */
import { z } from 'zod';
import type { ScopeCatalogue } from '../../services/shared/access/scope-catalogue.ts';
import { SCOPES_OF, type Scope } from '../../services/shared/access/scopes.ts';
import type { Json } from './json.ts';

/** The sections that are gathered. */
export type Section = 'schemas' | 'responses' | 'examples' | 'headers' | 'parameters' | 'requestBodies';

interface Kept {
  readonly value: unknown;
  /** Its JSON, by which equal values are found. */
  readonly text: string;
}

export class Components {
  readonly #scopes: ScopeCatalogue;
  readonly #sections: Record<Section, Map<string, Kept>> = {
    schemas: new Map(),
    responses: new Map(),
    examples: new Map(),
    headers: new Map(),
    parameters: new Map(),
    requestBodies: new Map(),
  };

  /** `scopes`: those in force, which schemas of scopes list. */
  constructor(scopes: ScopeCatalogue) {
    this.#scopes = scopes;
  }

  /**
   * Stores `value` under `name` and returns a reference to it. The same value again gives the same reference; another
   * value with this name gets a number appended.
   */
  add(section: Section, name: string, value: unknown): Json {
    const kept = this.#sections[section];
    const reference = (numbered: string): Json => ({ $ref: `#/components/${section}/${numbered}` });
    if (kept.get(name)?.value === value) return reference(name);
    const text = JSON.stringify(value);
    for (let number = 1; ; number++) {
      const numbered = number === 1 ? name : `${name}${number}`;
      const existing = kept.get(numbered);
      if (existing === undefined) kept.set(numbered, { value, text });
      if (existing === undefined || existing.text === text) return reference(numbered);
    }
  }

  /** A zod schema in JSON Schema 2020-12, which OpenAPI 3.1 uses. Schemas with an `id` become components of that name. */
  schemaOf(schema: z.ZodType, io: 'input' | 'output'): Json {
    const override = ({ jsonSchema }: { jsonSchema: Json }): void => {
      shorten(jsonSchema);
      listScopes(jsonSchema, this.#scopes);
    };
    const made = z.toJSONSchema(schema, { io, unrepresentable: 'any', override }) as Json;
    const { $schema: _, $defs, ...root } = made;
    if ($defs === undefined) return root;
    const references = new Map<string, string>();
    const definitions = Object.entries($defs as Record<string, Json>);
    for (const [name] of definitions) references.set(`#/$defs/${name}`, `#/components/schemas/${name}`);
    for (const [name, { id: _id, ...definition }] of definitions) {
      const { $ref } = this.add('schemas', name, redirected(definition, references));
      references.set(`#/$defs/${name}`, String($ref));
    }
    return redirected(root, references) as Json;
  }

  /** The sections that are not empty, names in order. */
  toJSON(): Json {
    return Object.fromEntries(
      Object.entries(this.#sections)
        .filter(([, kept]) => kept.size > 0)
        .map(([section, kept]) => [
          section,
          Object.fromEntries(
            [...kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, { value }]) => [name, value]),
          ),
        ]),
    );
  }
}

/**
 * Where zod gives both a format and a pattern, one is enough: an instant's pattern needs 300 characters for what its
 * format says, and for an email address the pattern is what is checked, not every rule of RFC 5321.
 */
function shorten(jsonSchema: Json): void {
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
  if (jsonSchema.format === 'email') delete jsonSchema.format;
}

/** The scopes in force, in place of those that the code knows. */
function listScopes(jsonSchema: Json, { names, ofKeys, listed }: ScopeCatalogue): void {
  const of = jsonSchema[SCOPES_OF];
  if (of === undefined) return;
  const ofSessions = listed.filter(({ holders }) => holders.includes('sessions')).map(({ name }) => name);
  const allowed: readonly Scope[] = of === 'keys' ? ofKeys : of === 'sessions' ? ofSessions : names;
  for (const keyword of [SCOPES_OF, 'pattern', 'maxLength', 'description']) delete jsonSchema[keyword];
  jsonSchema.enum = [...allowed];
}

/** A copy in which each `$ref` in the map points elsewhere. */
function redirected(value: unknown, references: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => redirected(each, references));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [
      key,
      key === '$ref' ? (references.get(String(each)) ?? each) : redirected(each, references),
    ]),
  );
}
