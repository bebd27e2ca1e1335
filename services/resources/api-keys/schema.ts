/** What an API key may hold when it is written, and how it looks on the wire, its secret and hash left out (contract.md section 3). */
import { z } from 'zod';
import { accessSchema } from '../../shared/access/caller.ts';
import { SCOPES } from '../../shared/access/scopes.ts';
import type { ApiKey } from '../../shared/model/api-key.ts';

export const apiKeyNameSchema = z.string().min(1).max(100).describe('a text of 1 to 100 characters');

export const scopesInputSchema = z
  .array(z.enum(SCOPES).describe(SCOPES.join(', ')))
  .min(1)
  .describe(`a list of one or more of ${SCOPES.join(', ')}`);

export const accessInputSchema = z
  .discriminatedUnion('level', [
    z.strictObject({ level: z.literal('global') }),
    z.strictObject({ level: z.literal('website'), websiteIds: z.array(z.string().min(1)).min(1) }),
  ])
  .describe('{level: global} or {level: website, websiteIds: [one or more websites of the organization]}');

/** An instant as ISO 8601 with an offset, in UTC with milliseconds after parsing. */
export const instantInputSchema = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString())
  .describe('an ISO 8601 instant, such as "2027-01-31T00:00:00Z"');

/** An API key on the wire. */
export const apiKeyViewSchema = z.object({
  id: z.string(),
  organizationId: z.string(),
  name: z.string(),
  start: z.string(),
  last4: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  access: accessSchema,
  enabled: z.boolean(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
});
export type ApiKeyView = z.infer<typeof apiKeyViewSchema>;

/** A stored key as the wire shows it. */
export function toApiKeyView(key: ApiKey): ApiKeyView {
  const { id, organizationId, name, start, last4, scopes, access } = key;
  const { enabled, expiresAt, revokedAt, createdBy, createdAt } = key;
  const named = { id, organizationId, name, start, last4, scopes, access };
  return { ...named, enabled, expiresAt, revokedAt, createdBy, createdAt };
}
