/**
 * What an API key may hold when it is written, and how it looks on the wire, without its secret and hash (contract.md
 * section 3).
 */
import { z } from 'zod';
import { accessSchema } from '../../shared/access/caller.ts';
import { type ScopeCatalogue, unknownKeyScopes } from '../../shared/access/scope-catalogue.ts';
import { SCOPES, SCOPES_OF, type Scope, scopeSchema } from '../../shared/access/scopes.ts';
import type { ApiKey } from '../../shared/model/api-key.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { instantInputSchema } from '../instant-input.ts';

/** Longest grace of a rotation, in seconds: one day. */
export const MAX_GRACE_SECONDS = 86_400;

export const apiKeyNameSchema = nameSchema();

/** The scopes of a key; `names` are those that a key may hold. The description of the API shows those in force in their place. */
export function scopesInputSchemaOf(names: readonly Scope[]) {
  const all = names.join(', ');
  return z
    .array(z.enum(names).meta({ description: all, [SCOPES_OF]: 'keys' }))
    .min(1)
    .describe(`a list of one or more of ${all}`);
}

/** How many websites one key may be limited to: the identity token of each of its requests carries them. */
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

function makeSchemas(names: readonly Scope[]) {
  const input = z
    .strictObject({
      name: apiKeyNameSchema,
      scopes: scopesInputSchemaOf(names),
      access: accessInputSchema,
      expiresAt: instantInputSchema.nullish(),
    })
    .meta({ title: 'ApiKeyInput' });
  const changes = input
    .extend({ enabled: z.boolean().describe('true or false') })
    .partial()
    .meta({ title: 'ApiKeyChanges' });
  return {
    /** The request for a new key. */
    input,
    /** The fields of a key that may change; fields that are not named stay unchanged. */
    changes,
  };
}

export type ApiKeySchemas = ReturnType<typeof makeSchemas>;
export type ApiKeyInput = z.input<ApiKeySchemas['input']>;
export type ApiKeyChanges = z.input<ApiKeySchemas['changes']>;

/** Made once for each list of scopes: a configuration has one. */
const schemasOf = new WeakMap<readonly Scope[], ApiKeySchemas>();

/** What requests about keys may hold, where keys may hold the scopes `names`. */
export function apiKeySchemas(names: readonly Scope[]): ApiKeySchemas {
  const known = schemasOf.get(names) ?? makeSchemas(names);
  schemasOf.set(names, known);
  return known;
}

/** With the shipped scopes, for the description of the API. */
export const DESCRIBED_SCHEMAS = apiKeySchemas(SCOPES);

/** The request for a rotation. */
export const rotationInputSchema = z.strictObject({
  graceSeconds: z
    .number(`A whole number from 0 to ${MAX_GRACE_SECONDS}.`)
    .int('A whole number.')
    .min(0, 'At least 0.')
    .max(MAX_GRACE_SECONDS, `At most ${MAX_GRACE_SECONDS}.`)
    .default(0)
    .describe(
      `How long the old secret still works, in seconds: 0 to ${MAX_GRACE_SECONDS}, 0 by default; never past the key's expiry.`,
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
    scopes: z.array(scopeSchema),
    unknownScopes: z
      .array(scopeSchema)
      .optional()
      .describe(
        'Those of its scopes that the configuration does not list for keys: they open nothing. Absent when there is none.',
      ),
    access: accessSchema,
    enabled: z.boolean(),
    expiresAt: z.iso.datetime().nullable(),
    revokedAt: z.iso.datetime().nullable(),
    lastUsedAt: z.iso.datetime().nullable().describe('Minute of the last use; written once a minute.'),
    previousValidUntil: z.iso
      .datetime()
      .nullable()
      .describe('When the secret before the last rotation stops working, or stopped.'),
    createdBy: z.string(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'ApiKey' });
export type ApiKeyView = z.infer<typeof apiKeyViewSchema>;

/** A key with its secret, shown only at creation and at rotation. */
export const apiKeyWithSecretSchema = apiKeyViewSchema
  .extend({
    secret: z.string().describe('The text of the key. It is shown only now; only its hash is stored.'),
  })
  .meta({ title: 'ApiKeyWithSecret' });

/** A stored key in its wire form. */
export function toApiKeyView(key: ApiKey, lastUsedAt: string | null, catalogue: ScopeCatalogue): ApiKeyView {
  const { id, organizationId, name, start, last4, scopes, access } = key;
  const { enabled, expiresAt, revokedAt, previousValidUntil, createdBy, createdAt, updatedAt } = key;
  const unknown = unknownKeyScopes(catalogue, scopes);
  const holds = { scopes, ...(unknown.length > 0 && { unknownScopes: [...unknown] }) };
  const named = { id, organizationId, name, start, last4, ...holds, access };
  const lived = { enabled, expiresAt, revokedAt, lastUsedAt, previousValidUntil };
  return { ...named, ...lived, createdBy, createdAt, updatedAt };
}
