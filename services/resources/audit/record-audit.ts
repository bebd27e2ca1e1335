/** Writes one audit record. The same for the API and the command line. */
import type { AuditActor } from '../../shared/model/audit-record.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { Ids } from '../../shared/ports/ids.ts';

/** Who did what to what, from where. */
export interface AuditedWrite {
  readonly organizationId: string;
  readonly actor: AuditActor;
  readonly action: string;
  readonly targetId: string;
  readonly fields?: readonly string[];
  readonly address: string | null;
  readonly requestId: string | null;
}

/** Durable when it resolves. @throws ApiError SERVICE_UNAVAILABLE */
export async function recordAudit(
  { documents, ids }: { readonly documents: Pick<DocumentStore, 'auditRecords'>; readonly ids: Ids },
  { fields = [], ...write }: AuditedWrite,
): Promise<void> {
  await documents.auditRecords.insert({ id: ids.create('aud'), ...write, fields: [...fields] });
}
