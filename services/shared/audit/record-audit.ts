/** Writes one audit record, in the same form for services, the gateway's own routes and the command line. */
import type { Caller } from '../access/caller.ts';
import type { Written } from '../http/route.ts';
import type { AuditActor } from '../model/audit-record.ts';
import type { DocumentStore } from '../ports/document-store.ts';
import type { Ids } from '../ports/ids.ts';

/** Who did what to what, and from where. */
export interface AuditedWrite extends Written {
  readonly organizationId: string;
  readonly actor: AuditActor;
  /** What was done, as `kind.verb`. */
  readonly action: string;
  /** Address of the client; null for the command line. */
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Durable when it resolves. @throws ApiError SERVICE_UNAVAILABLE */
export async function recordAudit(
  { documents, ids }: { readonly documents: Pick<DocumentStore, 'auditRecords'>; readonly ids: Ids },
  { fields = [], ...write }: AuditedWrite,
): Promise<void> {
  const { organizationId, actor, action, targetId, address, requestId } = write;
  const record = { organizationId, actor, action, targetId, address, requestId, fields: [...fields] };
  await documents.auditRecords.insert({ id: ids.create('aud'), ...record });
}

/** The caller of a request as the actor of the record. */
export function actorOf({ kind, id, userId }: Caller): AuditActor {
  return { kind, id, userId };
}
