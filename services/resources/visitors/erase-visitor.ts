/** Erases a visitor: stored as a clean-up first, carried out before the answer, finished in the background after a crash. */
import type { Caller } from '../../shared/access/caller.ts';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { requireWebsite } from '../../shared/access/website-access.ts';
import { ApiError } from '../../shared/errors/api-error.ts';
import { visitorProfileDocumentId } from '../../shared/model/profile.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import type { Cleanups } from '../cleanup/cleanups.ts';

export interface VisitorPorts {
  readonly documents: DocumentStore;
  readonly ids: Ids;
  readonly cleanups: Pick<Cleanups, 'carryOut'>;
}

/** Which visitor, by the identifier that ingest got; `websiteId` null: of the whole organization. */
export interface Visitor {
  readonly anonymousId: string;
  readonly websiteId: string | null;
}

/**
 * Resolves when every event of the visitor acknowledged before is gone. Returns what stands for it in the audit record:
 * a hash, which keeps nothing of the identifier, but lets anyone who knows the identifier recognize it.
 * @throws ApiError ACCESS_DENIED for a website that the caller does not reach, and without a website unless access is
 * global; SERVICE_UNAVAILABLE, and then the erasure continues in the background
 */
export async function eraseVisitor(
  { documents, ids, cleanups }: VisitorPorts,
  caller: Caller,
  { anonymousId, websiteId }: Visitor,
): Promise<string> {
  const organizationId = organizationOf(caller);
  if (websiteId !== null) await requireWebsite(documents, caller, websiteId);
  else if (caller.access.level !== 'global') {
    throw new ApiError('ACCESS_DENIED', {
      text: 'Erasing a visitor from the whole organization needs global access: name a website as website_id.',
    });
  }
  const cleanup = { id: ids.create('cln'), organizationId, kind: 'visitor', websiteId, anonymousId } as const;
  await cleanups.carryOut(await documents.cleanups.insert(cleanup));
  return visitorProfileDocumentId({ organizationId, websiteId }, anonymousId);
}
