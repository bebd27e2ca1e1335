/** Where a schema comes from: the configuration itself, a file, or an operation of an OpenAPI document. */
import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { parseDocument } from 'yaml';
import { SchemaFault, type Steps, stepsOf, valueAt } from './schema-fault.ts';

const LARGEST_FILE = 4_194_304;
/** Aliases in YAML can make a small file a huge document. */
const MOST_ALIASES = 100;
const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'];
const JSON_TYPE = /^application\/(?:[a-z0-9.+-]+\+)?json(?:\s*;.*)?$/i;

/** A schema inside its document. */
export interface FoundSchema {
  readonly root: object;
  readonly start: Steps;
  /** Whether a request must have a body. */
  readonly required: boolean;
}

/** The document in a file of JSON or YAML. @throws SchemaFault */
export function readDocument(file: string): object {
  let text: string;
  try {
    text = readRegular(file);
  } catch (fault) {
    if (fault instanceof SchemaFault) throw fault;
    throw new SchemaFault(`cannot be read: ${(fault as NodeJS.ErrnoException).code ?? 'unknown'}`);
  }
  const document = parseDocument(text, { uniqueKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const line = fault.linePos?.[0].line ?? 1;
    throw new SchemaFault(`line ${line}: ${fault.message.split('\n')[0]}`);
  }
  const value = plainValue(document);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new SchemaFault('is no map at its root');
  return value;
}

function plainValue(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (fault) {
    if (!(fault instanceof ReferenceError)) throw fault;
    throw new SchemaFault(`has more than ${MOST_ALIASES} aliases of one part`);
  }
}

function readRegular(file: string): string {
  // Non-blocking: opening a pipe would wait for a writer.
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new SchemaFault('is not a file');
    if (status.size > LARGEST_FILE) throw new SchemaFault(`is larger than ${LARGEST_FILE} bytes`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

/** The schema of the body of an operation. @throws SchemaFault */
export function schemaOfOperation(root: object, operationId: string): FoundSchema {
  const version = String(valueAt(root, ['openapi']));
  if (!/^3\.[01]\.\d+/.test(version))
    throw new SchemaFault('is no OpenAPI document of version 3.0 or 3.1', ['openapi']);
  const operation = operationAt(root, operationId);
  const body = followed(root, [...operation, 'requestBody']);
  const types = valueAt(root, [...body, 'content']);
  const type = Object.keys(types ?? {}).find((name) => JSON_TYPE.test(name));
  const start = type === undefined ? [] : [...body, 'content', type, 'schema'];
  if (valueAt(root, start) === undefined || type === undefined)
    throw new SchemaFault(`the operation "${operationId}" has no schema for a body of JSON`, operation);
  return { root, start, required: valueAt(root, [...body, 'required']) === true };
}

function operationAt(root: object, operationId: string): Steps {
  const known: string[] = [];
  for (const [path, item] of Object.entries(valueAt(root, ['paths']) ?? {})) {
    for (const method of METHODS) {
      const id = valueAt(item, [method, 'operationId']);
      if (id === operationId) return ['paths', path, method];
      if (typeof id === 'string') known.push(id);
    }
  }
  throw new SchemaFault(`has no operation "${operationId}"; it has ${known.join(', ') || 'none'}`, ['paths']);
}

/** Where a part of an OpenAPI document really stands: some may be references. */
function followed(root: object, steps: Steps): Steps {
  let at = steps;
  for (let count = 0; count < 10; count++) {
    const reference = valueAt(root, [...at, '$ref']);
    if (reference === undefined) return at;
    if (typeof reference !== 'string' || !reference.startsWith('#/'))
      throw new SchemaFault(`"${String(reference)}" leads out of the file`, [...at, '$ref']);
    at = stepsOf(reference);
  }
  throw new SchemaFault('refers to itself', steps);
}
