/** Reads the audit records of an organization (contract.md section 7). */
import { z } from 'zod';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import { type AuditRecord, auditActorSchema } from '../../shared/model/audit-record.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { type AuditQuery, auditQuerySchema, findAuditRecords } from './find-audit-records.ts';

/** What the audit routes need. */
export interface AuditPorts {
  readonly documents: DocumentStore;
}

const auditRecordViewSchema = z
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

function toAuditRecordView(record: AuditRecord): z.infer<typeof auditRecordViewSchema> {
  const { id, createdAt, actor, action, targetId, fields, address, requestId } = record;
  return { id, at: createdAt, actor, action, targetId, fields, address, requestId };
}

const listAuditRecords = defineRoute<AuditPorts, undefined, AuditQuery>({
  operationId: 'listAuditRecords',
  method: 'GET',
  path: '/v1/audit',
  rule: { roles: ['owner', 'admin'] },
  summary: 'List audit records',
  description:
    'Who wrote what, when and from where, newest first. Every write of the API and of the command line leaves one record. A page of a search may be short, or empty, while `nextCursor` stands: older records are searched by the next call.',
  tags: ['audit'],
  query: auditQuerySchema,
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(auditRecordViewSchema),
      nextCursor: z.string().optional().describe('Present when more follow.'),
    }),
    example: {
      success: true,
      data: [
        {
          id: 'aud_01k3w6v1q8z5m7r2c4x9t0b6ha',
          at: '2026-01-15T09:30:00.000Z',
          actor: { kind: 'session', id: 'ses_01k3w6v1q8', userId: 'usr_01k3w6v1q8' },
          action: 'api-key.revoke',
          targetId: 'key_01k3w6v1q8',
          fields: [],
          address: '198.51.100.7',
          requestId: '01k3w6v1q8z5m7r2c4x9t0b6hb',
        },
      ],
    },
  },
  errors: ['VALIDATION_ERROR'],
  async handler({ caller, query }, { documents }) {
    const page = await findAuditRecords(documents, organizationOf(caller), query);
    return { body: { success: true, ...page, data: page.data.map(toAuditRecordView) } };
  },
});

export const auditRoutes: readonly Route<AuditPorts>[] = [listAuditRecords];
