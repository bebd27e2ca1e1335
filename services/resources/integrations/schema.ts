/** What an integration of each kind may hold when it is written, and how it looks on the wire (contract.md section 7). */

import { z } from 'zod';
import { type Integration, integrationSchema } from '../../shared/model/integration.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { parseUrl } from '../../shared/text/parse-url.ts';

export const INTEGRATION_TYPES = integrationSchema.shape.type.options;
export type IntegrationType = (typeof INTEGRATION_TYPES)[number];

/** The fields of an integration that a caller may change; fields that are not named stay unchanged. */
export interface IntegrationChanges {
  readonly type?: IntegrationType | undefined;
  readonly name?: string | undefined;
  readonly enabled?: boolean | undefined;
  readonly config?: Readonly<Record<string, Integration['config'][string] | undefined>> | undefined;
}

/** How a secret is shown: its end, or nothing if it is short. */
const MASK = /^•{4}(?: .{4})?$/su;
export const isMask = (text: string): boolean => MASK.test(text);

const MAX_URL_LENGTH = 2_048;
const UNPRINTABLE = /\p{Cc}/u;
const LOCAL_HOST = /^(?:localhost|[a-z0-9.-]+\.localhost|127\.0\.0\.1|\[::1\])$/;

/**
 * An https URL as a person writes it, without user name and password; with `allowsLocalHttp`, also an http URL of this
 * machine.
 */
function isPlainUrl(text: string, allowsLocalHttp: boolean): boolean {
  if (!/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text) || /[\p{Cc}\s\\]/u.test(text)) return false;
  const url = parseUrl(text);
  if (url === null) return false;
  const { protocol, hostname } = url;
  return protocol === 'https:' || (allowsLocalHttp && LOCAL_HOST.test(hostname));
}

const name = nameSchema();
const enabled = z.boolean('Allowed: true or false.');

/** The allowed names within a generic integration. */
export const OWN_NAME = 'Allowed as a name: a letter, then up to 63 of A-Z a-z 0-9 _ . -';
/** Names that members choose within a generic integration. */
const ownName = z.string().regex(/^[A-Za-z][A-Za-z0-9_.-]{0,63}$/, OWN_NAME);
/** How many settings, and how many secrets, a generic integration may have. */
const MAX_OWN_NAMES = 50;

/** Whether there are no more names than an integration may have. */
export function atMost<T>(values: Readonly<Record<string, T>>): boolean {
  return Object.keys(values).length <= MAX_OWN_NAMES;
}
export const TOO_MANY = `At most ${MAX_OWN_NAMES} names.`;

function isDistinct(texts: readonly string[]): boolean {
  return new Set(texts).size === texts.length;
}

const scalar = z.union([z.string().max(2_048).overwrite(cleanText), z.number(), z.boolean()], {
  error: 'Allowed: a text of at most 2048 characters, a number, true or false.',
});
const plainSecret = z
  .string('Allowed: a text of 1 to 1024 characters.')
  .min(1, 'At least one character.')
  .max(1_024, 'At most 1024 characters.')
  .refine((text) => !UNPRINTABLE.test(text), 'Allowed: a text without control characters.')
  .refine((text) => cleanText(text) === text, 'Allowed: a text of whole characters.');
const eventNames = z
  .array(z.string().min(1).max(256))
  .min(1)
  .max(50)
  .refine(isDistinct, 'Name each event once.')
  .describe('Names of the events that the receiver wants, 1 to 50; absent: all.');
const channel = z.string().min(1).max(80).describe('The channel to post to; absent: that of the URL.');
const recipients = z
  .array(z.email('Allowed: an email address.').max(320))
  .min(1)
  .max(20)
  .refine(isDistinct, 'Name each recipient once.')
  .describe('Email addresses, 1 to 20.');
const frequency = z.enum(['daily', 'weekly', 'monthly']);
const websiteIds = z
  .array(z.string().min(1).max(64))
  .min(1)
  .max(100)
  .refine(isDistinct, 'Name each website once.')
  .describe('Websites of the organization, 1 to 100; absent: all of them.');

/** The schemas for writing; `allowsLocalHttp`: http URLs of this machine are allowed, for development. */
export function integrationSchemas(allowsLocalHttp: boolean) {
  const urlText = allowsLocalHttp
    ? 'Allowed: an https URL without user name and password, or an http one of localhost.'
    : 'Allowed: an https URL without user name and password.';
  const isUrl = (text: string): boolean => isPlainUrl(text, allowsLocalHttp);
  const url = z.string(urlText).max(MAX_URL_LENGTH, `At most ${MAX_URL_LENGTH} characters.`);
  const openUrl = url.refine(isUrl, urlText).describe('Shown to whoever may read it: it holds no secret.');
  const notMasked = 'This is how a secret is shown, not a secret.';
  const newSecret = plainSecret
    .refine((text) => !isMask(text), notMasked)
    .describe('Write-only; shown masked.');
  const newSecretUrl = url.refine(isUrl, urlText).describe('Write-only; shown masked.');
  /** A changed secret; the masked text leaves it unchanged. */
  const secret = plainSecret.describe('Write-only. The masked text leaves it as it is.');
  const secretUrl = url
    .refine((text) => isMask(text) || isUrl(text), urlText)
    .describe('Write-only. The masked text leaves it as it is.');
  const named = <T extends z.ZodType>(value: T) => z.record(ownName, value).refine(atMost, TOO_MANY);

  /** The configuration of a new integration. */
  const configs = {
    webhook: z.strictObject({ url: openUrl, secret: newSecret.nullish(), events: eventNames.nullish() }),
    slack: z.strictObject({ webhookUrl: newSecretUrl, channel: channel.nullish() }),
    email_report: z.strictObject({ recipients, frequency, websiteIds: websiteIds.nullish() }),
    generic: z.strictObject({ settings: named(scalar).nullish(), secrets: named(newSecret).nullish() }),
  };
  /** The parts of it that may change: what is not named stays unchanged, null removes. */
  const changedConfigs = {
    webhook: z.strictObject({
      url: openUrl.optional(),
      secret: secret.nullish(),
      events: eventNames.nullish(),
    }),
    slack: z.strictObject({ webhookUrl: secretUrl.optional(), channel: channel.nullish() }),
    email_report: z.strictObject({
      recipients: recipients.optional(),
      frequency: frequency.optional(),
      websiteIds: websiteIds.nullish(),
    }),
    generic: z.strictObject({
      settings: named(scalar.nullable()).nullish(),
      secrets: named(secret.nullable()).nullish(),
    }),
  };
  const inputOf = <T extends IntegrationType>(type: T) =>
    z.strictObject({ type: z.literal(type), name, enabled: enabled.default(true), config: configs[type] });
  const changesOf = <T extends IntegrationType>(type: T) =>
    z.strictObject({
      type: z
        .literal(type, `The type cannot change: this is ${type}. Create another integration.`)
        .optional(),
      name: name.optional(),
      enabled: enabled.optional(),
      config: changedConfigs[type].optional(),
    });
  const changes: Readonly<Record<IntegrationType, z.ZodType<IntegrationChanges>>> = {
    webhook: changesOf('webhook'),
    slack: changesOf('slack'),
    email_report: changesOf('email_report'),
    generic: changesOf('generic'),
  };
  return {
    /** A new integration. */
    input: z.discriminatedUnion(
      'type',
      [inputOf('webhook'), inputOf('slack'), inputOf('email_report'), inputOf('generic')],
      { error: `Allowed: ${INTEGRATION_TYPES.join(', ')}.` },
    ),
    /** Changes to an integration, by its type. */
    changes,
  };
}
export type IntegrationSchemas = ReturnType<typeof integrationSchemas>;
export type IntegrationInput = z.output<IntegrationSchemas['input']>;

/** An integration on the wire. */
export const integrationViewSchema = z.object({
  id: z.string(),
  type: z.enum(INTEGRATION_TYPES),
  name: z.string(),
  enabled: z.boolean(),
  config: z
    .record(z.string(), z.json())
    .describe('By type; secrets are shown as •••• and their last 4 characters, short ones as •••• alone.'),
  unreadableSecrets: z
    .array(z.string())
    .describe('Secrets that no key of the server opens any more, such as "secret": set them again.'),
  createdBy: z.string(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type IntegrationView = z.infer<typeof integrationViewSchema>;
