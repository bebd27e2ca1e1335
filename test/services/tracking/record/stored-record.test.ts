/** What POST /track stores of an event: page, campaign, referrer, visitor and every other column (datasets.md). */
import { expect } from 'chai';
import { NUMBER_COLUMNS, TEXT_COLUMNS } from '../../../../services/shared/model/event-record.ts';
import type { RawRow } from '../../../../services/shared/ports/event-store.ts';
import { createTrackingFixture, type TrackingFixture } from '../tracking-fixture.ts';

const DAY = 86_400_000;

describe('The record of an event of POST /track', () => {
  let service: TrackingFixture;
  let events = 0;

  before(async () => {
    service = await createTrackingFixture();
    await service.website('web_1', { domain: 'example.com' });
    await service.website('web_2', { domain: 'other.example' });
  });
  after(() => service.close());

  /** The row of one event, which is accepted. */
  async function recordOf(event: Record<string, unknown>): Promise<RawRow> {
    events += 1;
    const name = `event ${events}`;
    const answer = await service.track({ name, ...event });
    expect(answer.body).to.include({ success: true, count: 1 });
    const [row] = await service.stored(String(event.name ?? name));
    if (!row) throw new Error('nothing was stored');
    return row;
  }

  it('puts every field of the wire into its column', async () => {
    const row = await recordOf({
      name: 'everything',
      timestamp: '2026-07-01T10:20:30.456+02:00',
      websiteId: 'web_1',
      anonymousId: 'visitor',
      sessionId: 'session',
      profileId: 'profile',
      eventId: 'event',
      path: 'https://www.example.com/shop/?utm_source=news&x=1#top',
      referrer: 'https://www.google.com/search',
      title: 'Shop',
      utm_medium: 'mail',
      properties: { a: [1, { b: null }] },
      namespace: 'billing',
      source: 'backend',
      screen_resolution: '1920x1080',
      viewport_size: '800x600',
      timezone: 'Europe/Berlin',
      language: 'de-DE',
      time_on_page: 12.5,
      scroll_depth: 80,
      interaction_count: 3,
      page_count: 2,
      load_time: 1200.5,
      ttfb: 80,
      dom_ready_time: 900,
      render_time: 300,
      metricName: 'CLS',
      metricValue: 0.05,
      message: 'oops',
      errorType: 'TypeError',
      filename: 'app.js',
      lineno: 10,
      colno: 20,
      stack: 'at app.js:10',
      href: 'https://elsewhere.example/',
      text: 'Elsewhere',
    });
    const filled = {
      organization_id: 'org_a',
      website_id: 'web_1',
      event_name: 'everything',
      timestamp: Date.UTC(2026, 6, 1, 8, 20, 30, 456),
      is_bot: false,
      is_keyless: null,
      anonymous_id: 'visitor',
      session_id: 'session',
      profile_id: 'profile',
      event_id: 'event',
      hostname: 'www.example.com',
      path: '/shop',
      query_string: 'utm_source=news&x=1',
      referrer: 'https://www.google.com/search',
      referrer_host: 'google.com',
      referrer_group: 'campaign',
      title: 'Shop',
      utm_source: 'news',
      utm_medium: 'mail',
      properties: '{"a":[1,{"b":null}]}',
      namespace: 'billing',
      source: 'backend',
      screen_resolution: '1920x1080',
      viewport_size: '800x600',
      timezone: 'Europe/Berlin',
      language: 'de-DE',
      time_on_page: 12.5,
      scroll_depth: 80,
      interaction_count: 3,
      page_count: 2,
      load_time: 1200.5,
      ttfb: 80,
      dom_ready_time: 900,
      render_time: 300,
      metric_name: 'CLS',
      metric_value: 0.05,
      message: 'oops',
      error_type: 'TypeError',
      filename: 'app.js',
      lineno: 10,
      colno: 20,
      stack: 'at app.js:10',
      href: 'https://elsewhere.example/',
      text: 'Elsewhere',
    };
    const columns = [...TEXT_COLUMNS, ...NUMBER_COLUMNS];
    expect(row).to.deep.equal({ ...Object.fromEntries(columns.map((column) => [column, null])), ...filled });
  });

  it('stores null for an empty text and for empty properties', async () => {
    const empty = {
      anonymousId: '',
      sessionId: '',
      path: '',
      referrer: '',
      title: '',
      utm_source: '',
      properties: {},
    };
    expect(await recordOf(empty)).to.include({
      anonymous_id: null,
      session_id: null,
      path: null,
      query_string: null,
      referrer: null,
      title: null,
      utm_source: null,
      properties: null,
    });
  });

  it('splits pages into host, path and query string', async () => {
    const pages: readonly (readonly [string, string | null, string, string | null])[] = [
      ['/', null, '/', null],
      ['/pricing/', null, '/pricing', null],
      ['/pricing//?a=1&b=/#x?y', null, '/pricing', 'a=1&b=/'],
      ['pricing', null, '/pricing', null],
      ['?a=1', null, '/', 'a=1'],
      ['#part', null, '/', null],
      ['https://Example.COM', 'example.com', '/', null],
      ['http://user:pw@example.com:8080/A/B/?', 'example.com', '/A/B', null],
      ['https://[::1]:3000/x', '[::1]', '/x', null],
      ['https://example.com/%C3%A4/ä', 'example.com', '/%C3%A4/ä', null],
    ];
    for (const [wire, hostname, path, query_string] of pages) {
      expect(await recordOf({ path: wire }), wire).to.include({ hostname, path, query_string });
    }
  });

  it('reads the campaign from the URL where the event has none, decoded, clean and cut to 256 characters', async () => {
    const long = 'c'.repeat(300);
    const path = `/x?utm_source=a%20b&utm_medium=cpc%00&utm_campaign=${long}&utm_term=%F0%9F%98%80&utm_content=`;
    expect(await recordOf({ path, utm_medium: 'mail' })).to.include({
      utm_source: 'a b',
      utm_medium: 'mail',
      utm_campaign: 'c'.repeat(256),
      utm_term: '😀',
      utm_content: null,
    });
    expect(await recordOf({ path: '/x?utm_medium=a%00b' })).to.include({ utm_medium: 'ab' });
  });

  it('reads the campaign from wherever a query string stands', async () => {
    const campaigns: readonly (readonly [string, string | null, string | null])[] = [
      ['https://example.com/a?utm_source=news', 'news', null],
      ['https://example.com?utm_source=news&utm_medium=mail', 'news', 'mail'],
      ['/a?utm_source=news#part', 'news', null],
      ['?utm_source=news', 'news', null],
      ['/a?x=1&utm_source=a+b', 'a b', null],
      ['/a?utm_source=first&utm_source=second', 'first', null],
      ['/a?utm_source=%E4%', '\uFFFD%', null],
      ['/a?utm_source=%3Cb%3E%26&utm_medium=%26', '<b>&', '&'],
      ['/a?utm_source&utm_medium=', null, null],
      ['/a#utm_source=news', null, null],
      ['/utm_source=news', null, null],
      ['/a?xutm_source=news', null, null],
    ];
    for (const [path, utm_source, utm_medium] of campaigns) {
      expect(await recordOf({ path }), path).to.include({ utm_source, utm_medium });
    }
  });

  it('groups traffic by its referrer', async () => {
    const referrers: readonly (readonly [string | undefined, string | null, string])[] = [
      [undefined, null, 'direct'],
      ['', null, 'direct'],
      ['https://example.com/a', null, 'direct'],
      ['https://www.example.com/', null, 'direct'],
      ['https://blog.example.com/', null, 'direct'],
      ['https://notexample.com/', 'notexample.com', 'referral'],
      ['https://www.google.com/', 'google.com', 'search'],
      ['https://www.google.co.uk/search?q=x', 'google.co.uk', 'search'],
      ['https://docs.google.com/', 'docs.google.com', 'referral'],
      ['https://google.evil.example/', 'google.evil.example', 'referral'],
      ['https://mail.google.com/mail', 'mail.google.com', 'email'],
      ['android-app://com.google.android.gm/', 'com.google.android.gm', 'email'],
      ['https://duckduckgo.com', 'duckduckgo.com', 'search'],
      ['https://l.facebook.com/l.php', 'l.facebook.com', 'social'],
      ['https://t.co/abc', 't.co', 'social'],
      ['https://notx.com/', 'notx.com', 'referral'],
      ['https://News.Ycombinator.com:443/item', 'news.ycombinator.com', 'social'],
      ['https://www.google.com.au/', 'google.com.au', 'search'],
      ['https://yandex.com.tr/search', 'yandex.com.tr', 'search'],
      ['https://search.yahoo.com/', 'search.yahoo.com', 'search'],
      ['https://outlook.live.com/mail', 'outlook.live.com', 'email'],
      ['https://old.reddit.com/r/x', 'old.reddit.com', 'social'],
      [
        'android-app://com.google.android.googlequicksearchbox/',
        'com.google.android.googlequicksearchbox',
        'search',
      ],
      ['https://user:secret@www.bing.com:8443/?q=x', 'bing.com', 'search'],
      ['https://www.bing.com./', 'bing.com', 'search'],
      ['HTTPS://T.CO/x', 't.co', 'social'],
      ['github.com/some/page', 'github.com', 'referral'],
      ['about:blank', null, 'direct'],
      ['not a referrer', null, 'direct'],
    ];
    for (const [referrer, referrer_host, referrer_group] of referrers) {
      const row = await recordOf({ referrer, websiteId: 'web_1' });
      expect(row, String(referrer)).to.include({ referrer_host, referrer_group, referrer: referrer || null });
    }
  });

  it("takes the page's own host for its own domain when the event belongs to the organization", async () => {
    const event = { path: 'https://www.shop.example/a', referrer: 'https://shop.example/b' };
    expect(await recordOf(event)).to.include({ referrer_group: 'direct', referrer_host: null });
  });

  it('makes everything with a utm_source a campaign and still keeps the host', async () => {
    const row = await recordOf({ utm_source: 'newsletter', referrer: 'https://www.google.com/' });
    expect(row).to.include({ referrer_group: 'campaign', referrer_host: 'google.com' });
    expect(await recordOf({ path: '/?utm_source=x' })).to.include({ referrer_group: 'campaign' });
  });

  describe('anonymizeVisitorIds', () => {
    const hashOf = async (event: Record<string, unknown>) =>
      (await recordOf({ anonymousId: 'visitor-1', anonymizeVisitorIds: true, ...event })).anonymous_id;

    it('stores a hash that is the same all day and tells nothing of the visitor', async () => {
      const hash = await hashOf({ timestamp: '2026-07-14T00:00:00.000Z' });
      expect(hash).to.match(/^[0-9a-f]{32}$/);
      expect(await hashOf({ timestamp: '2026-07-14T23:59:59.999Z' })).to.equal(hash);
      expect(await hashOf({ timestamp: '2026-07-14T23:59:59.999Z', anonymousId: 'visitor-2' })).not.to.equal(
        hash,
      );
    });

    it('stores another hash on another day and for another website', async () => {
      const today = service.clock.now();
      const hashes = [
        await hashOf({ timestamp: today }),
        await hashOf({ timestamp: today - DAY }),
        await hashOf({ timestamp: today, websiteId: 'web_1' }),
        await hashOf({ timestamp: today, websiteId: 'web_2' }),
      ];
      expect(new Set(hashes).size).to.equal(4);
    });

    it('stores another hash in another installation, though its secret is the same', async () => {
      const other = await createTrackingFixture();
      await other.track({ name: 'again', anonymousId: 'visitor-1', anonymizeVisitorIds: true });
      const [row] = await other.stored('again');
      await other.close();
      expect(row?.anonymous_id).to.match(/^[0-9a-f]{32}$/);
      expect(row?.anonymous_id).to.not.equal(await hashOf({}));
    });

    it('stores nothing where there is no anonymousId, and the plain one when false', async () => {
      expect(await hashOf({ anonymousId: null })).to.equal(null);
      expect(await hashOf({ anonymizeVisitorIds: false })).to.equal('visitor-1');
    });
  });
});
