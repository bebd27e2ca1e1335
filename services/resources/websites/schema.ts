/** What a website may hold when it is written, and how it looks on the wire (contract.md section 7). */
import { z } from 'zod';
import type { Website } from '../../shared/model/website.ts';
import { websiteSettingsSchema } from '../../shared/model/website.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { parseUrl } from '../../shared/text/parse-url.ts';
import { normalDomain } from './normal-domain.ts';

/** Longest host of an origin, in characters. */
const MAX_HOST_LENGTH = 253;

/** The normal form of an origin (`https://host[:port]`), or null when `text` is not one, or its host is too long. */
export function normalOrigin(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null;
  if (url === null) return null;
  // Every process keeps the settings of many websites in memory: no website may take a megabyte.
  if (url.hostname.length > MAX_HOST_LENGTH) return null;
  const bare = url.username === '' && url.password === '' && url.pathname === '/' && !/[?#]|\/$/.test(text);
  return bare ? url.origin : null;
}

/** Whether `text` is an IANA time zone that this machine knows. */
export function isTimezone(text: string): boolean {
  if (/^[+-]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

export const websiteNameSchema = nameSchema();

export const domainSchema = z
  .string()
  .refine((text) => normalDomain(text) !== null)
  .overwrite((text) => normalDomain(text) ?? text)
  .describe('a host such as "shop.example.com", or the address of a page on it');

export const isPublicSchema = z.boolean().describe('true or false');

export const websiteSettingsInputSchema = websiteSettingsSchema.extend({
  allowedOrigins: z
    .array(z.string().refine((text) => normalOrigin(text) === text))
    .max(100)
    .optional()
    .describe(
      'a list of at most 100 origins with hosts of at most 253 characters, such as "https://app.example.com"',
    ),
  keylessTracking: z.boolean().optional().describe('true or false'),
  timezone: z.string().refine(isTimezone).optional().describe('an IANA time zone, such as "Europe/Berlin"'),
  pageviewAliases: z.boolean().optional().describe('true or false'),
  honorPrivacySignals: z.boolean().optional().describe('true or false'),
  keylessBytesPerDay: z
    .int()
    .min(1)
    .max(1_000_000_000_000)
    .optional()
    .describe('a whole number of bytes from 1 to 1000000000000'),
});

/** A new website, from the API or from a provisioning file. */
export const websiteInputSchema = z.strictObject({
  name: websiteNameSchema,
  domain: domainSchema,
  isPublic: isPublicSchema.optional(),
  settings: websiteSettingsInputSchema.optional().describe('a map of settings'),
});
export type WebsiteInput = z.infer<typeof websiteInputSchema>;

const {
  allowedOrigins,
  keylessTracking,
  timezone,
  pageviewAliases,
  honorPrivacySignals,
  keylessBytesPerDay,
} = websiteSettingsInputSchema.shape;

/**
 * The fields of a website that a caller may change. Fields and settings that are not named stay unchanged; null resets a
 * setting to its default.
 */
export const websiteChangesSchema = z
  .strictObject({
    ...websiteInputSchema.shape,
    settings: z
      .strictObject({
        allowedOrigins: orNull(allowedOrigins),
        keylessTracking: orNull(keylessTracking),
        timezone: orNull(timezone),
        pageviewAliases: orNull(pageviewAliases),
        honorPrivacySignals: orNull(honorPrivacySignals),
        keylessBytesPerDay: orNull(keylessBytesPerDay),
      })
      .describe('a map of settings'),
  })
  .partial();
export type WebsiteChanges = z.infer<typeof websiteChangesSchema>;

/** The same, or null, which removes the setting. */
function orNull<T extends z.ZodType>(setting: T) {
  return setting.nullable().describe(`${setting.description}, or null`);
}

/** What was probably meant by a text that is not in its field's normal form; undefined when unknown. */
export function normalForm(field: string, came: unknown): string | undefined {
  if (typeof came !== 'string') return undefined;
  if (field === 'allowedOrigins') return normalOrigin(came.replace(/\/+$/, '')) ?? undefined;
  return undefined;
}

/** A website on the wire. */
export const websiteViewSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    domain: z.string(),
    isPublic: z.boolean(),
    settings: websiteSettingsSchema,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ title: 'Website' });
export type WebsiteView = z.infer<typeof websiteViewSchema>;

/** A stored website in its wire form. */
export function toWebsiteView(website: Website): WebsiteView {
  const { id, name, domain, isPublic, settings, createdAt, updatedAt } = website;
  return { id, name, domain, isPublic, settings, createdAt, updatedAt };
}
