/** GET /{slug}: follows a short link, and counts the click. */
import { z } from 'zod';
import { ApiError } from '../../shared/errors/api-error.ts';
import { type QueryParameters, writeQuery } from '../../shared/http/query-string.ts';
import { defineRoute, type Route, type RouteOutput } from '../../shared/http/route.ts';
import { isSlug } from '../../shared/links/slug.ts';
import type { Link } from '../../shared/model/link.ts';
import { asksForPrivacy } from '../ingest/privacy-signals.ts';
import type { TrackingParts } from '../ports.ts';
import type { VisitorKey } from '../salts/daily-salts.ts';
import { clickRecord } from './click-record.ts';
import type { KnownLink } from './known-links.ts';
import { hasPreview, isPreviewer, PREVIEW_HEADERS, previewPage } from './preview-page.ts';

/** Every click counts, and the target may change: no cache may answer instead. */
const NO_STORE = { 'Cache-Control': 'private, no-store' };

const querySchema = z.looseObject({});

export const redirectRoute: Route<TrackingParts> = defineRoute<
  TrackingParts,
  undefined,
  z.infer<typeof querySchema>
>({
  operationId: 'followLink',
  method: 'GET',
  path: '/:slug',
  rule: 'public',
  summary: 'Follow a short link',
  description:
    'Redirects to the target of the link, on iOS and Android to the one of that system. An expired link redirects to its `expiredRedirectUrl`, or is GONE. The click is counted; HEAD, crawlers and expired links redirect and are not. Social networks that fetch a preview get a page with the Open Graph texts, where the link has some. A segment that can be no slug is an unknown path.',
  tags: ['links'],
  query: querySchema,
  success: {
    status: 302,
    schema: z.string(),
    example: '',
    mediaType: 'text/html; charset=utf-8',
    headers: { 'Cache-Control': '`private, no-store`: every following is a click.' },
  },
  errors: ['NOT_FOUND', 'GONE', 'SERVICE_UNAVAILABLE'],
  async handler({ method, params, query, headers }, parts): Promise<RouteOutput> {
    const slug = params.slug ?? '';
    const known = isSlug(slug) ? await parts.knownLinks(slug) : null;
    if (known === null) throw new ApiError('NOT_FOUND', { text: `There is no short link "${slug}".` });
    const now = parts.clock.now();
    const client = parts.readClient({ headers, isKeyless: true });
    const destination = destinationOf(known, now, client.device.os_name);
    if (destination.kind === 'expired') {
      throw new ApiError('GONE', { text: `The short link "${slug}" has expired.`, headers: NO_STORE });
    }
    const isLive = destination.kind === 'target';
    if (isPreviewer(textOf(headers['user-agent']))) {
      if (isLive && hasPreview(known.link)) return preview(known.link);
    } else if (method === 'GET' && !client.isCrawler && isLive) {
      if (known.honorsPrivacySignals && asksForPrivacy(headers)) parts.counts.add('privacy_signal', 1);
      else {
        const queryString = writeQuery(query as QueryParameters);
        const click = { client, referrer: textOf(headers.referer), queryString, now };
        const record = (visitorKey: VisitorKey) =>
          parts.clicks.record(clickRecord(known, { ...click, visitorKey }));
        const key = parts.salts.at(now);
        // The redirect does not wait for a store.
        if (key instanceof Promise) key.then(record, () => parts.clicks.lose());
        else record(key);
      }
    }
    return { headers: { ...NO_STORE, Location: destination.url } };
  },
});

function preview(link: Link): RouteOutput {
  return {
    status: 200,
    bytes: Buffer.from(previewPage(link)),
    headers: { ...NO_STORE, ...PREVIEW_HEADERS },
  };
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

/** `expired`: it no longer leads anywhere. */
type Destination =
  | { readonly kind: 'target'; readonly url: string }
  | { readonly kind: 'replacement'; readonly url: string }
  | { readonly kind: 'expired' };

/** Where it leads at `now` (milliseconds) on a system such as `iOS`; null: unknown system. A link ends at the instant of its expiry. */
function destinationOf({ link, expiresAtMs }: KnownLink, now: number, system: string | null): Destination {
  if (now >= expiresAtMs) {
    const { expiredRedirectUrl } = link;
    return expiredRedirectUrl === null
      ? { kind: 'expired' }
      : { kind: 'replacement', url: expiredRedirectUrl };
  }
  return { kind: 'target', url: urlFor(link, system) };
}

function urlFor({ targetUrl, iosUrl, androidUrl }: KnownLink['link'], system: string | null): string {
  if (system === 'iOS') return iosUrl ?? targetUrl;
  if (system === 'Android') return androidUrl ?? targetUrl;
  return targetUrl;
}
