/** Audit records on the wire. */
import { z } from 'zod';
import { type AuditRecord, auditActorSchema } from '../../shared/model/audit-record.ts';

export const auditRecordViewSchema = z
  .object({
    id: z.string(),
    at: z.iso.datetime(),
    actor: auditActorSchema,
    action: z.string(),
    targetId: z.string(),
    fields: z.array(z.string()).describe('Names of the fields that were set.'),
    address: z.string().nullable(),
    requestId: z.string().nullable(),
  })
  .meta({ title: 'AuditRecord' });
export type AuditRecordView = z.infer<typeof auditRecordViewSchema>;

export function toAuditRecordView(record: AuditRecord): AuditRecordView {
  const { id, createdAt, actor, action, targetId, fields, address, requestId } = record;
  return { id, at: createdAt, actor, action, targetId, fields, address, requestId };
}
