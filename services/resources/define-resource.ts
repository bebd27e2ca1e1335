/**
 * Makes the five routes of a stored thing from its declaration: list, create, read, change and delete, the same on the
 * wire for all.
 */
import { z } from 'zod';
import type { Caller } from '../shared/access/caller.ts';
import type { ErrorKind } from '../shared/errors/catalogue.ts';
import { defineRoute, type Route, type RouteInput, type RouteRule } from '../shared/http/route.ts';
import type { CollectionName, DocumentIn, SortedByIn } from '../shared/model/collection-types.ts';
import type { FieldPath } from '../shared/model/stored.ts';
import type { Collection, DocumentStore, Search } from '../shared/ports/document-store.ts';
import { listPage } from './list-page.ts';
import { type SortedQuery, sortedQuerySchema } from './sorted-page.ts';
import { etagOf, ifMatchOf } from './write-matching.ts';

/** Which one, by which caller, and which version of it if the caller states one. */
export interface ResourceTarget {
  readonly caller: Caller;
  readonly id: string;
  readonly ifMatch?: string | undefined;
}

/** A document after a change, and whether it changed. */
export interface Changed<Document> {
  readonly document: Document;
  readonly changed: boolean;
}

interface Described {
  readonly description: string;
  /** Errors beyond the usual ones, or in place of them. */
  readonly errors?: readonly ErrorKind[];
}

/** The body of a write. */
interface Body {
  /** Shape of the body, for the description; `parse` enforces it. */
  readonly schema: z.ZodType;
  readonly example: unknown;
}

/**
 * A stored thing on the wire. `Input` and `Changes` are the results of the two `parse` functions, which report every
 * fault at once; they run first, so they may check access before the body.
 */
export interface ResourceDeclaration<
  Ports extends { readonly documents: DocumentStore },
  Name extends CollectionName,
  Query extends SortedQuery,
  Input,
  Changes,
> {
  readonly collection: Name;
  /** The path of the list; a single one is below it. */
  readonly path: string;
  /** The group of its routes in the API description, and what that is about if the list of groups does not say. */
  readonly tag: string;
  readonly about?: string;
  /** Its names in texts and operation identifiers: `a short link`, `short links`, `Link`. */
  readonly one: string;
  readonly many: string;
  readonly operation: string;
  /** Its name in audit records. */
  readonly audit: string;
  /** The verb for deletion, if it is not `delete`. */
  readonly removal?: 'remove';
  readonly rules: { readonly read: RouteRule; readonly write: RouteRule };
  /** Largest body, in bytes: the longest texts of every field, with the escapes that JSON may need. */
  readonly maxBytes: number;
  /** The wire form of one. */
  readonly view: {
    readonly schema: z.ZodType;
    readonly example: unknown;
    of(document: DocumentIn<Name>, ports: Ports): unknown;
    /** As in `success` of a route. */
    readonly holdsSecret?: true;
  };
  readonly list: Described & {
    /** The fields that it may be sorted by; the first is the default. */
    readonly sortBy: readonly [SortedByIn<Name>, ...SortedByIn<Name>[]];
    /** The fields that `search` looks into. */
    readonly searched: readonly FieldPath<DocumentIn<Name>>[];
    /** The query string, if it takes more than page, search and order. */
    readonly query?: z.ZodType<Query>;
    /** Which of them the caller may see and asked for; null: none. */
    select(
      asked: { readonly caller: Caller; readonly query: Query },
      ports: Ports,
    ): Promise<Selected<Name> | null> | Selected<Name> | null;
  };
  readonly create: Described &
    Body & {
      parse(asked: unknown, caller: Caller, ports: Ports): Promise<Input> | Input;
      write(input: Input, caller: Caller, ports: Ports): Promise<DocumentIn<Name>>;
    };
  readonly read: Described & {
    get(target: ResourceTarget, ports: Ports): Promise<DocumentIn<Name>>;
  };
  readonly change: Described &
    Body & {
      parse(asked: unknown, target: ResourceTarget, ports: Ports): Promise<Changes> | Changes;
      write(changes: Changes, target: ResourceTarget, ports: Ports): Promise<Changed<DocumentIn<Name>>>;
    };
  readonly remove: Described & {
    write(target: ResourceTarget, ports: Ports): Promise<void>;
  };
  /** The field names of a body, for the audit record; default: its own fields. */
  fieldsOf?(asked: object): string[];
}

/** The part of a collection that lists use. */
export interface Selected<Name extends CollectionName> {
  readonly organizationId: string;
  readonly where?: NonNullable<Search<DocumentIn<Name>>['where']>;
}

/** A parsed body and the names of its fields. */
interface Parsed<T> {
  readonly data: T;
  readonly fields: readonly string[];
}

/** The routes, in the order of the description. */
export function defineResource<
  Ports extends { readonly documents: DocumentStore },
  Name extends CollectionName,
  Query extends SortedQuery,
  Input,
  Changes,
>(resource: ResourceDeclaration<Ports, Name, Query, Input, Changes>): readonly Route<Ports>[] {
  type Document = DocumentIn<Name>;
  const { collection, path, one, many, operation, rules, view, maxBytes, removal = 'delete' } = resource;
  const { list, create, read, change, remove, fieldsOf = Object.keys } = resource;
  const group = {
    tags: [resource.tag],
    ...(resource.about === undefined ? {} : { about: resource.about }),
  };
  const reading = { ...group, rule: rules.read };
  const writing = { ...group, rule: rules.write };
  const secret = view.holdsSecret === undefined ? {} : { holdsSecret: view.holdsSecret };
  const single = {
    ...secret,
    schema: z.object({ success: z.literal(true), data: view.schema }),
    example: { success: true, data: view.example },
  };
  const columns = Object.fromEntries(list.sortBy.map((field) => [field, field]));
  const verb = removal === 'delete' ? 'Delete' : 'Remove';

  const shown = (document: Document, ports: Ports) => ({ success: true, data: view.of(document, ports) });
  const namesOf = (asked: unknown) => fieldsOf(Object(asked));

  const listRoute = defineRoute<Ports, undefined, Query>({
    ...reading,
    operationId: `list${operation}s`,
    method: 'GET',
    path,
    summary: `List ${many}`,
    description: list.description,
    // Without a query string of its own, it is that of every list.
    query: list.query ?? (sortedQuerySchema(list.sortBy) as unknown as z.ZodType<Query>),
    success: {
      status: 200,
      ...secret,
      schema: z.object({
        success: z.literal(true),
        data: z.array(view.schema),
        nextCursor: z.string().optional().describe('Present when more follow.'),
      }),
      example: { success: true, data: [view.example] },
    },
    errors: list.errors ?? ['VALIDATION_ERROR', 'ACCESS_DENIED'],
    async handler({ caller, query }, ports) {
      const selected = await list.select({ caller, query }, ports);
      if (selected === null) return { body: { success: true, data: [] } };
      const { organizationId, where } = selected;
      const found = await listPage(collectionOf<Name>(ports.documents, collection), organizationId, query, {
        columns,
        searched: list.searched,
        ...(where === undefined ? {} : { where }),
      });
      return { body: { success: true, ...found, data: found.data.map((one) => view.of(one, ports)) } };
    },
  });

  const createRoute = defineRoute<Ports, Parsed<Input>>({
    ...writing,
    operationId: `create${operation}`,
    method: 'POST',
    path,
    summary: `Create ${one}`,
    description: create.description,
    body: { schema: create.schema, maxBytes, example: create.example },
    success: { status: 201, ...single },
    errors: create.errors ?? ['VALIDATION_ERROR', 'ACCESS_DENIED', 'CONFLICT'],
    audit: `${resource.audit}.create`,
    parse: async (asked, { caller }, ports) => ({
      data: await create.parse(asked, caller, ports),
      fields: namesOf(asked),
    }),
    async handler({ caller, body: { data, fields } }, ports) {
      const document = await create.write(data, caller, ports);
      return {
        body: shown(document, ports),
        headers: { Location: `${path}/${document.id}`, ETag: etagOf(document) },
        written: { targetId: document.id, fields },
      };
    },
  });

  const getRoute = defineRoute<Ports>({
    ...reading,
    operationId: `get${operation}`,
    method: 'GET',
    path: `${path}/:id`,
    summary: `Read ${one}`,
    description: read.description,
    success: { status: 200, ...single },
    errors: read.errors ?? ['NOT_FOUND', 'ACCESS_DENIED'],
    async handler(input, ports) {
      const document = await read.get(targetOf(input), ports);
      return { body: shown(document, ports), headers: { ETag: etagOf(document) } };
    },
  });

  const changeRoute = defineRoute<Ports, Parsed<Changes>>({
    ...writing,
    operationId: `change${operation}`,
    method: 'PATCH',
    path: `${path}/:id`,
    summary: `Change ${one}`,
    description: change.description,
    body: { schema: change.schema, maxBytes, example: change.example },
    success: { status: 200, ...single },
    errors: change.errors ?? [
      'VALIDATION_ERROR',
      'NOT_FOUND',
      'ACCESS_DENIED',
      'CONFLICT',
      'PRECONDITION_FAILED',
    ],
    audit: `${resource.audit}.change`,
    parse: async (asked, input, ports) => ({
      data: await change.parse(asked, targetOf(input), ports),
      fields: namesOf(asked),
    }),
    async handler(input, ports) {
      const { data, fields } = input.body;
      const { document, changed } = await change.write(data, targetOf(input), ports);
      return {
        body: shown(document, ports),
        headers: { ETag: etagOf(document) },
        written: changed ? { targetId: document.id, fields } : null,
      };
    },
  });

  const removeRoute = defineRoute<Ports>({
    ...writing,
    operationId: `${removal}${operation}`,
    method: 'DELETE',
    path: `${path}/:id`,
    summary: `${verb} ${one}`,
    description: remove.description,
    success: { status: 204, schema: z.undefined(), example: undefined },
    errors: remove.errors ?? ['NOT_FOUND', 'ACCESS_DENIED', 'CONFLICT', 'PRECONDITION_FAILED'],
    audit: `${resource.audit}.delete`,
    async handler(input, ports) {
      const target = targetOf(input);
      await remove.write(target, ports);
      return { written: { targetId: target.id } };
    },
  });

  return [listRoute, createRoute, getRoute, changeRoute, removeRoute];
}

function targetOf({
  caller,
  params,
  headers,
}: Pick<RouteInput<unknown, unknown>, 'caller' | 'params' | 'headers'>): ResourceTarget {
  return { caller, id: params.id ?? '', ifMatch: ifMatchOf(headers) };
}

/** The collection of a name that is only known by its type. */
function collectionOf<Name extends CollectionName>(documents: DocumentStore, name: Name) {
  return documents[name] as unknown as Collection<DocumentIn<Name>, never, SortedByIn<Name>>;
}
