/** Makes the routes of what users keep on a website, own or shared: its fields, its bound, and what else makes a body wrong. */
import { z } from 'zod';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { requireWebsite } from '../../shared/access/website-access.ts';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { Route } from '../../shared/http/route.ts';
import type { DocumentIn, IdPrefix, SortedByIn } from '../../shared/model/collection-types.ts';
import { COLLECTIONS } from '../../shared/model/collections.ts';
import type { FieldPath } from '../../shared/model/stored.ts';
import type { Changes, Collection, DocumentStore, NewDocument } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { defineResource, type ResourceTarget } from '../define-resource.ts';
import { type BoundedKind, type BoundPorts, boundOf, insertBounded } from '../document-bounds.ts';
import { judgeFields } from '../judge-fields.ts';
import { ofWebsites, type WebsiteListQuery, websiteListSchema } from '../website-list.ts';
import { notFound, requireMatch, writeMatching } from '../write-matching.ts';
import {
  isShared,
  type Kept,
  ownerFaults,
  ownerFor,
  requireKept,
  requireVisible,
  visibleOwners,
} from './owner.ts';

export interface KeptPorts extends BoundPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
}

/** The collections of what users keep. */
type KeptName = 'views' | 'annotations';

export interface KeptResource<Ports extends KeptPorts, Name extends KeptName, Fields> {
  readonly collection: Name;
  /** The path of the list; a single one is below it. */
  readonly path: string;
  /** What one is called, in lower case, with a plural in s, and what that is in the API description. */
  readonly kind: string;
  readonly about: string;
  /** Its bound in plans.yml. */
  readonly bounded: BoundedKind;
  readonly sortBy: readonly [SortedByIn<Name>, ...SortedByIn<Name>[]];
  readonly searched: readonly FieldPath<DocumentIn<Name>>[];
  /** The fields that a caller may set, besides `websiteId` and `shared`. */
  readonly fields: z.ZodObject & z.ZodType<Fields>;
  /** Largest body, in bytes. */
  readonly maxBytes: number;
  /** What one looks like, besides the fields of every one. */
  readonly example: Fields;
  /** What else is wrong with fields that passed their schema. */
  faultsOf?(fields: Partial<Fields>, ports: Ports): Promise<readonly ErrorDetail[]>;
  /** Refuses to remove one, or to take it away from others, on which something depends. */
  requireFree?(document: DocumentIn<Name>, ports: Ports): Promise<void>;
}

/** A parsed body: the fields, the website of a new one, and whether everybody sees it. */
interface Written<Fields> {
  readonly fields: Partial<Fields>;
  readonly websiteId: string;
  readonly shared?: boolean;
}

const WEBSITE = z.string().min(1).max(64).describe('A website that the caller reaches; it stays with it.');
const SHARED = z
  .boolean()
  .describe(
    'Whether everybody who reaches the website sees it, or its user alone. A key keeps shared ones only.',
  );

const COMMON = {
  id: 'id_01k3w6v1q8z5m7r2c4x9t0b6ha',
  organizationId: 'org_01k3w6v1q8z5m7r2c4x9t0b6hb',
  websiteId: 'web_01k3w6v1q8z5m7r2c4x9t0b6hc',
};
const TIMES = {
  createdBy: 'usr_01k3w6v1q8z5m7r2c4x9t0b6hd',
  createdAt: '2026-01-15T09:30:00.000Z',
  updatedAt: '2026-01-15T09:30:00.000Z',
};

/** The routes. Reading takes read:data, writing manage:websites (contract.md section 9). */
export function defineKeptResource<Ports extends KeptPorts, Name extends KeptName, Fields extends object>(
  resource: KeptResource<Ports, Name, Fields>,
): readonly Route<Ports>[] {
  type Document = DocumentIn<Name> & Kept;
  const { collection, path, kind, bounded, sortBy, fields, example } = resource;
  const { idPrefix, schema } = COLLECTIONS[collection];
  const of = (documents: DocumentStore) => documents[collection] as unknown as Collection<Document>;
  const many = `${kind}s`;
  const one = `${/^[aeiou]/.test(kind) ? 'an' : 'a'} ${kind}`;
  const ownFields = Object.keys(fields.shape);
  const input = fields.extend({ websiteId: WEBSITE, shared: SHARED.default(false) });
  const changes = fields.extend({ shared: SHARED }).partial();
  const shown = (schema as unknown as z.ZodObject).omit({ version: true, ownerId: true });

  async function judged(
    body: z.ZodObject,
    asked: unknown,
    { caller }: Pick<ResourceTarget, 'caller'>,
    ports: Ports,
  ): Promise<Written<Fields>> {
    const { data, faults, fields: came } = judgeFields(body, asked);
    const websiteId = typeof came.websiteId === 'string' ? came.websiteId : '';
    if (websiteId !== '' && 'websiteId' in body.shape)
      await requireWebsite(ports.documents, caller, websiteId);
    const isNamed = 'shared' in came || 'websiteId' in body.shape;
    const found = [...faults, ...(isNamed ? ownerFaults(caller, came.shared ?? false) : [])];
    // Those that came, checked also where others are wrong.
    const own = Object.entries((data ?? came) as object).filter(
      ([name]) => ownFields.includes(name) && Object.hasOwn(came, name) && isSound(name, faults),
    );
    const written = Object.fromEntries(own) as Partial<Fields>;
    found.push(...((await resource.faultsOf?.(written, ports)) ?? []));
    if (data === null || found.length > 0) throw validationError(found);
    const { shared } = data as { readonly shared?: boolean };
    return { fields: written, websiteId, ...(shared === undefined ? {} : { shared }) };
  }

  return defineResource<Ports, Name, WebsiteListQuery, Written<Fields>, Written<Fields>>({
    collection,
    path,
    tag: path.split('/').at(-1) ?? many,
    about: resource.about,
    one,
    many,
    operation: kind.replace(/(?:^| )(\w)/g, (_match, letter: string) => letter.toUpperCase()),
    audit: kind.replaceAll(' ', '-'),
    rules: { read: { scopes: ['read:data'] }, write: { scopes: ['manage:websites'] } },
    maxBytes: resource.maxBytes,
    view: {
      schema: shown.extend({ shared: SHARED }),
      example: { ...COMMON, id: COMMON.id.replace('id', idPrefix), ...example, shared: true, ...TIMES },
      of(document) {
        const { version: _version, ownerId, ...rest } = document as Document;
        return { ...rest, shared: isShared({ ownerId, organizationId: rest.organizationId }) };
      },
    },
    list: {
      description: `The shared ${many} of the websites that the caller reaches, and for a session its user's own. \`search\` looks into ${resource.searched.join(', ')}.`,
      sortBy,
      searched: resource.searched,
      query: websiteListSchema(sortBy, many),
      async select({ caller, query }, { documents }) {
        const { organizationId, where = [] } = await ofWebsites(documents, caller, query);
        return { organizationId, where: [{ field: 'ownerId', values: visibleOwners(caller) }, ...where] };
      },
    },
    create: {
      description: `Own to the user of the session, or with \`shared\` for everybody who reaches the website. A key writes shared ones. CONFLICT at the organization's bound of ${many}, which the text names.`,
      schema: input,
      example: { ...example, websiteId: COMMON.websiteId, shared: true },
      parse: (asked, caller, ports) => judged(input, asked, { caller }, ports),
      async write({ fields: written, websiteId, shared = false }, caller, ports) {
        const organizationId = organizationOf(caller);
        const document = {
          id: ports.ids.create(idPrefix as IdPrefix),
          organizationId,
          websiteId,
          ownerId: ownerFor(caller, shared),
          createdBy: caller.userId ?? caller.id,
          ...written,
        } as unknown as NewDocument<Document>;
        const most = await boundOf(ports, organizationId, bounded);
        return insertBounded(of(ports.documents), document, { kind: many, most });
      },
    },
    read: {
      description: `One ${kind}. \`ETag\` names its version. Another user's own is NOT_FOUND.`,
      get: ({ caller, id }, { documents }) => requireKept(of(documents), caller, { id, kind }),
    },
    change: {
      description: `Fields that are not named stay unchanged. With \`shared\` false it becomes the own of the session's user.`,
      schema: changes,
      example: Object.fromEntries(Object.entries(example).slice(0, 1)),
      async parse(asked, target, ports) {
        await requireKept(of(ports.documents), target.caller, { id: target.id, kind });
        return judged(changes, asked, target, ports);
      },
      async write({ fields: written, shared }, { caller, id, ifMatch }, ports) {
        const existing = await requireKept(of(ports.documents), caller, { id, kind });
        if (shared === false && isShared(existing)) await resource.requireFree?.(existing, ports);
        return writeMatching<Document>(of(ports.documents), {
          ...{ organizationId: organizationOf(caller), id, ifMatch, kind },
          changesOf(current) {
            requireVisible(caller, current, kind);
            if (Object.keys(written).length === 0 && shared === undefined) return null;
            const owner = shared === undefined ? {} : { ownerId: ownerFor(caller, shared) };
            return { ...written, ...owner } as Changes<Document>;
          },
        });
      },
    },
    remove: {
      description: `Removes the ${kind} for good.`,
      async write({ caller, id, ifMatch }, ports) {
        const { documents } = ports;
        const existing = await requireKept(of(documents), caller, { id, kind });
        const { organizationId } = existing;
        requireMatch(ifMatch, existing);
        await resource.requireFree?.(existing, ports);
        // Uses the version: of a change and a deletion with the same If-Match, only one succeeds.
        await writeMatching<Document>(of(documents), {
          ...{ organizationId, id, ifMatch, kind },
          changesOf(current) {
            requireVisible(caller, current, kind);
            return {};
          },
        });
        if (!(await of(documents).remove(organizationId, id))) throw notFound(kind, id);
      },
    },
  });
}

/** Whether no fault is about this field. */
function isSound(name: string, faults: readonly ErrorDetail[]): boolean {
  return faults.every(
    ({ field }) => field !== name && !field.startsWith(`${name}.`) && !field.startsWith(`${name}[`),
  );
}
