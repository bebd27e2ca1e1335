/**
 * Moves schemas that occur in several places, and those with a title, under `components`, so that the document stays
 * small.
 */
import type { Components } from './components.ts';
import type { Json } from './json.ts';

/** Characters of JSON from which a repeated schema gets a name. */
const WORTH_SHARING = 200;
/** Keywords whose value is a schema, a list of schemas, and schemas by name (JSON Schema 2020-12). */
const ONE = ['items', 'additionalProperties', 'propertyNames', 'not'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const NAMED = ['properties', 'patternProperties'];

/** A place where a schema occurs, and its name if shared. */
export interface SchemaPlace {
  readonly schema: Json;
  readonly name: string;
  /** How often it occurs there: once for each media type of a body. */
  readonly times: number;
}

/** Each schema by its place, with references for the shared parts. */
export function shareSchemas(places: readonly SchemaPlace[], components: Components): Json[] {
  const times = new Map<string, number>();
  for (const { schema, times: here } of places) count(schema, times, here);
  const shared: Shared = { times, references: new Map() };
  return places.map(({ schema, name }) => share(schema, name, shared, components));
}

/** Schemas by their JSON text: how often they occur, and the references to those already shared. */
interface Shared {
  readonly times: ReadonlyMap<string, number>;
  readonly references: Map<string, Json>;
}

/** A schema within an already counted one is not counted again: it is shared with it. */
function count(schema: Json, times: Map<string, number>, here = 1): void {
  const text = JSON.stringify(schema);
  const before = times.get(text) ?? 0;
  times.set(text, before + here);
  if (before > 0) return;
  mapParts(schema, '', (part) => {
    count(part, times);
    return part;
  });
}

function share(schema: Json, name: string, shared: Shared, components: Components): Json {
  const text = JSON.stringify(schema);
  const known = shared.references.get(text);
  if (known !== undefined) return known;
  const within = mapParts(schema, name, (part, partName) => share(part, partName, shared, components));
  if (typeof schema.title !== 'string' && !isWorthSharing(schema, text, shared)) return within;
  const reference = components.add('schemas', typeof schema.title === 'string' ? schema.title : name, within);
  shared.references.set(text, reference);
  return reference;
}

/** Schemas that are large, composite, and occur more than once. */
function isWorthSharing(schema: Json, text: string, { times }: Shared): boolean {
  if (text.length < WORTH_SHARING || (times.get(text) ?? 0) < 2) return false;
  return [...LISTS, ...NAMED, 'items'].some((keyword) => keyword in schema);
}

/** A copy with each direct part replaced by `change`; a part has the name of its property. */
function mapParts(schema: Json, name: string, change: (part: Json, partName: string) => Json): Json {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (ONE.includes(keyword) && isObject(value))
        return [keyword, change(value, keyword === 'items' ? `${name}Item` : name)];
      if (LISTS.includes(keyword) && Array.isArray(value))
        return [keyword, value.map((part) => (isObject(part) ? change(part, name) : part))];
      if (NAMED.includes(keyword) && isObject(value)) {
        const parts = Object.entries(value).map(([property, part]) => [
          property,
          isObject(part) ? change(part, name + pascal(property)) : part,
        ]);
        return [keyword, Object.fromEntries(parts)];
      }
      return [keyword, value];
    }),
  );
}

/** `operationId` or `property_name` as part of a name: `OperationId`, `PropertyName`. */
export function pascal(text: string): string {
  return text.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9]?)/g, (_, first: string) => first.toUpperCase());
}

function isObject(value: unknown): value is Json {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
