/** What a website may hold when it is written, and how it looks on the wire (contract.md section 7). */
import { z } from 'zod';
import type { Website } from '../../shared/model/website.ts';
import { websiteSettingsSchema } from '../../shared/model/website.ts';
import { parseUrl } from '../../shared/text/parse-url.ts';

const LABEL = /^(?!-)[a-z0-9-]{1,63}(?<!-)$/;
const MAX_DOMAIN_LENGTH = 253;

/**
 * The normal form of a domain: lower-case host (IDN as punycode) without scheme, port, path and leading `www.`;
 * null when there is no host in `text`.
 */
export function normalDomain(text: string): string | null {
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const parsed = parseUrl(withScheme);
  if (parsed === null) return null;
  const host = parsed.hostname.replace(/\.$/, '').replace(/^www\.(?=.)/, '');
  return isDomain(host) ? host : null;
}

function isDomain(host: string): boolean {
  return host.length <= MAX_DOMAIN_LENGTH && host.split('.').every((label) => LABEL.test(label));
}

/** The normal form of an origin (`https://host[:port]`), or null when `text` is none, or its host too long to be one. */
export function normalOrigin(text: string): string | null {
  const url = /^https?:\/\//i.test(text) ? parseUrl(text) : null;
  if (url === null) return null;
  // Every process keeps the settings of many websites at hand: no website may be a megabyte of them.
  if (url.hostname.length > MAX_DOMAIN_LENGTH) return null;
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

export const websiteNameSchema = z.string().min(1).max(100).describe('a text of 1 to 100 characters');

export const domainSchema = z
  .string()
  .refine((text) => normalDomain(text) === text)
  .describe('a lower-case host without scheme, port, path and leading www., such as "shop.example.com"');

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
});

/** A new website, from the API and from a provisioning file alike. */
export const websiteInputSchema = z.strictObject({
  name: websiteNameSchema,
  domain: domainSchema,
  isPublic: isPublicSchema.optional(),
  settings: websiteSettingsInputSchema.optional().describe('a map of settings'),
});
export type WebsiteInput = z.infer<typeof websiteInputSchema>;

const { allowedOrigins, keylessTracking, timezone } = websiteSettingsInputSchema.shape;

/** What a caller may change of a website. What is not named stays, in the settings too; a setting of null goes back to its default. */
export const websiteChangesSchema = z
  .strictObject({
    ...websiteInputSchema.shape,
    settings: z
      .strictObject({
        allowedOrigins: orNull(allowedOrigins),
        keylessTracking: orNull(keylessTracking),
        timezone: orNull(timezone),
      })
      .describe('a map of settings'),
  })
  .partial();
export type WebsiteChanges = z.infer<typeof websiteChangesSchema>;

/** The same, or null, which takes the setting away. */
function orNull<T extends z.ZodType>(setting: T) {
  return setting.nullable().describe(`${setting.description}, or null`);
}

/** What was probably meant by a text that is not in the normal form of its field; undefined when that is not known. */
export function normalForm(field: string, came: unknown): string | undefined {
  if (typeof came !== 'string') return undefined;
  if (field === 'domain') return normalDomain(came) ?? undefined;
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

/** A stored website as the wire shows it. */
export function toWebsiteView(website: Website): WebsiteView {
  const { id, name, domain, isPublic, settings, createdAt, updatedAt } = website;
  return { id, name, domain, isPublic, settings, createdAt, updatedAt };
}
