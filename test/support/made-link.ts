/** Short links for tests: one of any texts, one that somebody has followed, and one as the API would never answer it. */
import { expectSuccess } from './answers.ts';
import { eventually } from './eventually.ts';
import type { TestServer } from './start-tidegate.ts';

const AGENT =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const SHOP = 'https://shop.example.com/a-path-that-is-longer-than-telephones-are-wide/but-read-by-many';

/** Its identifier. */
export async function makeLink(server: TestServer, asked: object = {}): Promise<string> {
  const body = { name: 'Sale', targetUrl: 'https://shop.example.com/sale', ...asked };
  const answer = await server.call('POST', '/v1/links', { key: server.keys.all, body });
  expectSuccess(answer, 201);
  return answer.body.data.id;
}

/** Follows it as a visitor in Germany does. */
export function followLink(server: TestServer, slug: string) {
  const headers = { 'user-agent': AGENT, 'cf-ipcountry': 'DE', referer: 'https://news.example.org/' };
  return server.call('GET', `/${slug}`, { headers });
}

/** One of many words; its identifier, once its click is counted. */
export async function followedLink(server: TestServer): Promise<string> {
  const slug = `poster-${'x'.repeat(40)}`;
  const id = await makeLink(server, {
    ...{ name: 'Poster at the station', slug, websiteId: 'web_shop', tags: ['poster', 'station'] },
    ...{
      targetUrl: `${SHOP}?utm_source=poster`,
      expiredRedirectUrl: SHOP,
      expiresAt: '2098-01-31T00:00:00Z',
    },
    ...{ iosUrl: SHOP, ogTitle: 'A title of many words that a messenger shows' },
  });
  expectSuccess(await followLink(server, slug), 302);
  const body = { parameters: ['link_total_clicks'], preset: 'today' };
  await eventually(async () => {
    const answer = await server.call('POST', `/v1/query?link_id=${id}`, { key: server.keys.all, body });
    return answer.body.data?.[0]?.data?.[0]?.total;
  }).equals(1);
  return id;
}

/** One whose every text is `text`, as far as the API takes it. */
export function makeLinkOf(server: TestServer, text: string): Promise<string> {
  const cut = (length: number) => text.slice(0, length);
  return makeLink(server, {
    ...{ name: cut(100), ogTitle: cut(200), ogDescription: cut(500), tags: [cut(50)] },
    targetUrl: 'https://evil.example/?pwn#%3Cb%20class=pwn%3E',
  });
}

/** A link whose every text is `text`, addresses too, as a page must bear it all the same. */
export const strangeLink = (text: string, index: number) => ({
  ...{ id: `lnk_${index}`, organizationId: 'org_main', websiteId: text, slug: 'x', name: text },
  ...{ targetUrl: text, expiresAt: null, expiredRedirectUrl: text, iosUrl: text, androidUrl: text },
  ...{ ogTitle: text, ogDescription: text, ogImageUrl: text, tags: [text], createdBy: text },
  ...{ createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' },
});
