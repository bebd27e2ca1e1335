/** Events and outbound links of a website in a real browser: every number is what the API answers, and every row leads on. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectSuccess } from '../../../../../support/answers.ts';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { importSample } from '../../../../../support/import-sample.ts';
import {
  ask,
  expectList,
  expectSeries,
  expectTiles,
  PAST,
  type Row,
  type ShownColumn,
} from '../../../../../support/website-lists.ts';

const SHOP = '/dashboard/websites/web_shop';
const DATES = PAST.address;
const NAME: ShownColumn = ['name', 'text'];
const SHARE: ShownColumn = ['percentage', 'percent'];

describe('the events of a website', () => {
  const dashboard = useDashboard();

  before(async () => {
    const { server } = dashboard;
    const key = server.keys.all;
    await importSample(server, {
      ...{ id: 'web_shop', domain: 'shop.example.com', events: 2_000, days: 40, seed: 11 },
    });
    const by = { websiteId: 'web_shop', anonymousId: 'eve', sessionId: 'e1', timestamp: PAST.noon };
    const events = [
      { ...by, name: 'order placed', path: '/checkout', properties: { total: 12.5, gift: true } },
      { ...by, name: 'order placed', path: '/checkout', properties: { total: 12.5, note: 'x'.repeat(200) } },
      { ...by, name: 'outgoing_link', path: '/', href: 'javascript:alert(1)', text: 'run' },
      { ...by, name: 'outgoing_link', path: '/', href: 'mailto:shop@example.com', text: 'write' },
    ];
    for (const body of events) expectSuccess(await server.call('POST', '/track', { key, body }));
  });

  const query = (parameter: string | object, more: object = {}): Promise<readonly Row[]> =>
    ask(dashboard, parameter, { ...PAST.request, limit: 50, ...more });
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);
  const chips = (page: Page) => page.locator('.chip .drill').allTextContents();

  it('are listed, and each opens with its line, its pages, what it carried and when it happened', async () => {
    const visitor = await dashboard.enter(`${SHOP}/events?${DATES}`);
    const { page } = visitor;
    const [totals] = await query('custom_events_summary');
    await expectTiles(page, [
      [totals?.total_events, 'count'],
      [totals?.unique_users, 'count'],
      [totals?.unique_sessions, 'count'],
      [totals?.unique_pages, 'count'],
      [totals?.unique_event_types, 'count'],
    ]);
    await expectList(page, 'Events', await query('custom_events'), [
      NAME,
      ['total_events', 'count'],
      ['unique_users', 'count'],
      ['unique_sessions', 'count'],
      SHARE,
      ['first_occurrence', 'instant'],
      ['last_occurrence', 'instant'],
    ]);
    const opening = await visitor.asks(() => page.getByRole('link', { name: 'order placed' }).click());
    expect(opening).to.deep.equal(['POST /v1/query']);
    await page.getByRole('heading', { name: 'Event order placed' }).waitFor();
    const filters = [{ field: 'event_name', op: 'eq', value: 'order placed' }];
    const few = { filters, limit: 20 };
    const [own] = await query('custom_events_summary', few);
    expect(own).to.include({ total_events: 2, unique_users: 1 });
    await expectTiles(page, [
      [own?.total_events, 'count'],
      [own?.unique_users, 'count'],
      [own?.unique_sessions, 'count'],
      [own?.unique_pages, 'count'],
    ]);
    await expectList(page, 'Pages of the event', await query('custom_events_by_path', few), [
      NAME,
      ['total_events', 'count'],
      ['unique_users', 'count'],
    ]);
    await expectList(page, 'Properties', await query('custom_event_properties', few), [
      ['property_key', 'text'],
      ['property_value', 'text'],
      ['count', 'count'],
    ]);
    await expectList(page, 'Latest events', await query('custom_events_recent', few), [
      ['timestamp', 'instant'],
      ['path', 'text'],
      ['anonymous_id', 'text'],
      ({ properties }) => {
        const text = JSON.stringify(properties);
        // The beginning of a long text stands above the whole, which opens on demand.
        return text.length > 120 ? `${text.slice(0, 120)}…${text}` : text;
      },
    ]);
    await page.getByRole('button', { name: 'Show as table', exact: true }).click();
    await expectSeries(page, 'Events over time', await query('custom_events_trends', { filters }), [
      ['total_events', 'count'],
      ['unique_users', 'count'],
      ['unique_sessions', 'count'],
    ]);
    await page.getByRole('button', { name: '12.5', exact: true }).click();
    await eventually(() => chips(page)).equals(['Property total is 12.5']);
    const total = { field: 'properties.total', op: 'eq', value: '12.5', of: 'session' };
    const kept = await query('custom_events_summary', { filters: [total, ...filters] });
    expect(kept[0]).to.include({ total_events: 2 });
    await expectTiles(page, [
      [kept[0]?.total_events, 'count'],
      [kept[0]?.unique_users, 'count'],
      [kept[0]?.unique_sessions, 'count'],
      [kept[0]?.unique_pages, 'count'],
    ]);
    await page.getByRole('link', { name: 'All events' }).click();
    await eventually(() => parameter(page, 'event')).equals(null);
  });

  it('and the links that led out have the numbers of the API, and lead out only to the web', async () => {
    const { page } = await dashboard.enter(`${SHOP}/events?tab=outbound&${DATES}`);
    const links = await query('outbound_links');
    await expectList(page, 'Outbound links', links, [
      ['href', 'text'],
      ['text', 'text'],
      ['total_clicks', 'count'],
      ['unique_users', 'count'],
      ['unique_sessions', 'count'],
      SHARE,
      ['last_clicked', 'instant'],
    ]);
    await expectList(page, 'Outbound hosts', await query('outbound_domains', { limit: 20 }), [
      ['domain', 'text'],
      ['total_clicks', 'count'],
      ['unique_users', 'count'],
      ['unique_links', 'count'],
      SHARE,
    ]);
    const out = page.locator('a.visit');
    const leading = await Promise.all(
      (await out.all()).map(async (link) => [
        await link.getAttribute('href'),
        await link.getAttribute('rel'),
        await link.getAttribute('target'),
      ]),
    );
    // What is no page on the web is a text.
    expect(links.map(({ href }) => href)).to.include.members([
      'javascript:alert(1)',
      'mailto:shop@example.com',
    ]);
    expect(leading).to.deep.equal(
      links
        .filter(({ href }) => String(href).startsWith('https://'))
        .map(({ href }) => [href, 'noopener noreferrer', '_blank']),
    );
    await page.getByRole('button', { name: 'javascript:alert(1)', exact: true }).click();
    await eventually(() => chips(page)).equals(['Outbound link is javascript:alert(1)']);
  });
});
