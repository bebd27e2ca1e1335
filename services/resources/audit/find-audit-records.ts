/** Searches the audit records of an organization: a log without end, so that one call looks at a bounded part of it. */
import { z } from 'zod';
import type { AuditRecord } from '../../shared/model/audit-record.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { DEFAULT_LIMIT, decodeCursor, encodeCursor, type Page, pageQuerySchema } from '../page-of.ts';

const MAX_TEXT_LENGTH = 200;
/** Records that one call looks at before it answers what it has. */
const MAX_LOOKED_AT = 5_000;
/** Records read at once. */
const CHUNK = 100;
const SORTS = ['-at', 'at'] as const;

const text = z
  .string()
  .min(1, 'At least one character.')
  .max(MAX_TEXT_LENGTH, `At most ${MAX_TEXT_LENGTH} characters.`)
  .optional();

export const auditQuerySchema = pageQuerySchema.extend({
  search: text.describe(
    'Only those whose action, target, actor, fields, address or request contain this text, in any case.',
  ),
  action: text.describe('Only those of this action, such as `api-key.revoke`.'),
  sort: z
    .enum(SORTS, `Allowed: ${SORTS.join(', ')}.`)
    .optional()
    .describe('`-at`, the default: the newest first; `at`: the oldest first.'),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** The page that `query` asks for; records that were written at one time go by identifier. */
export async function findAuditRecords(
  documents: Pick<DocumentStore, 'auditRecords'>,
  organizationId: string,
  query: AuditQuery,
): Promise<Page<AuditRecord>> {
  const limit = query.limit ?? DEFAULT_LIMIT;
  const order = query.sort === 'at' ? 'ascending' : 'descending';
  const matches = matcherOf(query);
  const data: AuditRecord[] = [];
  let after = decodeCursor(query.cursor);
  for (let lookedAt = 0; lookedAt < MAX_LOOKED_AT; lookedAt += CHUNK) {
    const page = { limit: CHUNK, order, ...(after === undefined ? {} : { after }) } as const;
    const records = await documents.auditRecords.list(organizationId, page);
    for (const record of records.filter(matches)) {
      const last = data.at(-1);
      if (last && data.length === limit) return { data, nextCursor: encodeCursor(last.id) };
      data.push(record);
    }
    after = records.at(-1)?.id ?? after;
    if (records.length < CHUNK) return { data };
  }
  return { data, ...(after === undefined ? {} : { nextCursor: encodeCursor(after) }) };
}

function matcherOf({ search, action }: AuditQuery): (record: AuditRecord) => boolean {
  const needle = search?.toLowerCase();
  return (record) => {
    if (action !== undefined && record.action !== action) return false;
    return needle === undefined || textsOf(record).some((each) => each.toLowerCase().includes(needle));
  };
}

function textsOf({ action, targetId, actor, fields, address, requestId }: AuditRecord): string[] {
  return [action, targetId, actor.id, actor.userId ?? '', address ?? '', requestId ?? '', ...fields];
}
