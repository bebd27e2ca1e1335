/** An audit record: who wrote what, when and from where (contract.md section 7); written once, never changed. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

/** Who acted: a key or session through the API, or the command line on the machine itself. */
export const auditActorSchema = z.object({
  kind: z.enum(['key', 'session', 'public', 'cli']),
  /** Identifier of the key or session; `cli` for the command line. */
  id: z.string(),
  userId: z.string().nullable(),
});
export type AuditActor = z.infer<typeof auditActorSchema>;

/** `createdAt` says when. */
export const auditRecordSchema = storedSchema.extend({
  actor: auditActorSchema,
  /** The action, as `kind.verb`, such as `api-key.revoke`. */
  action: z.string(),
  /** Identifier of what was written. */
  targetId: z.string(),
  /** Names of the fields that were set, never their values, which may be secret; for an import, how many events it stored. */
  fields: z.array(z.string()),
  /** Address of the client as the gateway saw it; null for the command line. */
  address: z.string().nullable(),
  /** The request, as the log names it; null for the command line. */
  requestId: z.string().nullable(),
});
export type AuditRecord = z.infer<typeof auditRecordSchema>;
