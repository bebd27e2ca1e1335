/** Compiles a JSON Schema (draft 2020-12) to functions once, strictly: what is misspelt in it is a fault. */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { RE2JS } from 're2js';
import { chooseBranches } from './choose-branch.ts';
import { requireBoundedCost } from './schema-cost.ts';
import { pointerOf, SchemaFault, type Steps, stepsOf, valueAt } from './schema-fault.ts';
import { reachedFrom, requireEnd } from './schema-walk.ts';

/** Formats that are judged; another one is a fault. None of them reads a text more than once. */
const FORMATS = [
  ...(['date', 'time', 'date-time', 'duration', 'email', 'hostname', 'ipv4', 'ipv6', 'uri', 'uuid'] as const),
  ...(['int32', 'int64', 'float', 'double', 'byte'] as const),
];

/** Keywords of OpenAPI's schemas that say nothing about what is allowed. */
const WORDS_OF_OPENAPI = ['discriminator', 'xml', 'externalDocs', 'example'];

/** Most characters that the expressions of a schema read in one body: about a tenth of a second. */
export const MOST_READ = 262_144;

/** The expressions of the schema would read more than MOST_READ characters of a value. */
export class TooMuchText extends Error {}

/** The faults of a value; both throw TooMuchText. */
export interface CompiledSchema {
  /** The first fault, with those that explain it; null: none. */
  first(value: unknown): readonly ErrorObject[] | null;
  /** All of them; for small values alone, since a large one has as many as it has elements. */
  all(value: unknown): readonly ErrorObject[] | null;
}

/**
 * The schema at `start` of the document `root`; of a schema by itself, that is the root.
 * @throws SchemaFault
 */
export function compileSchema(root: object, start: Steps): CompiledSchema {
  requireEnd(root);
  const reached = reachedFrom(root, start);
  const isOpenApi = start.length > 0;
  const judged = isOpenApi ? chooseBranches(root) : root;
  requireBoundedCost(judged, start);
  for (const steps of reached) requireSchema(valueAt(root, steps), steps);
  const budget: Budget = { left: 0 };
  const make = (allErrors: boolean): ValidateFunction => {
    const ajv = newAjv(allErrors, linear(budget));
    if (!isOpenApi) return compiled(ajv, root, root);
    const known = new Set([...Object.keys(root), ...WORDS_OF_OPENAPI, ...extensions(root)]);
    ajv.addVocabulary([...known].filter((word) => ajv.getKeyword(word) === false));
    return compiled(ajv, { ...judged, $ref: `#${pointerOf(start)}` }, root);
  };
  const first = make(false);
  /** Compiled with the first small value that has a fault. */
  let every: ValidateFunction | null = null;
  return {
    first(value) {
      budget.left = MOST_READ;
      return first(value) ? null : (first.errors ?? []);
    },
    all(value) {
      every ??= make(true);
      budget.left = MOST_READ;
      return every(value) ? null : (every.errors ?? []);
    },
  };
}

function newAjv(allErrors: boolean, regExp: ReturnType<typeof linear>): Ajv2020 {
  const ajv = new Ajv2020({
    ...{ strict: true, strictRequired: false, allowUnionTypes: true, ownProperties: true, allErrors },
    // What may be reached was judged before.
    ...{ logger: false, validateSchema: false, code: { regExp } },
  });
  // Read, but not known as a keyword.
  ajv.addVocabulary(['$anchor']);
  for (const name of FORMATS) ajv.addFormat(name, fullFormats[name]);
  return ajv;
}

/** Characters that the expressions of a schema may still read. */
interface Budget {
  left: number;
}

/** Expressions that read a text once, whatever stands in it: an own engine in place of the platform's, which backtracks. */
function linear(budget: Budget) {
  const compile = (source: string) => {
    try {
      const expression = RE2JS.compile(RE2JS.translateRegExp(source));
      const test = (text: string): boolean => {
        budget.left -= text.length;
        if (budget.left < 0) throw new TooMuchText();
        return expression.test(text);
      };
      return { test, toString: () => source };
    } catch (fault) {
      throw new BadExpression(source, (fault as Error).message);
    }
  };
  return Object.assign(compile, { code: 'linear' });
}

class BadExpression extends Error {
  readonly source: string;

  constructor(source: string, reason: string) {
    super(`the expression ${JSON.stringify(source)} cannot be read in one pass: ${reason}`);
    this.source = source;
  }
}

let made: Ajv2020 | null = null;

/** Judges schemas, by expressions too, such as those of anchors. It is made once, as that takes longer than to compile most schemas. */
function judge(): Ajv2020 {
  made ??= newAjv(false, linear({ left: Number.POSITIVE_INFINITY }));
  return made;
}

function requireSchema(schema: unknown, steps: Steps): void {
  if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema)))
    throw new SchemaFault('is no schema: a map, true or false is expected', steps);
  const ajv = judge();
  try {
    if (ajv.validateSchema(schema) === true) return;
  } catch (fault) {
    // Another draft, whose name is not known here.
    throw new SchemaFault(`${(fault as Error).message}; allowed: draft 2020-12`, [...steps, '$schema']);
  }
  const [first] = ajv.errors ?? [];
  const inside = stepsOf(first?.instancePath ?? '');
  throw new SchemaFault(first?.message ?? 'is no schema', [...steps, ...inside]);
}

function compiled(ajv: Ajv2020, schema: object, root: object): ValidateFunction {
  try {
    return ajv.compile(schema);
  } catch (fault) {
    const { message } = fault as Error;
    throw new SchemaFault(message.replace(/^strict mode: /, ''), placeOf(fault as Error, root));
  }
}

/** Where a fault of the compiler lies, which names at most the word that it stumbled over. */
function placeOf(fault: Error, root: object): Steps {
  if (fault instanceof BadExpression) {
    return find(root, (name, value) => value === fault.source || name === fault.source) ?? [];
  }
  const [, keyword] = /unknown keyword: "([^"]*)"/.exec(fault.message) ?? [];
  if (keyword !== undefined) return find(root, (name) => name === keyword) ?? [];
  const [, format] = /unknown format "([^"]*)"/.exec(fault.message) ?? [];
  if (format !== undefined) return find(root, (name, value) => name === 'format' && value === format) ?? [];
  const [, pointer] = / at "[^"#]*#?([^"]*)"/.exec(fault.message) ?? [];
  const steps = pointer === undefined ? [] : stepsOf(pointer);
  return valueAt(root, steps) === undefined ? [] : steps;
}

function find(root: unknown, fits: (name: string, value: unknown) => boolean, at: Steps = []): Steps | null {
  if (typeof root !== 'object' || root === null) return null;
  for (const [name, value] of Object.entries(root)) {
    const steps = [...at, name];
    if (fits(name, value)) return steps;
    const inside = find(value, fits, steps);
    if (inside !== null) return inside;
  }
  return null;
}

/** Names of extensions (`x-…`) anywhere in an OpenAPI document. */
function extensions(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found;
  for (const [name, inside] of Object.entries(value)) {
    if (name.startsWith('x-')) found.add(name);
    extensions(inside, found);
  }
  return found;
}
