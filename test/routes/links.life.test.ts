/** The life of a short link through the whole server: made, followed, counted, changed, expired, deleted. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTestClock, type TestClock } from '../support/test-clock.ts';
import { until } from '../support/until.ts';

const DESKTOP =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
const CRAWLER = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const PREVIEWER = 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)';

describe('the life of a short link', () => {
  let server: TestServer;
  let clock: TestClock;

  before(async () => {
    clock = createTestClock('2026-03-04T12:00:00.000Z');
    server = await startTidegate({ clock });
  });
  after(() => server.close());

  async function create(slug: string, asked: object = {}): Promise<{ readonly id: string }> {
    const body = { name: slug, slug, targetUrl: `https://shop.example.com/${slug}`, ...asked };
    const answer = await server.call('POST', '/v1/links', { key: server.keys.all, body });
    expectSuccess(answer, 201, clock.now());
    return answer.body.data;
  }
  const follow = (path: string, agent = DESKTOP, headers: Record<string, string> = {}, method = 'GET') =>
    server.call(method, path, { headers: { 'user-agent': agent, ...headers } });
  const change = (id: string, body: object) =>
    server.call('PATCH', `/v1/links/${id}`, { key: server.keys.all, body });

  function expectRedirect(answer: Answer, location: string): void {
    expectSuccess(answer, 302, clock.now());
    expect(answer.headers.get('location')).to.equal(location);
    expect(answer.headers.get('cache-control')).to.equal('private, no-store');
  }

  /** The rows of datasets of a link, each by its name. */
  async function analytics(id: string, ...parameters: string[]): Promise<Record<string, never[]>> {
    const answer = await server.call('POST', `/v1/query?link_id=${id}`, {
      key: server.keys.linksOnly,
      body: { parameters, preset: 'today' },
    });
    expectSuccess(answer, 200, clock.now());
    const data: { parameter: string; data: never[] }[] = answer.body.data;
    return Object.fromEntries(data.map((result) => [result.parameter, result.data]));
  }
  async function clicksOf(id: string): Promise<number> {
    const { link_total_clicks: rows } = await analytics(id, 'link_total_clicks');
    return (rows?.[0] as { total: number } | undefined)?.total ?? 0;
  }
  /** Once every click before is stored: a later one of another link is. */
  async function settled(): Promise<void> {
    const marker = await create(`marker-${clock.now()}-${Math.random().toString(36).slice(2)}`.slice(0, 40));
    const { slug } = (await server.call('GET', `/v1/links/${marker.id}`, { key: server.keys.all })).body.data;
    await follow(`/${slug}`);
    await until('the click of the marker is stored', async () => (await clicksOf(marker.id)) === 1);
  }

  it('counts 10 clicks once each, by country, device, browser and referrer', async () => {
    const { id } = await create('ten', { websiteId: 'web_shop' });
    const from = (country: string) => ({ 'cf-ipcountry': country });
    await Promise.all([
      ...Array.from({ length: 4 }, () => follow('/ten', DESKTOP, from('DE'))),
      ...Array.from({ length: 3 }, () => follow('/ten', IPHONE, from('FR'))),
      ...Array.from({ length: 2 }, () =>
        follow('/ten', ANDROID, { ...from('DE'), referer: 'https://news.example/a' }),
      ),
      follow('/ten', DESKTOP),
    ]);
    await settled();
    const found = await analytics(
      id,
      'link_total_clicks',
      'link_clicks_by_day',
      'link_top_countries',
      'link_top_devices',
      'link_top_browsers',
      'link_top_referrers',
    );
    expect(found.link_total_clicks).to.deep.equal([{ total: 10 }]);
    expect(found.link_clicks_by_day).to.deep.equal([{ date: '2026-03-04', clicks: 10 }]);
    const named = (rows: { name: string; clicks: number }[] = []) =>
      rows.map(({ name, clicks }) => [name, clicks]);
    expect(named(found.link_top_countries)).to.deep.equal([
      ['Germany', 6],
      ['France', 3],
      ['Unknown', 1],
    ]);
    expect(named(found.link_top_devices)).to.have.deep.members([
      ['desktop', 5],
      ['mobile', 5],
    ]);
    expect(named(found.link_top_browsers)).to.deep.equal([
      ['Chrome', 7],
      ['Safari', 3],
    ]);
    expect(named(found.link_top_referrers)).to.deep.equal([
      ['Direct', 8],
      ['news.example', 2],
    ]);
  });

  it('redirects HEAD and crawlers, and counts neither', async () => {
    const { id } = await create('uncounted');
    const target = 'https://shop.example.com/uncounted';
    expectRedirect(await follow('/uncounted', DESKTOP, {}, 'HEAD'), target);
    for (const agent of [CRAWLER, PREVIEWER]) expectRedirect(await follow('/uncounted', agent), target);
    await settled();
    expect(await clicksOf(id)).to.equal(0);
    expectRedirect(await follow('/uncounted'), target);
    await settled();
    expect(await clicksOf(id)).to.equal(1);
  });

  it('redirects who asks not to be followed, and counts no click where the website honours it', async () => {
    const settings = { honorPrivacySignals: true };
    const changed = await server.call('PATCH', '/v1/websites/web_shop', {
      key: server.keys.all,
      body: { settings },
    });
    expect(changed.status).to.equal(200);
    const honoured = await create('honoured', { websiteId: 'web_shop' });
    const elsewhere = await create('elsewhere', { websiteId: 'web_blog' });
    for (const signal of [{ dnt: '1' }, { 'sec-gpc': '1' }] as Record<string, string>[]) {
      expectRedirect(await follow('/honoured', DESKTOP, signal), 'https://shop.example.com/honoured');
      expectRedirect(await follow('/elsewhere', DESKTOP, signal), 'https://shop.example.com/elsewhere');
    }
    await follow('/honoured');
    await settled();
    expect([await clicksOf(honoured.id), await clicksOf(elsewhere.id)]).to.deep.equal([1, 2]);
    const back = { settings: { honorPrivacySignals: null } };
    await server.call('PATCH', '/v1/websites/web_shop', { key: server.keys.all, body: back });
    await follow('/honoured', DESKTOP, { dnt: '1' });
    await settled();
    expect(await clicksOf(honoured.id)).to.equal(2);
  });

  it('leads iOS and Android to their own targets', async () => {
    const { id } = await create('apps', {
      iosUrl: 'https://apps.apple.com/app/1',
      androidUrl: 'https://play.google.com/store/apps/1',
    });
    expectRedirect(await follow('/apps', IPHONE), 'https://apps.apple.com/app/1');
    expectRedirect(await follow('/apps', ANDROID), 'https://play.google.com/store/apps/1');
    expectRedirect(await follow('/apps', DESKTOP), 'https://shop.example.com/apps');
    await change(id, { iosUrl: null });
    expectRedirect(await follow('/apps', IPHONE), 'https://shop.example.com/apps');
  });

  it('binds a change, a new slug and the deletion on the next click', async () => {
    const { id } = await create('moving');
    expectRedirect(await follow('/moving'), 'https://shop.example.com/moving');
    expectError(await follow('/moved'), 404, 'NOT_FOUND', clock.now());
    expectSuccess(await change(id, { targetUrl: 'https://shop.example.com/new' }), 200, clock.now());
    expectRedirect(await follow('/moving'), 'https://shop.example.com/new');
    await change(id, { slug: 'moved' });
    expectRedirect(await follow('/moved'), 'https://shop.example.com/new');
    expectError(await follow('/moving'), 404, 'NOT_FOUND', clock.now());
    await server.call('DELETE', `/v1/links/${id}`, { key: server.keys.all });
    expectError(await follow('/moved'), 404, 'NOT_FOUND', clock.now());
    await create('moved');
    expectRedirect(await follow('/moved'), 'https://shop.example.com/moved');
  });

  it('ends at its expiry: 410 GONE, or on to the place that replaces it, and counts no more', async () => {
    const expiresAt = new Date(clock.now() + 60_000).toISOString();
    const { id } = await create('short-lived', { expiresAt });
    const replaced = await create('replaced', {
      expiresAt,
      expiredRedirectUrl: 'https://shop.example.com/over',
      ogTitle: 'Ends soon',
    });
    clock.advance(59_999);
    expect((await follow('/replaced', PREVIEWER)).body).to.include('Ends soon');
    expectRedirect(await follow('/short-lived'), 'https://shop.example.com/short-lived');
    await settled();
    clock.advance(1);
    const gone = await follow('/short-lived');
    expectError(gone, 410, 'GONE', clock.now());
    expect(gone.headers.get('cache-control')).to.equal('private, no-store');
    for (const agent of [DESKTOP, PREVIEWER])
      expectRedirect(await follow('/replaced', agent), 'https://shop.example.com/over');
    await settled();
    expect(await clicksOf(id)).to.equal(1);
    expect(await clicksOf(replaced.id)).to.equal(0);
    await change(id, { expiresAt: null });
    expectRedirect(await follow('/short-lived'), 'https://shop.example.com/short-lived');
  });

  it('shows social networks its Open Graph texts, escaped, and everybody else the target', async () => {
    const og = {
      ogTitle: '"><script>alert(1)</script>',
      ogDescription: "It's",
      ogImageUrl: 'https://i.example/a.png?a&b',
    };
    await create('shown', og);
    const page = await follow('/shown', PREVIEWER);
    expectSuccess(page, 200, clock.now());
    expect(page.headers.get('content-type')).to.equal('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).to.equal("default-src 'none'");
    expect(page.headers.get('cache-control')).to.equal('private, no-store');
    expect(page.body).to.include(
      '<meta property="og:title" content="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;">',
    );
    expect(page.body).to.include('<meta property="og:description" content="It&#39;s">');
    expect(page.body).to.include('<meta property="og:image" content="https://i.example/a.png?a&amp;b">');
    expect(page.body).to.not.include('<script');
    for (const agent of [DESKTOP, CRAWLER])
      expectRedirect(await follow('/shown', agent), 'https://shop.example.com/shown');
  });

  it('keeps the campaign of the click, and no address of the visitor', async () => {
    await create('campaign', {
      websiteId: 'web_shop',
      targetUrl: 'https://shop.example.com/?utm_source=poster',
    });
    await follow('/campaign');
    await follow('/campaign?utm_source=mail&utm_medium=text');
    // These name no campaign.
    await follow('/campaign?from=utm_source');
    await follow('/campaign?utm_source=&utm_x=1');
    await settled();
    const answer = await server.call('POST', '/v1/query/custom?website_id=web_shop', {
      key: server.keys.readOnly,
      body: { sql: "SELECT * FROM link_clicks WHERE path = '/campaign' ORDER BY utm_source" },
    });
    expectSuccess(answer, 200, clock.now());
    const rows: Record<string, unknown>[] = answer.body.data;
    const campaigns = rows.map((row) => [row.utm_source, row.utm_medium]);
    expect(campaigns).to.deep.equal([
      ['mail', 'text'],
      ['poster', null],
      ['poster', null],
      ['poster', null],
    ]);
    for (const row of rows) {
      expect(row.anonymous_id).to.match(/^[0-9a-f]{32}$/);
      expect(JSON.stringify(row)).to.not.match(/10\.\d+\.\d+\.\d+/);
    }
  });
});
