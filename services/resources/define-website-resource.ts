/**
 * Makes the routes of a stored thing that belongs to one website and stays there: its fields, its bound, and what a whole
 * one must be; who reaches the website reaches it (contract.md sections 2 and 7).
 */
import { z } from 'zod';
import type { Caller } from '../shared/access/caller.ts';
import { organizationOf } from '../shared/access/organization-of.ts';
import { reaches, requireWebsite } from '../shared/access/website-access.ts';
import { ApiError, type ErrorDetail } from '../shared/errors/api-error.ts';
import { validationError } from '../shared/errors/zod-details.ts';
import type { Route, RouteRule } from '../shared/http/route.ts';
import type { DocumentIn, IdPrefix, SortedByIn } from '../shared/model/collection-types.ts';
import { COLLECTIONS } from '../shared/model/collections.ts';
import type { FieldPath, Stored } from '../shared/model/stored.ts';
import type { Changes, Collection, DocumentStore, NewDocument } from '../shared/ports/document-store.ts';
import type { Ids } from '../shared/ports/ids.ts';
import { defineResource } from './define-resource.ts';
import { type BoundedKind, type BoundPorts, boundOf, insertBounded } from './document-bounds.ts';
import { judgeBody } from './judge-fields.ts';
import { ofWebsites, type WebsiteListQuery, websiteListSchema } from './website-list.ts';
import { notFound, writeMatching } from './write-matching.ts';

export interface WebsiteResourcePorts extends BoundPorts {
  readonly ids: Ids;
}

/** The fields of every such document. */
export interface StoredOfWebsite extends Stored {
  readonly websiteId: string;
  /** The user, or the key. */
  readonly createdBy: string;
}

/** The collections of such documents that plans.yml bounds. */
export type OfWebsites = {
  [Name in BoundedKind]: DocumentIn<Name> extends StoredOfWebsite ? Name : never;
}[BoundedKind];

/** `Fields`: what a caller may set, save the website. */
export interface WebsiteResource<Name extends OfWebsites, Fields extends object> {
  readonly collection: Name;
  /** The path of the list; a single one is below it. */
  readonly path: string;
  /** What one is called, in lower case, with a plural in s: `goal`. */
  readonly kind: string;
  /** What they are, for the API description. */
  readonly about: string;
  /** Further sentences of the description of a write. */
  readonly rulesInWords: string;
  readonly rules: { readonly read: RouteRule; readonly write: RouteRule };
  /** The fields that lists are sorted by, each declared as an order of the collection; the first is the default. */
  readonly sortBy: readonly [SortedByIn<Name>, ...SortedByIn<Name>[]];
  /** The fields that `search` looks into. */
  readonly searched: readonly FieldPath<DocumentIn<Name>>[];
  /** Parses the fields of a new one; each may be changed, and a default is for new ones only. */
  readonly fields: z.ZodObject & z.ZodType<Fields>;
  /** What no field can tell by itself. */
  faultsOf?(whole: Fields): readonly ErrorDetail[];
  /** The wire form of one, and an example of it. */
  readonly view: {
    readonly schema: z.ZodObject;
    readonly example: object;
    of(document: DocumentIn<Name>): Fields & { readonly id: string };
  };
  /** What is stored of fields. */
  stored(fields: Partial<Fields>): Changes<DocumentIn<Name>>;
  /** The fields of a new one with what it gets where nothing is named. */
  complete(
    fields: Fields,
    place: { readonly organizationId: string; readonly websiteId: string },
    documents: DocumentStore,
  ): Promise<Fields>;
}

/** Largest body, in bytes. */
const MAX_BODY_BYTES = 262_144;

/** The routes. The website of one never changes: what it says is about that website's events. */
export function defineWebsiteResource<Name extends OfWebsites, Fields extends object>(
  resource: WebsiteResource<Name, Fields>,
): readonly Route<WebsiteResourcePorts>[] {
  type Document = DocumentIn<Name> & StoredOfWebsite;
  const { collection, path, kind, rules, fields, view, faultsOf = () => [] } = resource;
  const of = (documents: DocumentStore) => documents[collection] as unknown as Collection<Document>;
  const many = `${kind}s`;
  const websiteId = z.string().min(1).max(64).describe(`The website that the ${kind} is of.`);
  const input = z.strictObject({ websiteId, ...fields.shape });
  const changes = fields.partial();
  const names = Object.keys(fields.shape);
  const written = Object.fromEntries(
    Object.entries(view.example).filter(([field]) => Object.hasOwn(input.shape, field)),
  );

  const requireReach = (caller: Caller, document: Document): void => {
    if (reaches(caller, document.websiteId)) return;
    throw new ApiError('ACCESS_DENIED', {
      text: `The ${kind} "${document.id}" is of none of the websites that this key reaches.`,
    });
  };
  const requireOne = async (documents: DocumentStore, caller: Caller, id: string): Promise<Document> => {
    const document = await of(documents).get(organizationOf(caller), id);
    if (!document) throw notFound(kind, id);
    requireReach(caller, document);
    return document;
  };
  const requireSound = (whole: Fields): void => {
    const faults = faultsOf(whole);
    if (faults.length > 0) throw validationError([...faults]);
  };

  return defineResource<WebsiteResourcePorts, Name, WebsiteListQuery, NewOfWebsite<Fields>, Partial<Fields>>({
    collection,
    path,
    tag: many,
    about: resource.about,
    one: `a ${kind}`,
    many,
    operation: `${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`,
    audit: kind,
    rules,
    maxBytes: MAX_BODY_BYTES,
    view: { schema: view.schema, example: view.example, of: view.of },
    list: {
      description: `The ${many} of the organization's websites; for a website-specific key those of its websites. \`search\` looks into ${resource.searched.join(', ')}.`,
      sortBy: resource.sortBy,
      searched: resource.searched,
      query: websiteListSchema(resource.sortBy, many),
      select: ({ caller, query }, { documents }) => ofWebsites(documents, caller, query),
    },
    create: {
      description: `${resource.rulesInWords} ACCESS_DENIED for a website out of reach. CONFLICT at the organization’s bound of ${many}, which the text names.`,
      schema: input,
      example: written,
      parse(asked) {
        const parsed = judgeBody(input, asked, { fields: ['websiteId', ...names] });
        const { websiteId: place, ...rest } = parsed as { websiteId: string } & Fields;
        const given = rest as unknown as Fields;
        requireSound(given);
        return { websiteId: place, fields: given };
      },
      async write({ websiteId: place, fields: given }, caller, ports) {
        const { documents, ids } = ports;
        const organizationId = organizationOf(caller);
        await requireWebsite(documents, caller, place);
        const whole = await resource.complete(given, { organizationId, websiteId: place }, documents);
        const document = {
          id: ids.create(COLLECTIONS[collection].idPrefix as IdPrefix),
          organizationId,
          websiteId: place,
          ...resource.stored(whole),
          createdBy: caller.userId ?? caller.id,
        } as unknown as NewDocument<Document>;
        const most = await boundOf(ports, organizationId, collection);
        return insertBounded(of(documents), document, { kind: many, most });
      },
    },
    read: {
      description: `One ${kind}. \`ETag\` names its version.`,
      get: ({ caller, id }, { documents }) => requireOne(documents, caller, id),
    },
    change: {
      description: `Fields that are not named stay unchanged; null removes optional ones. ${resource.rulesInWords} The website of a ${kind} never changes.`,
      schema: changes,
      example: Object.fromEntries(Object.entries(written).filter(([field]) => field === 'name')),
      async parse(asked, { caller, id }, { documents }) {
        await requireOne(documents, caller, id);
        const parsed = judgeBody(changes, asked, { fields: names, readOnly: ['websiteId'] });
        // Defaults of the schema are for new ones: in a change they would reset fields that nobody named.
        return Object.fromEntries(
          Object.entries(parsed).filter(([field]) => Object.hasOwn(Object(asked), field)),
        ) as Partial<Fields>;
      },
      write: (asked, { caller, id, ifMatch }, { documents }) =>
        writeMatching<Document>(of(documents), {
          ...{ organizationId: organizationOf(caller), id, ifMatch, kind },
          changesOf(existing) {
            requireReach(caller, existing);
            if (Object.keys(asked).length === 0) return null;
            requireSound({ ...view.of(existing), ...asked });
            return resource.stored(asked) as Changes<Document>;
          },
        }),
    },
    remove: {
      description: `Removes the ${kind} for good; events stay.`,
      async write({ caller, id, ifMatch }, { documents }) {
        const { organizationId } = await requireOne(documents, caller, id);
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

/** A parsed body of a new one. */
interface NewOfWebsite<Fields> {
  readonly websiteId: string;
  readonly fields: Fields;
}
