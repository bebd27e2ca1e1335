/** What a screen of the dashboard costs, counted at the gateway: when it is the first, when another was open before, and while nobody looks at it. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../support/dashboard.ts';
import { makeFlag } from '../../../support/made-flag.ts';
import { makeLink } from '../../../support/made-link.ts';
import { define, pageIs } from '../../../support/tracked-visits.ts';

/** Requests of a screen that is opened as the first one, beside the question who is logged in. */
const FIRST: Readonly<Record<string, number>> = {
  // The list, or the website, names what the numbers are asked for.
  '': 2,
  '/websites/web_shop': 2,
  // Without an event: what all time holds is asked when somebody wants to know.
  '/websites/web_blog': 2,
  '/websites/web_shop?from=2020-01-01&to=2020-01-31': 2,
  '/websites/web_shop/now': 2,
  '/websites/web_shop/pages': 2,
  // Which goals there are is asked when somebody chooses one.
  '/websites/web_shop/sources?goalId=gol_none': 2,
  '/websites/web_shop/events': 2,
  '/websites/web_shop/events?event=signup': 2,
  // What a goal or a funnel counts stands beside its numbers.
  '/websites/web_shop/goals': 3,
  '/websites/web_shop/goals?goal=GOAL&group=path': 3,
  '/websites/web_shop/funnels': 2,
  '/websites/web_shop/funnels?funnel=FUNNEL': 3,
  // What a chosen goal is called comes with its numbers.
  '/websites/web_shop/retention?start=["goal","gol_none"]': 2,
  '/websites/web_shop/journeys': 2,
  '/websites/web_shop/journeys?tab=links': 2,
  '/websites/web_shop/speed': 2,
  '/websites/web_shop/errors?message=none': 2,
  '/websites/web_shop/ingest': 2,
  '/websites/web_shop/sessions': 2,
  '/websites/web_shop/sessions?session=s': 2,
  '/websites/web_shop/visitors': 2,
  '/websites/web_shop/visitors?visitor=a': 2,
  '/websites/web_shop/sql': 0,
  // The catalogue, which says what may be picked.
  '/websites/web_shop/sql?view=datasets&datasets=pages': 2,
  '/websites/web_shop/sharing': 1,
  '/websites/web_shop/settings': 1,
  '/websites/new': 0,
  '/keys': 1,
  '/keys/new': 0,
  // Which websites the key reaches, and could reach, is said by their names.
  '/keys/key_shop': 2,
  // Where a flag applies, and which groups it uses, is said by their names.
  '/flags': 2,
  '/flags/FLAG': 3,
  '/flags/new': 0,
  '/flags/groups': 1,
  '/flags/groups?group=new': 0,
  '/links': 2,
  // Its name stands in the head, its clicks below it.
  '/links/LINK': 2,
  // Whose it is, and could be, is said by names.
  '/links/LINK?tab=settings': 2,
  '/links/new': 1,
  '/members': 1,
  '/audit': 1,
  '/organization': 1,
  '/organization/limits': 1,
  '/organization/requests': 1,
  // Keys are told by their names.
  '/organization/requests?by=key': 2,
  '/organization/requests?by=plans': 1,
  '/platform': 1,
  '/platform?range=hour': 1,
  '/platform?view=configuration': 1,
  '/platform?view=history&number=1': 1,
  '/platform?view=explain&method=GET&path=/v1/flags&as=owner&organization=org_main': 1,
  '/account': 1,
};
/** Requests of a screen once the names of websites are known: one, or none where there is nothing to ask. */
const REQUESTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Object.entries(FIRST).map(([path, count]) => [path, Math.min(count, 1)])),
  // What it lists is known.
  '/websites/web_shop/funnels': 0,
  // It asks for names alone.
  '/links/new': 0,
};

async function settle({ page, settled }: Visitor): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await settled();
}

/** Shows another screen in the page that is open, as a link of it does. */
async function goWithin(page: Page, to: string): Promise<void> {
  await page.evaluate((path) => {
    const view = globalThis as unknown as {
      history: { pushState(...all: unknown[]): void };
    } & EventTarget;
    view.history.pushState(null, '', path);
    view.dispatchEvent(new Event('popstate'));
  }, to);
}

describe('the requests of the dashboard', () => {
  const dashboard = useDashboard();
  let flagId = '';
  let linkId = '';
  let goalId = '';
  let funnelId = '';

  before(async () => {
    const { server } = dashboard;
    const event = { name: 'screen_view', websiteId: 'web_shop', anonymousId: 'a', sessionId: 's', path: '/' };
    const { status } = await server.call('POST', '/track', { key: server.keys.all, body: event });
    expect(status).to.equal(200);
    flagId = (await makeFlag(server, 'covers')).id;
    linkId = await makeLink(server);
    goalId = await define(server, 'goals', { name: 'Home', ...pageIs('/') });
    funnelId = await define(server, 'funnels', { name: 'Twice', steps: [pageIs('/'), pageIs('/')] });
  });

  for (const [path, expected] of Object.entries(REQUESTS)) {
    it(`are few, and none while it is hidden, however long: /dashboard${path}`, async () => {
      const ids: Readonly<Record<string, string>> = {
        FLAG: flagId,
        LINK: linkId,
        GOAL: goalId,
        FUNNEL: funnelId,
      };
      const address = `/dashboard${path.replace(/[A-Z]+/, (name) => ids[name] ?? name)}`;
      const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
      const { page } = visitor;
      await page.addInitScript(() => {
        const view = globalThis as unknown as { isHidden?: boolean; document: object };
        Object.defineProperty(view.document, 'hidden', { get: () => view.isHidden === true });
      });
      const show = (isHidden: boolean) =>
        page.evaluate(`isHidden = ${isHidden}; document.dispatchEvent(new Event('visibilitychange')); 0`);
      await page.clock.install();
      await page.goto(dashboard.origin + address);
      await settle(visitor);
      const first = visitor.asked();
      visitor.requests.length = 0;
      await show(true);
      // Past every interval.
      await page.clock.fastForward('01:02');
      await visitor.settled();
      const hidden = [...visitor.requests];
      await show(false);
      await goWithin(page, '/dashboard/none');
      await page.getByRole('heading', { name: 'There is nothing at this address.' }).waitFor();
      await settle(visitor);
      visitor.requests.length = 0;
      await goWithin(page, address);
      await page
        .getByRole('heading', { name: 'There is nothing at this address.' })
        .waitFor({ state: 'detached' });
      await settle(visitor);
      expect(hidden, `${path} hidden`).to.deep.equal([]);
      expect(first, `${path} at first`).to.have.length((FIRST[path] ?? 0) + 1);
      expect(visitor.asked(), `${path} from another screen`).to.have.length(expected);
    });
  }
});
