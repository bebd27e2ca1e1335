/** What an API key may hold when it is written, and how it looks on the wire, its secret and hash left out (contract.md section 3). */
import { z } from 'zod';
import { accessSchema } from '../../shared/access/caller.ts';
import { SCOPES } from '../../shared/access/scopes.ts';
import type { ApiKey } from '../../shared/model/api-key.ts';

/** Longest grace of a rotation, in seconds: one day. */
export const MAX_GRACE_SECONDS = 86_400;

export const apiKeyNameSchema = z.string().min(1).max(100).describe('a text of 1 to 100 characters');

export const scopesInputSchema = z
  .array(z.enum(SCOPES).describe(SCOPES.join(', ')))
  .min(1)
  .describe(`a list of one or more of ${SCOPES.join(', ')}`);

/** Websites that one key may be limited to: they stand in the identity token of each of its requests. */
export const MAX_WEBSITES = 1_000;
/** Longest identifier of a website. */
const MAX_ID_LENGTH = 64;

export const accessInputSchema = z
  .discriminatedUnion('level', [
    z.strictObject({ level: z.literal('global') }),
    z.strictObject({
      level: z.literal('website'),
      websiteIds: z.array(z.string().min(1).max(MAX_ID_LENGTH)).min(1).max(MAX_WEBSITES),
    }),
  ])
  .describe(
    `{level: global} or {level: website, websiteIds: [1 to ${MAX_WEBSITES} websites of the organization, each once]}`,
  );

/** Instants that ISO 8601 writes without a sign, as every stored one is: the years 0 to 9999 in UTC. */
const EARLIEST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LATEST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** An instant as ISO 8601 with an offset, in UTC with milliseconds after parsing. */
export const instantInputSchema = z.iso
  .datetime({ offset: true })
  // What is no instant is a fault already; the offset may carry one out of the years that its text names.
  .refine((text) => !(Date.parse(text) < EARLIEST_MS || Date.parse(text) > LATEST_MS))
  .transform((text) => new Date(text).toISOString())
  .describe('an ISO 8601 instant up to the year 9999 in UTC, such as "2027-01-31T00:00:00Z"');

/** What a caller asks of a new key. */
export const apiKeyInputSchema = z
  .strictObject({
    name: apiKeyNameSchema,
    scopes: scopesInputSchema,
    access: accessInputSchema,
    expiresAt: instantInputSchema.nullish(),
  })
  .meta({ title: 'ApiKeyInput' });
export type ApiKeyInput = z.input<typeof apiKeyInputSchema>;

/** What a caller may change of a key; what is not named stays. */
export const apiKeyChangesSchema = apiKeyInputSchema
  .extend({ enabled: z.boolean().describe('true or false') })
  .partial()
  .meta({ title: 'ApiKeyChanges' });
export type ApiKeyChanges = z.input<typeof apiKeyChangesSchema>;

/** What a caller asks of a rotation. */
export const rotationInputSchema = z.strictObject({
  graceSeconds: z
    .number(`A whole number from 0 to ${MAX_GRACE_SECONDS}.`)
    .int('A whole number.')
    .min(0, 'At least 0.')
    .max(MAX_GRACE_SECONDS, `At most ${MAX_GRACE_SECONDS}.`)
    .default(0)
    .describe(
      `How long the old secret still serves, in seconds: 0 to ${MAX_GRACE_SECONDS}, 0 by default; never past the key's expiry.`,
    ),
});

/** An API key on the wire. */
export const apiKeyViewSchema = z
  .object({
    id: z.string(),
    organizationId: z.string(),
    name: z.string(),
    start: z.string().describe('First 8 characters of the secret; empty when only its hash was provisioned.'),
    last4: z.string().describe('Last 4 characters of the secret; empty when only its hash was provisioned.'),
    scopes: z.array(z.enum(SCOPES)),
    access: accessSchema,
    enabled: z.boolean(),
    expiresAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().describe('Minute of the last use; written once a minute.'),
    previousValidUntil: z.iso
      .datetime()
      .nullable()
      .describe('Until when the secret before the last rotation serves or served.'),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'ApiKey' });
export type ApiKeyView = z.infer<typeof apiKeyViewSchema>;

/** A key with its secret, shown once: at creation and at rotation. */
export const apiKeyWithSecretSchema = apiKeyViewSchema
  .extend({
    secret: z.string().describe('The text of the key. It is shown this once; only its hash is stored.'),
  })
  .meta({ title: 'ApiKeyWithSecret' });

/** A stored key as the wire shows it. */
export function toApiKeyView(key: ApiKey, lastUsedAt: string | null): ApiKeyView {
  const { id, organizationId, name, start, last4, scopes, access } = key;
  const { enabled, expiresAt, revokedAt, previousValidUntil, createdBy, createdAt, updatedAt } = key;
  const named = { id, organizationId, name, start, last4, scopes, access };
  const lived = { enabled, expiresAt, revokedAt, lastUsedAt, previousValidUntil };
  return { ...named, ...lived, createdBy, createdAt, updatedAt };
}
