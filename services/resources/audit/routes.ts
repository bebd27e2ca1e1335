/** Reads the audit records of an organization (contract.md section 7). */
import { z } from 'zod';
import { organizationOf } from '../../shared/access/organization-of.ts';
import { defineRoute, type Route } from '../../shared/http/route.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { auditNameSchema, auditNames } from './audit-names.ts';
import { type AuditQuery, auditQuerySchema, findAuditRecords } from './find-audit-records.ts';
import { auditRecordViewSchema, toAuditRecordView } from './schema.ts';

/** What the audit routes need. */
export interface AuditPorts {
  readonly documents: DocumentStore;
  readonly clock: Clock;
}

const listAuditRecords = defineRoute<AuditPorts, undefined, AuditQuery>({
  operationId: 'listAuditRecords',
  method: 'GET',
  path: '/v1/audit',
  rule: { roles: ['owner', 'admin'] },
  needs: 'session',
  summary: 'List audit records',
  description:
    'Who wrote what, when and from where, newest first. Every write of the API and of the command line leaves one record. A page of a search may be short, or empty, and still have a `nextCursor`: the next call searches older records.',
  tags: ['audit'],
  query: auditQuerySchema,
  success: {
    status: 200,
    schema: z.object({
      success: z.literal(true),
      data: z.array(auditRecordViewSchema),
      nextCursor: z.string().optional().describe('Present when more follow.'),
      names: z
        .array(auditNameSchema)
        .optional()
        .describe(
          'Asked for by `names`: the members, the invitations that wait, the 100 newest keys, and every key, website, link, flag, target group, goal, funnel and share of these records that still is.',
        ),
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
  async handler({ caller, query }, ports) {
    const organizationId = organizationOf(caller);
    const page = await findAuditRecords(ports.documents, organizationId, query);
    const names = query.names && { names: await auditNames(ports, organizationId, page.data) };
    return { body: { success: true, ...page, data: page.data.map(toAuditRecordView), ...names } };
  },
});

export const auditRoutes: readonly Route<AuditPorts>[] = [listAuditRecords];
