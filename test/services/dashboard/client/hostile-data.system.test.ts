/** Hostile texts as everything that people and visitors name, on every screen of the dashboard in a real browser: they are shown, and do nothing. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { expectSuccess } from '../../../support/answers.ts';
import { OWNER, useDashboard, type Visitor } from '../../../support/dashboard.ts';
import { cellsOf, FORMULA, findHarm } from '../../../support/harm.ts';
import { HOSTILE_TEXTS, OWN_NAMES } from '../../../support/hostile-texts.ts';
import { type MadeFlag, makeFlag } from '../../../support/made-flag.ts';
import { makeLinkOf, strangeLink } from '../../../support/made-link.ts';
import { makeShare } from '../../../support/made-share.ts';

const LISTS = ['sources', 'mediums', 'campaigns', 'terms', 'contents'].map((list) => `session_utm_${list}`);
const PAGES = ['top_pages', 'entry_pages', 'exit_pages'];

describe('hostile texts in the dashboard', () => {
  const dashboard = useDashboard();
  const short = HOSTILE_TEXTS.map((text) => [...text].slice(0, 100).join(''));
  let keyId = '';
  let flag: MadeFlag;
  let linkId = '';

  before(async () => {
    const { server } = dashboard;
    const key = server.keys.all;
    const origin = { origin: server.origin };
    const events = [...HOSTILE_TEXTS, ...OWN_NAMES].flatMap((text, index) => {
      const cut = (length: number) => [...text].slice(0, length).join('');
      const visitor = { websiteId: 'web_shop', anonymousId: `a${index}`, sessionId: `s${index}` };
      const campaign = Object.fromEntries(
        ['source', 'medium', 'campaign', 'term', 'content'].map((name) => [`utm_${name}`, cut(256)]),
      );
      const page = { path: text, title: cut(512), referrer: text, ...campaign };
      return [
        { name: 'screen_view', ...visitor, ...page },
        { name: cut(256), ...visitor, path: text },
        { name: 'outgoing_link', ...visitor, path: '/', href: text, text: cut(256) },
        { name: 'opened', ...visitor, path: text, properties: { [cut(100)]: text } },
        { name: 'error', ...visitor, path: text, message: text, filename: text, stack: text },
        { name: 'web_vitals', ...visitor, path: text, metricName: 'LCP', metricValue: 1 },
      ];
    });
    // Hosts as a visitor's page may be called.
    events.push(
      ...['xn--pwn-6cd.example', 'pwn.example', '-pwn.example', '=pwn'].map((host, index) => ({
        name: 'screen_view',
        ...{ websiteId: 'web_shop', anonymousId: `h${index}`, sessionId: `h${index}` },
        ...{ path: '/pwn', referrer: `https://${host}/x` },
      })),
    );
    for (let from = 0; from < events.length; from += 100) {
      const body = events.slice(from, from + 100);
      expectSuccess(await server.call('POST', '/track', { key, body }), 200);
    }
    const login = await server.call('POST', '/v1/auth/login', {
      body: OWNER,
      headers: { ...origin, 'user-agent': HOSTILE_TEXTS[2] as string },
    });
    expectSuccess(login, 200);
    for (const agent of ['javascript:pwned=1', '=cmd|pwn', '__proto__', `pwn${'W'.repeat(400)}`]) {
      const headers = { ...origin, 'user-agent': agent };
      expectSuccess(await server.call('POST', '/v1/auth/login', { body: OWNER, headers }), 200);
    }
    const cookie = login.headers
      .getSetCookie()
      .map((each) => each.split(';')[0])
      .join('; ');
    const send = (method: string, path: string, body: object) =>
      server.call(method, path, { body, headers: { ...origin, cookie } });
    for (const [index, name] of short.entries()) {
      const domain = `pwn${index}.example.com`;
      expectSuccess(await send('POST', '/v1/websites', { name, domain }), 201);
      const access = { level: 'global' };
      const made = await send('POST', '/v1/api-keys', { name, scopes: ['read:data'], access });
      expectSuccess(made, 201);
      keyId = made.body.data.id;
    }
    for (const [index, text] of HOSTILE_TEXTS.entries()) flag = await makeFlag(server, `pwn${index}`, text);
    for (const name of short.slice(0, 40)) await makeShare(server, { name });
    for (const text of HOSTILE_TEXTS) linkId = await makeLinkOf(server, text);
    for (const [index, name] of [short[2], short[39], short[48], short[50]].entries()) {
      const email = `-pwn'${index}+${'w'.repeat(50)}@example.com`;
      const invitation = await send('POST', '/v1/members', { email, role: 'viewer' });
      expectSuccess(invitation, 201);
      if (index === 3) break;
      const { token } = invitation.body.data;
      const body = { token, name, password: 'battery staple' };
      expectSuccess(await server.call('POST', '/v1/auth/accept', { body, headers: origin }), 200);
    }
    const chosen = `\u202E${short[2]}`;
    expectSuccess(await send('PATCH', '/v1/organization', { name: chosen }), 200);
    expectSuccess(await send('PATCH', '/v1/auth/user', { name: chosen }), 200);
  });

  /** Waits until a screen has its answers, and looks at it wide and narrow; what it does that it must not. */
  async function harmOf(visitor: Visitor, where: string): Promise<string[]> {
    const { page } = visitor;
    await page.locator('h1').first().waitFor();
    await visitor.settled();
    const found = await page.evaluate(findHarm);
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await visitor.expectNoWider(`at ${width}: ${where}`);
    }
    return found.map((harm) => `${where}: ${harm}`);
  }

  async function openAt(path: string): Promise<Visitor> {
    const visitor = await dashboard.enter(path);
    visitor.page.on('dialog', () => visitor.complaints.push('a dialog opened'));
    return visitor;
  }

  it('are sixty, and reach the screens as they were sent', async () => {
    expect(new Set(HOSTILE_TEXTS).size).to.equal(60);
    const { page } = await openAt('/dashboard/keys');
    await page
      .getByText(short[20] as string, { exact: true })
      .first()
      .waitFor();
  });

  it('do nothing on any screen of lists and forms', async () => {
    const visitor = await openAt('/dashboard/websites/new');
    const found = await harmOf(visitor, 'a new website');
    const website = await dashboard.server.call('GET', '/v1/websites?limit=1&sort=-createdAt', {
      key: dashboard.server.keys.all,
    });
    const id = website.body.data[0].id;
    visitor.allowRefusals();
    const strange = encodeURIComponent(HOSTILE_TEXTS[2] as string);
    for (const path of [
      '',
      '?sort=name',
      '?sort=-name',
      `?search=${strange}`,
      `/websites/${id}`,
      `/websites/${id}/settings`,
      '/websites/web_shop/sharing',
      `/websites/web_shop/sharing?search=${strange}&sort=__proto__`,
      `/websites/new?website=${id}`,
      '/keys',
      '/keys?sort=name',
      `/keys?search=${strange}`,
      '/keys/new',
      `/keys/${keyId}`,
      '/flags',
      `/flags?search=${strange}&status=__proto__&sort=__proto__`,
      '/flags/new',
      `/flags/${flag.id}?try=yes&userId=${strange}&properties=${strange}`,
      '/flags/groups',
      `/flags/groups?group=${flag.groupId}`,
      `/flags/groups?group=${strange}`,
      `/flags/${strange}`,
      '/links',
      '/links?sort=name',
      `/links?search=${strange}&cursor=${strange}`,
      '/links/new',
      `/links/${linkId}`,
      `/links/${linkId}?tab=settings`,
      `/links/${strange}?tab=__proto__`,
      '/members',
      `/members?search=${strange}&sort=__proto__`,
      '/audit',
      `/audit?who=${strange}&action=${strange}`,
      '/organization',
      '/account',
      `/keys/${strange}`,
      `/websites/${strange}`,
      `/websites/web_shop?range=${strange}&by=__proto__&measure=constructor&pages=__proto__`,
      `/${strange}`,
    ]) {
      await visitor.page.goto(`${dashboard.origin}/dashboard${path}`);
      found.push(...(await harmOf(visitor, path)));
    }
    expect(found).to.deep.equal([]);
  });

  it('do nothing as names of members that the API would never let in', async () => {
    const visitor = await openAt('/dashboard/account');
    const { page } = visitor;
    const data = [...HOSTILE_TEXTS, ...OWN_NAMES].map((text, index) => ({
      ...{ id: `mem_${index}`, status: 'active', userId: text, email: text, name: text, role: 'viewer' },
      ...{ expiresAt: null, createdAt: '2026-01-01T00:00:00.000Z' },
    }));
    await page.route('**/v1/members?*', (route) => route.fulfill({ json: { data } }));
    await page.goto(`${dashboard.origin}/dashboard/members`);
    expect(await harmOf(visitor, 'members')).to.deep.equal([]);
    expect(await page.locator('.person').count()).to.equal(data.length);
  });

  it('do nothing as links that the API would never let in, nor in their CSV', async () => {
    const visitor = await openAt('/dashboard/account');
    const { page } = visitor;
    const data = [...HOSTILE_TEXTS, ...OWN_NAMES].map(strangeLink);
    await page.route('**/v1/links?*', (route) => route.fulfill({ json: { data } }));
    await page.route('**/v1/query?*', (route) => route.fulfill({ json: { results: [] } }));
    await page.goto(`${dashboard.origin}/dashboard/links`);
    const found = await harmOf(visitor, 'links');
    expect(await page.locator('tbody tr').count()).to.equal(data.length);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: /CSV/ }).click();
    const cells = cellsOf(readFileSync(await (await coming).path(), 'utf8'));
    expect(cells.filter((cell) => FORMULA.test(cell))).to.deep.equal([]);
    for (const [index, link] of data.entries()) {
      if (index % 12 !== 0) continue;
      await page.route(`**/v1/links/lnk_${index}`, (route) => route.fulfill({ json: { data: link } }));
      for (const tab of ['', '?tab=settings']) {
        await page.goto(`${dashboard.origin}/dashboard/links/lnk_${index}${tab}`);
        found.push(...(await harmOf(visitor, `link ${index}${tab}`)));
      }
    }
    expect(found).to.deep.equal([]);
  });

  it('do nothing on the screens of a website, nor in a CSV of theirs', async () => {
    const visitor = await openAt('/dashboard');
    const { page } = visitor;
    const found: string[] = [];
    const strange = encodeURIComponent(HOSTILE_TEXTS[2] as string);
    const markup = encodeURIComponent(HOSTILE_TEXTS[0] as string);
    for (const path of [
      'pages',
      `pages?tab=exit&search=${strange}&sort=__proto__&page=constructor`,
      'sources?tab=sources',
      'sources?tab=campaigns&utm=content',
      `sources?tab=__proto__&utm=constructor&goalId=${strange}`,
      'events',
      'events?event=opened',
      `events?event=${markup}`,
      'events?tab=outbound',
      `retention?start=${encodeURIComponent(JSON.stringify(['event', 'in', [HOSTILE_TEXTS[0], HOSTILE_TEXTS[2]]]))}`,
      `retention?mode=__proto__&show=constructor&returning=${strange}`,
      'journeys?width=20',
      `journeys?at=${encodeURIComponent(JSON.stringify([0, 'page', HOSTILE_TEXTS[0]]))}&start=${strange}&depth=__proto__`,
      'journeys?tab=links&kinds=events',
      'speed?tab=pages',
      `speed?vital=${strange}&tab=constructor`,
      'errors',
      'sessions',
      `sessions?session=${markup}`,
      'visitors',
      `visitors?visitor=${markup}&person=${strange}`,
      `errors?message=${markup}`,
    ]) {
      await page.goto(`${dashboard.origin}/dashboard/websites/web_shop/${path}`);
      found.push(...(await harmOf(visitor, path)));
    }
    expect(found).to.deep.equal([]);
    await page.goto(`${dashboard.origin}/dashboard/websites/web_shop/events?tab=outbound`);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV: Outbound links' }).click();
    const cells = cellsOf(readFileSync(await (await coming).path(), 'utf8'));
    // More rows than a page has.
    expect(cells.length).to.be.above(60 * 7);
    expect(cells.filter((cell) => FORMULA.test(cell))).to.deep.equal([]);
  });

  it('do nothing in the overview, in any of its lists, nor in their CSV', async () => {
    const visitor = await openAt('/dashboard');
    const { page } = visitor;
    const found: string[] = [];
    for (const [index, campaigns] of LISTS.entries()) {
      const pages = PAGES[index % PAGES.length];
      const query = new URLSearchParams({
        ...{ range: 'last_7d', campaigns, pages: `${pages}` },
        sources: 'session_sources',
      });
      await page.goto(`${dashboard.origin}/dashboard/websites/web_shop?${query}`);
      await page.locator('.panel-events tbody tr').first().waitFor();
      for (const panel of ['pages', 'campaigns', 'events']) {
        const place = page.locator(`.panel-${panel}`);
        await place.getByRole('button', { name: 'Show more' }).click();
        await place.locator('tbody tr').nth(50).waitFor();
      }
      found.push(...(await harmOf(visitor, `overview with ${campaigns}`)));
      for (const panel of ['pages', 'campaigns', 'events', 'sources']) {
        const coming = page.waitForEvent('download');
        await page.locator(`.panel-${panel}`).getByRole('button', { name: /CSV/ }).click();
        const cells = cellsOf(readFileSync(await (await coming).path(), 'utf8'));
        const rows = await page.locator(`.panel-${panel} tbody tr`).count();
        expect(cells.length, panel).to.be.at.least(rows * 3);
        expect(
          cells.filter((cell) => FORMULA.test(cell)),
          panel,
        ).to.deep.equal([]);
      }
    }
    await page.locator('.panel-pages').getByRole('button', { name: /curl/i }).click();
    await page.getByRole('dialog').waitFor();
    found.push(...(await harmOf(visitor, 'the command of a list')));
    expect(found).to.deep.equal([]);
  });
});
