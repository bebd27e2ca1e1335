/** What a short link may hold when it is written, and how it looks on the wire (contract.md section 7). */
import { z } from 'zod';
import { SLUG_PATTERN } from '../../shared/links/slug.ts';
import { type Link, linkSchema } from '../../shared/model/link.ts';
import { cleanText } from '../../shared/text/clean-text.ts';
import { nameSchema } from '../../shared/text/name-schema.ts';
import { parseUrl } from '../../shared/text/parse-url.ts';
import { instantInputSchema } from '../instant-input.ts';

export const LONGEST_URL = 2_048;

/** Scheme and authority as written. */
const ABSOLUTE = /^https?:\/\/([^/?#]+)/i;
/** Browsers silently drop or convert these: white space, control characters, and backslashes, which they read as slashes. */
const SILENTLY_CHANGED = /[\s\p{Cc}\p{Cf}\\]/u;
/** Percent-encoded control characters, which servers on the way may decode into a new line of a header. */
const ENCODED_CONTROL = /%(?:[01][0-9a-f]|7f)/i;

/**
 * The URL as the WHATWG standard writes it, which is what is stored and sent; null when `text` is not an absolute http
 * or https URL, carries credentials, or contains what parsers disagree about.
 */
export function normalWebUrl(text: string): string | null {
  if (text.length > LONGEST_URL || SILENTLY_CHANGED.test(text) || ENCODED_CONTROL.test(text)) return null;
  const authority = ABSOLUTE.exec(text)?.[1];
  // Some decode a percent sign in a host; an @ makes the part before it look like the host.
  const url = parseUrl(text);
  if (authority === undefined || /[@%]/.test(authority) || url === null) return null;
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  if (!isWeb || url.username !== '' || url.password !== '' || url.href.length > LONGEST_URL) return null;
  return url.href;
}

const MOST_TAGS = 20;
const LONGEST_TAG = 50;

export const slugSchema = z
  .string()
  .regex(new RegExp(`^${SLUG_PATTERN}$`))
  .describe('3 to 50 of A-Z a-z 0-9 _ -, and no reserved word');

export const webUrlSchema = z
  .string()
  .max(LONGEST_URL)
  .refine((text) => normalWebUrl(text) !== null)
  .transform((text) => normalWebUrl(text) ?? text)
  .describe(
    `an absolute http or https URL of at most ${LONGEST_URL} characters, without credentials, white space, backslashes and control characters`,
  );

function textSchema(longest: number) {
  return z.string().overwrite(cleanText).min(1).max(longest).describe(`a text of 1 to ${longest} characters`);
}

/** The request for a new link. */
export const linkInputSchema = z.strictObject({
  slug: slugSchema.optional(),
  targetUrl: webUrlSchema,
  name: nameSchema(),
  websiteId: z.string().min(1).max(64).nullish().describe('a website that the caller reaches, or null'),
  expiresAt: instantInputSchema.nullish(),
  expiredRedirectUrl: webUrlSchema.nullish(),
  iosUrl: webUrlSchema.nullish(),
  androidUrl: webUrlSchema.nullish(),
  ogTitle: textSchema(200).nullish(),
  ogDescription: textSchema(500).nullish(),
  ogImageUrl: webUrlSchema.nullish(),
  tags: z
    .array(textSchema(LONGEST_TAG))
    .max(MOST_TAGS)
    .refine((tags) => new Set(tags).size === tags.length)
    .optional()
    .describe(`a list of at most ${MOST_TAGS} different texts of 1 to ${LONGEST_TAG} characters`),
});
export type ParsedLinkInput = z.output<typeof linkInputSchema>;

/** The fields of a link that a caller may change; what is not named stays unchanged, null removes. */
export const linkChangesSchema = linkInputSchema.partial();
export type ParsedLinkChanges = z.output<typeof linkChangesSchema>;

/** A link on the wire. */
export const linkViewSchema = linkSchema.omit({ version: true });
export type LinkView = z.infer<typeof linkViewSchema>;

/** A stored link in its wire form. */
export function toLinkView(link: Link): LinkView {
  const { id, organizationId, websiteId, slug, name, targetUrl, expiresAt, expiredRedirectUrl } = link;
  const { iosUrl, androidUrl, ogTitle, ogDescription, ogImageUrl, tags } = link;
  const { createdBy, createdAt, updatedAt } = link;
  const target = { targetUrl, expiresAt, expiredRedirectUrl, iosUrl, androidUrl };
  const shown = { ogTitle, ogDescription, ogImageUrl, tags };
  return { id, organizationId, websiteId, slug, name, ...target, ...shown, createdBy, createdAt, updatedAt };
}

/** The stored fields of a request: absent ones are null. */
export function storedFields(input: Omit<ParsedLinkInput, 'slug' | 'websiteId'>) {
  return {
    targetUrl: input.targetUrl,
    name: input.name,
    expiresAt: input.expiresAt ?? null,
    expiredRedirectUrl: input.expiredRedirectUrl ?? null,
    iosUrl: input.iosUrl ?? null,
    androidUrl: input.androidUrl ?? null,
    ogTitle: input.ogTitle ?? null,
    ogDescription: input.ogDescription ?? null,
    ogImageUrl: input.ogImageUrl ?? null,
    tags: input.tags ?? [],
  };
}
