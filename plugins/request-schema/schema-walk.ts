/** Judges a schema before it is compiled: its references stay in its document, and nothing in it takes time beyond measure. */
import { SchemaFault, type Steps, stepsOf, valueAt } from './schema-fault.ts';

/** Most elements that are compared each with each other: half a million comparisons take some milliseconds. */
const MOST_COMPARED = 1_000;
const SCALARS = ['string', 'number', 'integer', 'boolean', 'null'];
/** What holds examples of values, in which names mean nothing. */
const DATA = ['const', 'enum', 'default', 'example', 'examples'];
const REFERENCES = ['$ref', '$dynamicRef'];

type Visit = (steps: Steps) => void;

/**
 * The places of every schema that the one at `start` of `root` refers to, with its own, each once.
 * @throws SchemaFault for a reference out of the document or to nothing, and for what takes too long
 */
export function reachedFrom(root: unknown, start: Steps): Steps[] {
  const reached = new Map<string, Steps>();
  const visit: Visit = (steps) => {
    const key = JSON.stringify(steps);
    if (reached.has(key)) return;
    reached.set(key, steps);
    walk(root, valueAt(root, steps), steps, visit);
  };
  visit(start);
  return [...reached.values()];
}

function walk(root: unknown, value: unknown, steps: Steps, visit: Visit): void {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) requireBounded(value, steps);
  for (const [name, inside] of Object.entries(value)) {
    const at = [...steps, Array.isArray(value) ? Number(name) : name];
    if (REFERENCES.includes(name) && typeof inside === 'string') follow(root, inside, at, visit);
    else if (!DATA.includes(name) || steps.at(-1) === 'properties') walk(root, inside, at, visit);
  }
}

function follow(root: unknown, reference: string, at: Steps, visit: Visit): void {
  if (!reference.startsWith('#')) {
    throw new SchemaFault(`"${reference}" leads out of the file; write the schema into it`, at);
  }
  // A name that an anchor gives is found when it is compiled.
  if (reference !== '#' && !reference.startsWith('#/')) return;
  const steps = stepsOf(reference);
  if (valueAt(root, steps) === undefined) throw new SchemaFault(`"${reference}" leads to nothing`, at);
  visit(steps);
}

function requireBounded(schema: object, steps: Steps): void {
  const { uniqueItems, maxItems, items } = schema as Record<string, unknown>;
  if (uniqueItems !== true || (typeof maxItems === 'number' && maxItems <= MOST_COMPARED)) return;
  const type = valueAt(items, ['type']);
  if (typeof type === 'string' && SCALARS.includes(type)) return;
  throw new SchemaFault(
    `uniqueItems compares each element with every other: add maxItems of at most ${MOST_COMPARED}, or items of a plain type`,
    steps,
  );
}

/** Nothing that walks through a document ends where an alias of YAML leads to what it stands in. @throws SchemaFault */
export function requireEnd(value: unknown, around: Set<object> = new Set()): void {
  if (typeof value !== 'object' || value === null) return;
  if (around.has(value)) throw new SchemaFault('holds itself, by an alias');
  around.add(value);
  for (const inside of Object.values(value)) requireEnd(inside, around);
  around.delete(value);
}
