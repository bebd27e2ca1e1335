/** Searches the audit records of an organization, a log without end: one call looks at a bounded part of it. */
import { z } from 'zod';
import { validationError } from '../../shared/errors/zod-details.ts';
import type { AuditRecord } from '../../shared/model/audit-record.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import { firstIdAt } from '../../shared/ports/ids.ts';
import { wordedInstantSchema } from '../instant-input.ts';
import { DEFAULT_LIMIT, decodeCursor, encodeCursor, type Page, pageQuerySchema } from '../page-of.ts';

const MAX_TEXT_LENGTH = 200;
const SORTS = ['-at', 'at'] as const;
/** How far the time in an identifier may be from that of its record, in milliseconds: a clock was set back. */
const DRIFT_MS = 60_000;

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
  from: wordedInstantSchema
    .optional()
    .describe('Only those written at this instant or after it, in ISO 8601.'),
  to: wordedInstantSchema
    .optional()
    .describe('Only those written before this instant, in ISO 8601; after `from`.'),
  sort: z
    .enum(SORTS, `Allowed: ${SORTS.join(', ')}.`)
    .optional()
    .describe('`-at`, the default: the newest first; `at`: the oldest first.'),
  names: z
    .literal('true', 'Allowed: true.')
    .optional()
    .describe(
      '`true`: the answer also names people, keys and what was acted on, for those who show records to people.',
    ),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;

/** The fields that `search` looks into. */
const SEARCHED = [
  'action',
  'targetId',
  'actor.id',
  'actor.userId',
  'address',
  'requestId',
  'fields',
] as const;

/**
 * The requested page; records written at the same instant are ordered by identifier, which tells the time too: so a range of time is
 * found without looking at what lies outside it.
 * @throws ApiError VALIDATION_ERROR for a range that holds no instant
 */
export async function findAuditRecords(
  documents: Pick<DocumentStore, 'auditRecords'>,
  organizationId: string,
  { limit = DEFAULT_LIMIT, cursor, sort, search, action, from, to }: AuditQuery,
): Promise<Page<AuditRecord>> {
  if (from !== undefined && to !== undefined && from >= to) {
    throw validationError([{ field: 'to', message: 'Allowed: an instant after `from`.' }]);
  }
  const isAscending = sort === 'at';
  const earliest = from === undefined ? undefined : firstIdAt('aud', Date.parse(from) - DRIFT_MS);
  const latest = to === undefined ? undefined : firstIdAt('aud', Date.parse(to) + DRIFT_MS);
  const after = decodeCursor(cursor) ?? (isAscending ? earliest : latest);
  const found = await documents.auditRecords.search(organizationId, {
    limit,
    sortBy: 'id',
    order: isAscending ? 'ascending' : 'descending',
    ...(after === undefined ? {} : { after: [after, after] }),
    ...(action === undefined ? {} : { where: [{ field: 'action', values: [action] }] }),
    ...(search === undefined ? {} : { text: { contains: search, fields: SEARCHED } }),
  });
  const data = found.documents.filter(
    ({ createdAt }) => (from === undefined || createdAt >= from) && (to === undefined || createdAt < to),
  );
  const next = found.next?.[1];
  const isOver =
    next === undefined ||
    (isAscending ? latest !== undefined && next >= latest : earliest !== undefined && next < earliest);
  return isOver ? { data } : { data, nextCursor: encodeCursor(next) };
}
