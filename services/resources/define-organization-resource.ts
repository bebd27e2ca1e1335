/**
 * Makes the routes of a stored thing that belongs to the whole organization and has no rules of its own: its fields, its
 * bound, and who may access it.
 */
import type { z } from 'zod';
import { requireGlobalAccess } from '../shared/access/global-access.ts';
import type { Route, RouteRule } from '../shared/http/route.ts';
import type { CollectionName, DocumentIn, IdPrefix, SortedByIn } from '../shared/model/collection-types.ts';
import { COLLECTIONS } from '../shared/model/collections.ts';
import type { FieldPath, Stored } from '../shared/model/stored.ts';
import type { Changes, Collection, DocumentStore, NewDocument } from '../shared/ports/document-store.ts';
import type { Ids } from '../shared/ports/ids.ts';
import { defineResource } from './define-resource.ts';
import { insertBounded } from './document-bounds.ts';
import { parseFields } from './judge-fields.ts';
import type { SortedQuery } from './sorted-page.ts';
import { notFound, writeMatching } from './write-matching.ts';

export interface OrganizationResourcePorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
}

/** The collections whose identifiers have a prefix. */
type Ownable = {
  [Name in CollectionName]: (typeof COLLECTIONS)[Name] extends { readonly idPrefix: string } ? Name : never;
}[CollectionName];

/** The initial fields of a new document. */
export interface NewOwned {
  readonly id: string;
  readonly organizationId: string;
  /** The user, or the key. */
  readonly createdBy: string;
}

export interface OrganizationResource<Name extends Ownable, Input> {
  readonly collection: Name;
  /** The path of the list; a single one is below it. */
  readonly path: string;
  /** What one is called, in lower case, with a plural in s: `release`. */
  readonly kind: string;
  /** What they are, for the API description. */
  readonly about: string;
  readonly rules: { readonly read: RouteRule; readonly write: RouteRule };
  /** How many an organization may have. */
  readonly most: number;
  /** The fields that lists are sorted by, each declared as an order of the collection; the first is the default. */
  readonly sortBy: readonly [SortedByIn<Name>, ...SortedByIn<Name>[]];
  /** The fields that `search` looks into. */
  readonly searched: readonly FieldPath<DocumentIn<Name>>[];
  /** The fields that a caller may set on a new one; all of them may be changed. */
  readonly input: z.ZodObject & z.ZodType<Input>;
  /** One in its wire form: the document without its version. */
  readonly example: Omit<DocumentIn<Name>, 'version'>;
  /** Makes the document of a request. */
  create(input: Input, owned: NewOwned): NewDocument<DocumentIn<Name>>;
}

/** Largest body, in bytes. */
const MAX_BODY_BYTES = 65_536;

/** The routes; each requires global access. A named field of a change replaces the old value. */
export function defineOrganizationResource<Name extends Ownable, Input>(
  resource: OrganizationResource<Name, Input>,
): readonly Route<OrganizationResourcePorts>[] {
  type Document = DocumentIn<Name> & Stored;
  const { collection, path, kind, rules, most, input, example } = resource;
  const { idPrefix, schema } = COLLECTIONS[collection];
  const of = (documents: DocumentStore) => documents[collection] as unknown as Collection<Document>;
  const many = `${kind}s`;
  const changes = input.partial();
  const named = Object.fromEntries(
    Object.entries(example).filter(([field]) => Object.hasOwn(input.shape, field)),
  );

  return defineResource<OrganizationResourcePorts, Name, SortedQuery, Input, Changes<Document>>({
    collection,
    path,
    tag: path.split('/').at(-1) ?? many,
    about: resource.about,
    one: `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`,
    many,
    operation: kind.replace(/(?:^| )(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    audit: kind.replaceAll(' ', '-'),
    rules,
    maxBytes: MAX_BODY_BYTES,
    view: {
      schema: (schema as unknown as z.ZodObject).omit({ version: true }),
      example,
      of: ({ version: _version, ...shown }: Stored) => shown,
    },
    list: {
      description: `The ${many} of the organization. \`search\` looks into ${resource.searched.join(', ')}. Needs global access.`,
      sortBy: resource.sortBy,
      searched: resource.searched,
      select: ({ caller }) => ({ organizationId: requireGlobalAccess(caller) }),
    },
    create: {
      description: `Needs global access. CONFLICT at ${most.toLocaleString('en')} ${many}.`,
      schema: input,
      example: named,
      parse(asked, caller) {
        requireGlobalAccess(caller);
        return parseFields<Input>(input, asked);
      },
      write(asked, caller, { documents, ids }) {
        const owned = {
          id: ids.create(idPrefix as IdPrefix),
          organizationId: requireGlobalAccess(caller),
          createdBy: caller.userId ?? caller.id,
        };
        const document = resource.create(asked, owned) as NewDocument<Document>;
        return insertBounded(of(documents), document, { kind: many, most });
      },
    },
    read: {
      description: `One ${kind}. \`ETag\` names its version. Needs global access.`,
      async get({ caller, id }, { documents }) {
        const document = await of(documents).get(requireGlobalAccess(caller), id);
        if (!document) throw notFound(kind, id);
        return document;
      },
    },
    change: {
      description: 'Fields that are not named stay unchanged. Needs global access.',
      schema: changes,
      example: Object.fromEntries(Object.entries(named).slice(-1)),
      parse(asked, { caller }) {
        requireGlobalAccess(caller);
        const parsed = Object.entries(parseFields(changes, asked));
        // Defaults of the schema are for new documents: in a change they would reset fields that nobody named.
        return Object.fromEntries(
          parsed.filter(([field]) => Object.hasOwn(Object(asked), field)),
        ) as Changes<Document>;
      },
      write: (asked, { caller, id, ifMatch }, { documents }) =>
        writeMatching<Document>(of(documents), {
          ...{ organizationId: requireGlobalAccess(caller), id, ifMatch, kind },
          changesOf: () => (Object.keys(asked).length === 0 ? null : asked),
        }),
    },
    remove: {
      description: `Removes the ${kind} for good. Needs global access.`,
      async write({ caller, id, ifMatch }, { documents }) {
        const organizationId = requireGlobalAccess(caller);
        // Uses the version: of a change and a deletion with the same If-Match, only one succeeds.
        await writeMatching<Document>(of(documents), {
          ...{ organizationId, id, ifMatch, kind },
          changesOf: () => ({}),
        });
        if (!(await of(documents).remove(organizationId, id))) throw notFound(kind, id);
      },
    },
  });
}
