/** Brings the operations of backends of the platform's own into the document, with what the configuration says of each. */
import { stepsOf } from '../../plugins/request-schema/schema-fault.ts';
import type { BackendDocument } from '../configuration/backend-document.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { mapReferences } from '../configuration/document-references.ts';
import { type ReachedOperation, reachedOperations } from '../configuration/reached-operations.ts';
import type { Components, Section } from './components.ts';
import { errorResponses } from './error-responses.ts';
import type { Json } from './json.ts';
import { describedRule, ruleData } from './operation.ts';
import { type Serving, servingOf } from './served-by.ts';
import { pascal } from './share-schemas.ts';

/** An operation as it stands under `paths`. */
export interface DescribedOperation {
  readonly path: string;
  /** In lower case. */
  readonly method: string;
  readonly operation: Json;
}

/** What the backends of `configuration` say of themselves, as far as an endpoint reaches it, and a tag for each. */
export function backendOperations(
  configuration: Configuration,
  components: Components,
): { readonly operations: readonly DescribedOperation[]; readonly tags: readonly Json[] } {
  const described: DescribedOperation[] = [];
  const tags: Json[] = [];
  const names = new Names();
  for (const [service, document] of configuration.backendDocuments) {
    const reached = reachedOperations(configuration, service, document);
    if (reached.length === 0) continue;
    tags.push({ name: service, ...(document.title === '' ? {} : { description: document.title }) });
    const borrowed = new Borrowed(service, document, components);
    for (const one of reached) {
      const serving = servingOf(configuration, one.endpoint, one.method.toUpperCase());
      described.push({
        path: names.pathOf(one.clientPath),
        method: one.method,
        operation: operationOf(one, { service, serving, borrowed, names, components }),
      });
    }
  }
  return { operations: described, tags };
}

interface Surroundings {
  readonly service: string;
  readonly serving: Serving;
  readonly borrowed: Borrowed;
  readonly names: Names;
  readonly components: Components;
}

function operationOf(
  { operation, method, path, clientPath }: ReachedOperation,
  { service, serving, borrowed, names, components }: Surroundings,
): Json {
  const { parameters, requestBody, responses, description, operationId, ...rest } = operation;
  const id = typeof operationId === 'string' ? operationId : `${method}${pascal(path)}`;
  const named = parametersOf(parameters as readonly Json[], clientPath, names, borrowed);
  const errors = errorResponses({ path: clientPath.replaceAll('{', ':'), errors: [] }, serving, components);
  return {
    ...(borrowed.copy(rest) as Json),
    operationId: names.operationId(`${service}_${id}`),
    description: describedRule(typeof description === 'string' ? description : undefined, serving),
    tags: [service],
    ...ruleData(serving),
    ...(named.length > 0 ? { parameters: named } : {}),
    ...(requestBody === undefined ? {} : { requestBody: bodyOf(requestBody as Json, serving, borrowed) }),
    // What the backend says of a status comes before what the gateway answers with it.
    responses: { ...errors, ...(borrowed.copy(responses ?? {}, 'responses') as Json) },
  };
}

/** Those of the path by the names that it has in the document; each of the others once, the operation's own before its path's. */
function parametersOf(
  written: readonly Json[],
  clientPath: string,
  names: Names,
  borrowed: Borrowed,
): Json[] {
  const known = new Map(
    written.map((parameter) => {
      const whole = borrowed.resolved(parameter);
      return [`${String(whole.in)} ${String(whole.name)}`, { parameter, whole }] as const;
    }),
  );
  const shown = namesIn(names.pathOf(clientPath));
  const ofPath = namesIn(clientPath).map((name, index) => ({
    schema: { type: 'string' },
    ...(borrowed.copy(known.get(`path ${name}`)?.whole ?? {}) as Json),
    ...{ name: shown[index], in: 'path', required: true },
  }));
  const others = [...known.values()].filter(({ whole }) => whole.in !== 'path');
  return [...ofPath, ...others.map(({ parameter }) => borrowed.copy(parameter) as Json)];
}

function bodyOf(written: Json, { maxBytes }: Serving, borrowed: Borrowed): Json {
  const body = borrowed.copy(borrowed.resolved(written)) as Json;
  if (maxBytes === null) return body;
  const own = typeof body.description === 'string' ? [body.description] : [];
  return { ...body, description: [...own, `At most ${maxBytes} bytes.`].join('\n\n') };
}

function namesIn(path: string): string[] {
  return [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
}

/** Names that must be one of a kind in the whole document. */
class Names {
  readonly #ids = new Set<string>();
  readonly #paths = new Map<string, string>();

  operationId(wanted: string): string {
    for (let number = 1; ; number++) {
      const id = number === 1 ? wanted : `${wanted}${number}`;
      if (this.#ids.has(id)) continue;
      this.#ids.add(id);
      return id;
    }
  }

  /** Paths that differ in the names of their parameters alone are one. */
  pathOf(path: string): string {
    const shape = path.replace(/\{[^}]*\}/g, '{}');
    const known = this.#paths.get(shape) ?? path;
    this.#paths.set(shape, known);
    return known;
  }
}

/** The components of one backend that are used, under its name. */
class Borrowed {
  readonly #service: string;
  readonly #document: BackendDocument;
  readonly #components: Components;
  readonly #copied = new Set<string>();

  constructor(service: string, document: BackendDocument, components: Components) {
    this.#service = service;
    this.#document = document;
    this.#components = components;
  }

  /** A copy with references to the copied components. `at`: the key that it has, where that matters. */
  copy(value: unknown, at = ''): unknown {
    return mapReferences(value, [at], false, (reference) => this.#borrow(reference));
  }

  /** What it refers to, or itself. */
  resolved(value: Json): Json {
    let found = value;
    // A reference that leads in a circle ends somewhere.
    for (let count = 0; count < 10 && typeof found.$ref === 'string'; count++) {
      const { section, name } = partsOf(found.$ref);
      found = (this.#document.components[section]?.[name] ?? {}) as Json;
    }
    return found;
  }

  #borrow(reference: string): string {
    const { section, name, inside } = partsOf(reference);
    const shown = `${this.#service}.${name}`;
    if (!this.#copied.has(`${section}/${name}`)) {
      this.#copied.add(`${section}/${name}`);
      const value = this.copy(this.#document.components[section]?.[name]);
      this.#components.add(section as Section, shown, value);
    }
    return ['#/components', section, shown, ...inside].join('/');
  }
}

/** Which component a reference leads to, and by which steps into it, as they are written. */
function partsOf(reference: string): { section: string; name: string; inside: readonly string[] } {
  const [, section = '', name = ''] = stepsOf(reference);
  return { section, name, inside: reference.split('/').slice(4) };
}
