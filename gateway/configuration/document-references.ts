/** Walks through the parts of an OpenAPI document that may refer to others, and brings old schemas to version 3.1. */
import { SchemaFault, type Steps } from '../../plugins/request-schema/schema-fault.ts';

/** A document that nests deeper may also hold itself, by an alias of YAML. */
const DEEPEST = 64;
/** What holds examples of values, in which names mean nothing. */
const DATA = ['const', 'enum', 'default', 'example', 'value'];
/** Keys below which names are free. */
const MAPS = [
  ...['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'],
  ...['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers'],
  ...['content', 'encoding', 'mapping'],
];
/** Names for places of a document that is no longer one when it is merged. */
const ANCHORS = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef', '$recursiveRef', '$schema'];
/** They name operations and addresses of the backend's own. */
const DROPPED = ['links', 'callbacks', 'servers'];

type Change = (reference: string, at: Steps) => string;
type Json = Record<string, unknown>;

/**
 * A copy in which `change` has replaced each reference. `isOld`: schemas of version 3.0 become those of 3.1.
 * @throws SchemaFault
 */
export function mapReferences(value: unknown, at: Steps, isOld: boolean, change: Change): unknown {
  const last = at.at(-1);
  return walk(value, at, { isOld, change }, typeof last === 'string' && MAPS.includes(last), 0);
}

interface Walk {
  readonly isOld: boolean;
  readonly change: Change;
}

function walk(value: unknown, at: Steps, how: Walk, hasFreeNames: boolean, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) throw new SchemaFault(`nests deeper than ${DEEPEST} levels, or holds itself`, at);
  if (Array.isArray(value))
    return value.map((each, index) => walk(each, [...at, index], how, false, depth + 1));
  const made: Json = {};
  for (const [name, inside] of Object.entries(value)) {
    const place = [...at, name];
    if (name === '__proto__') throw new SchemaFault('is a reserved name', place);
    if (hasFreeNames)
      made[name] = inMapping(at, inside, place, how) ?? walk(inside, place, how, false, depth + 1);
    else if (name === '$ref') made[name] = how.change(String(inside), place);
    else if (ANCHORS.includes(name))
      throw new SchemaFault('has no place here: refer to #/components alone', place);
    else if (DROPPED.includes(name)) continue;
    else if (DATA.includes(name) || name.startsWith('x-') || (name === 'examples' && Array.isArray(inside)))
      made[name] = data(inside, place, depth);
    else made[name] = walk(inside, place, how, MAPS.includes(name), depth + 1);
  }
  return how.isOld && !hasFreeNames ? modern(made) : made;
}

/** A value of `discriminator.mapping`: a reference, or the bare name of a schema; null elsewhere. */
function inMapping(at: Steps, value: unknown, place: Steps, { change }: Walk): string | null {
  if (at.at(-1) !== 'mapping' || at.at(-2) !== 'discriminator' || typeof value !== 'string') return null;
  return change(/^[A-Za-z0-9._-]+$/.test(value) ? `#/components/schemas/${value}` : value, place);
}

/** Any value, copied as it is. */
function data(value: unknown, at: Steps, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) throw new SchemaFault(`nests deeper than ${DEEPEST} levels, or holds itself`, at);
  if (Array.isArray(value)) return value.map((each, index) => data(each, [...at, index], depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, inside]) => [name, data(inside, [...at, name], depth + 1)]),
  );
}

/** What version 3.0 says in words of its own. */
function modern({ nullable, ...schema }: Json): Json {
  for (const [bound, exclusive] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    if (schema[exclusive] === true && typeof schema[bound] === 'number') {
      schema[exclusive] = schema[bound];
      delete schema[bound];
    } else delete schema[exclusive];
  }
  if (nullable === undefined || nullable === false) return schema;
  if (nullable !== true) return { ...schema, nullable };
  if (typeof schema.type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const { enum: values } = schema;
  return {
    ...schema,
    type: [schema.type, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}
