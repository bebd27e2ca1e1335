/** Reads the OpenAPI document of a backend of the platform's own, and judges whether it can be shown beside our routes. */
import { SchemaFault, type Steps, stepsOf, valueAt } from '../../plugins/request-schema/schema-fault.ts';
import { readDocument } from '../../plugins/request-schema/schema-source.ts';
import { mapReferences } from './document-references.ts';

/** Most operations of one document. */
export const MOST_OPERATIONS = 1_000;

/** Methods that a backend can be asked with; OPTIONS is answered by the gateway, TRACE by nobody. */
const METHODS = ['get', 'head', 'put', 'post', 'delete', 'patch'];
const SILENT = ['options', 'trace'];
const ITEM_KEYS = [...METHODS, ...SILENT, 'parameters', 'summary', 'description', 'servers'];
/** What operations may refer to. */
const SECTIONS = ['schemas', 'responses', 'parameters', 'examples', 'requestBodies', 'headers'];
const COMPONENT = /^[A-Za-z0-9._-]+$/;
const PATH = /^\/(?:[A-Za-z0-9._~!$&'()*+,;=:@%/-]|\{[A-Za-z0-9._-]+\})*$/;

type Json = Readonly<Record<string, unknown>>;

export interface BackendOperation {
  /** As the backend sees it, such as `/orders/{id}`. */
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  /** With the parameters of its path. */
  readonly operation: Json;
}

/** Every reference in it leads to one of its components. */
export interface BackendDocument {
  readonly file: string;
  readonly title: string;
  readonly operations: readonly BackendOperation[];
  /** By section and name. */
  readonly components: Readonly<Record<string, Json>>;
}

/** @throws SchemaFault */
export function readBackendDocument(file: string): BackendDocument {
  const root = readDocument(file);
  const version = String(valueAt(root, ['openapi']));
  const isOld = /^3\.0\.\d+$/.test(version);
  if (!isOld && !/^3\.1\.\d+$/.test(version))
    throw new SchemaFault('is no OpenAPI document of version 3.0 or 3.1', ['openapi']);
  const judged = <T>(value: T, at: Steps): T =>
    mapReferences(value, at, isOld, (reference, steps) => {
      requireComponent(root, reference, steps);
      return reference;
    }) as T;
  const components: Record<string, Json> = {};
  for (const section of SECTIONS) {
    const at = ['components', section];
    const named = mapAt(root, at, true);
    for (const name of Object.keys(named))
      if (!COMPONENT.test(name)) throw new SchemaFault('is no name of a component', [...at, name]);
    components[section] = judged(named, at);
  }
  const operations: BackendOperation[] = [];
  for (const path of Object.keys(mapAt(root, ['paths']))) {
    if (path.startsWith('x-')) continue;
    if (!PATH.test(path)) throw new SchemaFault('is no path, such as /orders/{id}', ['paths', path]);
    operations.push(...operationsAt(root, path, judged));
    if (operations.length > MOST_OPERATIONS)
      throw new SchemaFault(`has more than ${MOST_OPERATIONS} operations`, ['paths']);
  }
  const title = valueAt(root, ['info', 'title']);
  return { file, title: typeof title === 'string' ? title : '', operations, components };
}

function operationsAt(root: object, path: string, judged: <T>(value: T, at: Steps) => T): BackendOperation[] {
  const at = ['paths', path];
  const item = mapAt(root, at);
  for (const key of Object.keys(item)) {
    if (ITEM_KEYS.includes(key) || key.startsWith('x-')) continue;
    const reason = key === '$ref' ? 'write the operations of the path here' : 'is no method';
    throw new SchemaFault(reason, [...at, key]);
  }
  const shared = judged(listAt(root, [...at, 'parameters']), [...at, 'parameters']);
  return METHODS.filter((method) => item[method] !== undefined).flatMap((method) => {
    const place = [...at, method];
    const written = mapAt(root, place);
    mapAt(root, [...place, 'responses'], true);
    if (written['x-internal'] === true || item['x-internal'] === true) return [];
    const { parameters: _, servers: __, security: ___, callbacks: ____, ...rest } = written;
    const own = judged(listAt(root, [...place, 'parameters']), [...place, 'parameters']);
    return [{ path, method, operation: { ...judged(rest, place), parameters: [...shared, ...own] } }];
  });
}

function mapAt(root: object, at: Steps, isOptional = false): Json {
  const value = valueAt(root, at);
  if (value === undefined && isOptional) return {};
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new SchemaFault(value === undefined ? 'is missing' : 'is no map', at);
}

function listAt(root: object, at: Steps): readonly Json[] {
  const value = valueAt(root, at);
  if (value === undefined) return [];
  const isList = Array.isArray(value) && value.every((each) => typeof each === 'object' && each !== null);
  if (!isList) throw new SchemaFault('is no list of maps', at);
  return value;
}

function requireComponent(root: object, reference: string, at: Steps): void {
  const steps = stepsOf(reference);
  if (!reference.startsWith('#/components/') || !SECTIONS.includes(steps[1] ?? ''))
    throw new SchemaFault(`"${reference}" leads to no component of this file: ${SECTIONS.join(', ')}`, at);
  if (steps.length < 3 || valueAt(root, steps) === undefined)
    throw new SchemaFault(`"${reference}" leads to nothing`, at);
}
