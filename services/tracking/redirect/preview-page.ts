/** The page for social networks that preview a short link: it holds the link's Open Graph texts (ogp.me). */
import type { Link } from '../../shared/model/link.ts';

/** Clients that fetch a link for a preview, by the product in their user agent. */
const PREVIEWERS =
  /facebookexternalhit|facebot|twitterbot|linkedinbot|slackbot|discordbot|telegrambot|^whatsapp\/|skypeuripreview|pinterestbot|redditbot|mastodon\/|bluesky cardyb|vkshare|iframely|embedly/i;

/** The page runs and loads nothing, whatever its texts contain. */
export const PREVIEW_HEADERS = {
  'Content-Security-Policy': "default-src 'none'",
  'X-Content-Type-Options': 'nosniff',
} as const;

/** Whether a user agent fetches links for previews. */
export function isPreviewer(userAgent: string): boolean {
  return PREVIEWERS.test(userAgent);
}

/** Whether the link has preview texts. */
export function hasPreview({ ogTitle, ogDescription, ogImageUrl }: Link): boolean {
  return ogTitle !== null || ogDescription !== null || ogImageUrl !== null;
}

/** The page. Missing texts are omitted; the title falls back to the link's address. */
export function previewPage(link: Link): string {
  const { ogTitle, ogDescription, ogImageUrl, targetUrl } = link;
  const title = escaped(ogTitle ?? targetUrl);
  const properties = { 'og:title': ogTitle, 'og:description': ogDescription, 'og:image': ogImageUrl };
  const metas = Object.entries(properties).flatMap(([property, content]) =>
    content === null ? [] : [`<meta property="${property}" content="${escaped(content)}">`],
  );
  const head = ['<meta charset="utf-8">', `<title>${title}</title>`, ...metas].join('\n');
  return `<!doctype html>\n${head}\n<a href="${escaped(targetUrl)}">${title}</a>\n`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
