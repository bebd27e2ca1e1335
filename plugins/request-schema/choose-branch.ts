/** Lets `discriminator` of OpenAPI choose the one branch that a value is judged by, where that changes no judgement. */
import { stepsOf, valueAt } from './schema-fault.ts';

/** What holds values, in which names mean nothing. */
const DATA = ['const', 'enum', 'default', 'example', 'examples'];
/** A reference to a branch, in JSON. */
const INTO_BRANCH = /"\$ref":"#[^"]*\/(?:one|any)Of\/\d/;
/** How many references and `allOf` lead to the property that names the branch, at most. */
const DEEPEST = 10;

type Json = Record<string, unknown>;

/**
 * A copy of an OpenAPI document in which each `oneOf` or `anyOf` with a `discriminator` has become a choice by `if`, `then`
 * and `else`. It must refer to its branches; each must be an object, and demand texts for the property that no other one
 * has. Then a value fits one branch at most, and the others need no look. Others stay as they are, and so do all where a
 * reference leads to a branch by its place.
 */
export function chooseBranches(root: object): object {
  if (INTO_BRANCH.test(JSON.stringify(root))) return root;
  return changed(root, root) as object;
}

function changed(root: object, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => changed(root, each));
  const made: Json = {};
  for (const [name, inside] of Object.entries(value))
    made[name] = DATA.includes(name) ? inside : changed(root, inside);
  for (const keyword of ['oneOf', 'anyOf']) {
    const choice = choiceOf(root, made, keyword);
    if (choice === null) continue;
    const { [keyword]: _, discriminator: __, ...rest } = made;
    return { ...rest, allOf: [...(Array.isArray(rest.allOf) ? rest.allOf : []), choice] };
  }
  return made;
}

/** The branches of a keyword as a choice; null where its `discriminator` does not tell them apart. */
function choiceOf(root: object, schema: Json, keyword: string): Json | null {
  const property = valueAt(schema, ['discriminator', 'propertyName']);
  const branches = schema[keyword];
  if (typeof property !== 'string' || !Array.isArray(branches) || branches.length === 0) return null;
  const known = new Set<unknown>();
  const named: { readonly values: readonly string[]; readonly branch: unknown }[] = [];
  for (const branch of branches) {
    const values = valuesOf(root, branch, property);
    if (values === null || values.some((one) => known.has(one))) return null;
    for (const one of values) known.add(one);
    named.push({ values, branch });
  }
  const has = (values: readonly unknown[]): Json => ({
    type: 'object',
    required: [property],
    properties: { [property]: { enum: values } },
  });
  return named.reduceRight<Json>(
    (otherwise, { values, branch }) =>
      Object.fromEntries([
        ['if', has(values)],
        ['then', branch],
        ['else', otherwise],
      ]),
    has([...known]),
  );
}

/** The texts that a branch demands for the property; null where it may have others, or none. */
function valuesOf(root: object, branch: unknown, property: string): string[] | null {
  if (typeof valueAt(branch, ['$ref']) !== 'string') return null;
  const parts = partsOf(root, branch, 0);
  const demands = parts.some((part) => {
    const required = valueAt(part, ['required']);
    return Array.isArray(required) && required.includes(property);
  });
  if (!demands || !parts.some((part) => valueAt(part, ['type']) === 'object')) return null;
  for (const part of parts) {
    const { const: one, enum: several } = (valueAt(part, ['properties', property]) ?? {}) as Json;
    const values = one === undefined ? several : [one];
    if (Array.isArray(values) && values.every((each) => typeof each === 'string')) return values;
  }
  return null;
}

/** A schema with all that it refers to or joins by `allOf`. */
function partsOf(root: object, schema: unknown, depth: number): unknown[] {
  if (typeof schema !== 'object' || schema === null || depth > DEEPEST) return [];
  const { $ref, allOf } = schema as Json;
  const referred =
    typeof $ref === 'string' && $ref.startsWith('#/')
      ? partsOf(root, valueAt(root, stepsOf($ref)), depth + 1)
      : [];
  const joined = Array.isArray(allOf) ? allOf.flatMap((each) => partsOf(root, each, depth + 1)) : [];
  return [schema, ...referred, ...joined];
}
