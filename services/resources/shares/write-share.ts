/** Creates, changes and removes shares: tokens are hashed and sealed, passwords hashed, before anything is stored. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { requireWebsite } from '../../shared/access/website-access.ts';
import type { RandomBytes } from '../../shared/credentials/api-key-text.ts';
import { createOneTimeToken, hashOneTimeToken } from '../../shared/credentials/one-time-token.ts';
import type { PasswordHasher } from '../../shared/credentials/password-hasher.ts';
import type { SecretSealer } from '../../shared/credentials/secret-sealer.ts';
import type { ErrorDetail } from '../../shared/errors/api-error.ts';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { Share } from '../../shared/model/share.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { Changes, DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { JudgeShare } from '../../shared/ports/judge-share.ts';
import type { Changed, ResourceTarget } from '../define-resource.ts';
import { type BoundPorts, boundOf, insertBounded } from '../document-bounds.ts';
import { judgeFields } from '../judge-fields.ts';
import { requireWebsiteOf } from '../kept/owner.ts';
import { notFound, writeMatching } from '../write-matching.ts';
import {
  type ShareChanges,
  type ShareInput,
  shareChangesSchema,
  shareInputSchema,
  tokenPlace,
} from './schema.ts';

export interface WriteSharePorts extends BoundPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly clock: Clock;
  readonly randomBytes: RandomBytes;
  readonly sealer: SecretSealer;
  readonly passwords: PasswordHasher;
  readonly judgeShare: JudgeShare;
}

const KIND = 'share';

/** The part of the queue for passwords that writers use. */
const LINE = 'shares';

/** @throws ApiError NOT_FOUND; ACCESS_DENIED for one outside the websites of a website-specific key */
export async function requireShare(
  { shares }: Pick<DocumentStore, 'shares'>,
  caller: Caller,
  id: string,
): Promise<Share> {
  const share = await shares.get(organizationOf(caller), id);
  if (!share) throw notFound(KIND, id);
  requireWebsiteOf(caller, share, KIND);
  return share;
}

/** @throws ApiError ACCESS_DENIED for a website out of reach; VALIDATION_ERROR with every fault */
export async function parseShare(
  ports: WriteSharePorts,
  caller: Caller,
  asked: unknown,
): Promise<ShareInput> {
  const { data, faults, fields } = judgeFields(shareInputSchema, asked);
  const { websiteId } = fields;
  if (typeof websiteId === 'string' && websiteId !== '')
    await requireWebsite(ports.documents, caller, websiteId);
  if (data === null) throw validationError(faults);
  await requireShown(ports, organizationOf(caller), data);
  return data;
}

/** @throws ApiError as {@link requireShare}; VALIDATION_ERROR with every fault */
export async function parseShareChanges(
  ports: WriteSharePorts,
  { caller, id }: ResourceTarget,
  asked: unknown,
): Promise<ShareChanges> {
  const existing = await requireShare(ports.documents, caller, id);
  const { data, faults } = judgeFields(shareChangesSchema, asked);
  if (data === null) throw validationError(faults);
  if (data.view !== undefined || data.datasets !== undefined) {
    await requireShown(ports, existing.organizationId, { ...existing, ...withoutUndefined(data) });
  }
  return data;
}

/** @throws ApiError VALIDATION_ERROR for a view that cannot be shared, and datasets that it cannot show */
async function requireShown(
  { documents, judgeShare }: WriteSharePorts,
  organizationId: string,
  { websiteId, view: id, datasets }: Pick<Share, 'websiteId' | 'view' | 'datasets'>,
): Promise<void> {
  const view = await documents.views.get(organizationId, id);
  const faults: ErrorDetail[] = [];
  if (view === null || view.websiteId !== websiteId || view.ownerId !== organizationId) {
    const message = 'Allowed: the identifier of a view of this website that is shared.';
    faults.push({ field: 'view', message });
  }
  faults.push(...judgeShare(datasets, view?.state ?? { preset: 'today' }));
  if (faults.length > 0) throw validationError(faults);
}

/** @throws ApiError CONFLICT at the bound; SERVICE_UNAVAILABLE when too many passwords are being hashed */
export async function createShare(
  ports: WriteSharePorts,
  caller: Caller,
  { password, ...input }: ShareInput,
): Promise<Share> {
  const { documents, ids, randomBytes, sealer } = ports;
  const organizationId = organizationOf(caller);
  const id = ids.create('shr');
  const token = createOneTimeToken(randomBytes);
  const most = await boundOf(ports, organizationId, 'shares');
  const share = {
    ...{ id, organizationId, websiteId: input.websiteId, view: input.view, name: input.name },
    expiresAt: input.expiresAt ?? null,
    tokenHash: hashOneTimeToken(token),
    token: sealer.seal(tokenPlace({ organizationId, id }), token),
    ...(await lockedBy(ports, password ?? null)),
    datasets: input.datasets,
    origins: input.origins ?? [],
    createdBy: caller.userId ?? caller.id,
  };
  return insertBounded(documents.shares, share, { kind: 'shares', most });
}

/** @throws ApiError as {@link requireShare}; PRECONDITION_FAILED, CONFLICT, SERVICE_UNAVAILABLE */
export async function changeShare(
  ports: WriteSharePorts,
  { caller, id, ifMatch }: ResourceTarget,
  { password, ...fields }: ShareChanges,
): Promise<Changed<Share>> {
  const changes: Changes<Share> = {
    ...withoutUndefined(fields),
    ...(password === undefined ? {} : await lockedBy(ports, password)),
  };
  return writeMatching(ports.documents.shares, {
    ...{ organizationId: organizationOf(caller), id, ifMatch, kind: KIND },
    changesOf(existing: Share) {
      requireWebsiteOf(caller, existing, KIND);
      return Object.keys(changes).length === 0 ? null : changes;
    },
  });
}

/** From now on its token finds nothing. @throws ApiError as {@link requireShare}; PRECONDITION_FAILED, CONFLICT */
export async function removeShare(
  { documents }: Pick<WriteSharePorts, 'documents'>,
  { caller, id, ifMatch }: ResourceTarget,
): Promise<void> {
  const { organizationId } = await requireShare(documents, caller, id);
  // Uses the version: of a change and a deletion with the same If-Match, only one succeeds.
  await writeMatching(documents.shares, {
    ...{ organizationId, id, ifMatch, kind: KIND },
    changesOf(existing: Share) {
      requireWebsiteOf(caller, existing, KIND);
      return {};
    },
  });
  if (!(await documents.shares.remove(organizationId, id))) throw notFound(KIND, id);
}

/** A password with a key for its tickets: those of the password before count no more. */
async function lockedBy(
  { passwords, randomBytes }: WriteSharePorts,
  password: string | null,
): Promise<Pick<Share, 'passwordHash' | 'ticketKey'>> {
  const ticketKey = createOneTimeToken(randomBytes);
  if (password === null) return { passwordHash: null, ticketKey };
  const place = passwords.place(LINE);
  try {
    return { passwordHash: await place.hash(password), ticketKey };
  } finally {
    place.giveBack();
  }
}

function withoutUndefined<T extends object>(fields: T): { [Name in keyof T]: Exclude<T[Name], undefined> } {
  const named = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(named) as { [Name in keyof T]: Exclude<T[Name], undefined> };
}
