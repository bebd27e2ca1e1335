/** The shape of PROVISION_FILE (contract.md section 8): every field with what is allowed, which the faults repeat. */
import { z } from 'zod';
import type { Scope } from '../../shared/access/scopes.ts';
import { isWellFormedApiKey } from '../../shared/credentials/api-key-text.ts';
import { COST_TEXT, isOwnArgon2idText, PASSWORD_LENGTH } from '../../shared/credentials/password.ts';
import { organizationLimitsSchema, retentionDaysSchema } from '../../shared/model/organization.ts';
import { ROLES } from '../../shared/model/user.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { accessInputSchema, apiKeyNameSchema, scopesInputSchemaOf } from '../api-keys/schema.ts';
import { flagInputSchema } from '../flags/schema.ts';
import { instantInputSchema } from '../instant-input.ts';
import type { IsReservedSlug } from '../links/reserved-slugs.ts';
import { linkInputSchema, slugSchema } from '../links/schema.ts';
import { websiteInputSchema } from '../websites/schema.ts';
import type { FaultPath } from './provisioning-fault.ts';

const idSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
  .describe('an identifier of 1 to 64 letters, digits, "_" and "-", such as "web_shop"');

const flagSchema = z.boolean().describe('true or false');

const userSchema = z.strictObject({
  email: z
    .email()
    .max(254)
    .transform((email) => email.toLowerCase())
    .describe('an e-mail address'),
  operator: z.boolean().optional().describe('whether the user runs the service: true or false'),
  password: z
    .string()
    .min(PASSWORD_LENGTH.min)
    .max(PASSWORD_LENGTH.max)
    .optional()
    .describe(`a password of ${PASSWORD_LENGTH.min} to ${PASSWORD_LENGTH.max} characters`),
  passwordHash: z
    .string()
    .refine(isOwnArgon2idText)
    .optional()
    .describe(`argon2id text of the cost ${COST_TEXT}, such as "$argon2id$v=19$${COST_TEXT}$<salt>$<hash>"`),
  role: z.enum(ROLES).describe(ROLES.join(', ')),
});

/** The rules of the API, with an identifier that the operator chooses. */
const websiteSchema = z.strictObject({ id: idSchema, ...websiteInputSchema.shape });

/** `scopes`: those that a key may hold. */
const apiKeySchemaOf = (scopes: readonly Scope[]) =>
  z.strictObject({
    id: idSchema,
    name: apiKeyNameSchema,
    key: z
      .string()
      .refine(isWellFormedApiKey)
      .optional()
      .describe('the text of a key as "tidegate keys generate" prints it'),
    keyHash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .optional()
      .describe('the SHA-256 of a key: 64 digits of 0-9a-f'),
    scopes: scopesInputSchemaOf(scopes),
    access: accessInputSchema,
    expiresAt: instantInputSchema.optional(),
    revokedAt: instantInputSchema.optional(),
    enabled: flagSchema.optional(),
  });

/** A link as the API takes it, with an identifier; its slug must be in the file, so that it is the same everywhere. */
const linkSchema = linkInputSchema.extend({ id: idSchema, slug: slugSchema });

function linkSchemaOf(isReserved: IsReservedSlug) {
  const slug = slugSchema.refine((text) => !isReserved(text)).describe(slugSchema.description ?? '');
  return linkSchema.extend({ slug });
}
const provisionedFlagSchema = flagInputSchema.extend({ id: idSchema });

const LIMIT_NAMES = Object.keys(organizationLimitsSchema.shape).join(', ');

function organizationSchemaOf({ plans, scopes, isReserved }: NamesInForce) {
  return z.strictObject({
    id: idSchema,
    name: nameSchema(),
    plan: z.enum(plans).describe(plans.join(', ')),
    limits: organizationLimitsSchema
      .optional()
      .describe(`whole numbers from 1 to 1000000000 under ${LIMIT_NAMES}`),
    retentionDays: retentionDaysSchema
      .nullable()
      .optional()
      .describe('a whole number of days from 1 to 36500, or null for those of the plan'),
    users: z.array(userSchema.describe('a map of a user')).optional().describe('a list of users'),
    websites: z.array(websiteSchema.describe('a map of a website')).optional().describe('a list of websites'),
    apiKeys: z
      .array(apiKeySchemaOf(scopes).describe('a map of an API key'))
      .optional()
      .describe('a list of API keys'),
    links: z
      .array(linkSchemaOf(isReserved).describe('a map of a link'))
      .optional()
      .describe('a list of links'),
    flags: z.array(provisionedFlagSchema.describe('a map of a flag')).optional().describe('a list of flags'),
  });
}

/** What the configuration in force decides about a file. */
export interface NamesInForce {
  /** Names of the existing plans. */
  readonly plans: readonly string[];
  /** Names of the scopes that a key may hold. */
  readonly scopes: readonly Scope[];
  readonly isReserved: IsReservedSlug;
}

/** The schema of a whole file. */
export function provisioningSchemaOf(names: NamesInForce) {
  return z
    .strictObject({
      organizations: z
        .array(organizationSchemaOf(names).describe('a map of an organization'))
        .describe('a list of organizations'),
    })
    .describe('a map with the key organizations');
}

/** The content of a file without faults. */
export type Provisioning = z.output<ReturnType<typeof provisioningSchemaOf>>;
export type ProvisionedOrganization = Provisioning['organizations'][number];
export type ProvisionedUser = z.output<typeof userSchema>;
export type ProvisionedWebsite = z.output<typeof websiteSchema>;
export type ProvisionedApiKey = z.output<ReturnType<typeof apiKeySchemaOf>>;
export type ProvisionedLink = z.output<typeof linkSchema>;
export type ProvisionedFlag = z.output<typeof provisionedFlagSchema>;

/** Names of fields within lists that hold secrets; the names are not secret, wherever they occur. */
export const FIELD_NAMES: ReadonlySet<string> = new Set([
  ...Object.keys(userSchema.shape),
  ...Object.keys(apiKeySchemaOf([]).shape),
  ...accessInputSchema.options.flatMap((option) => Object.keys(option.shape)),
]);

/** Lists that hold secrets, which may be misplaced within them: no fault quotes a text from one, since faults are logged. */
const SECRET_LISTS: ReadonlySet<unknown> = new Set(['users', 'apiKeys']);

/** Whether a text at this path may be a secret. */
export function mayBeSecret(path: FaultPath): boolean {
  return path.some((step) => SECRET_LISTS.has(step));
}
