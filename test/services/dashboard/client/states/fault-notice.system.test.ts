/** What the pages show when a call fails, in a real browser: each fault worded once, and the way on from it. */
import { expect } from 'chai';
import type { Route } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';

const WEBSITES = '**/v1/websites?**';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Answers as the gateway does when it refuses. */
function refuse(route: Route, { status, code, headers = {} }: Refusal): Promise<void> {
  const body = {
    success: false,
    error: 'It failed.',
    code,
    message: 'It failed.',
    requestId: 'req_test',
    details: [],
  };
  return route.fulfill({ status, headers, json: body });
}

describe('the states of the pages', () => {
  const dashboard = useDashboard();

  /** A visitor on a screen that asks nothing, from which the websites are one click away. */
  async function beforeWebsites(): Promise<Visitor> {
    const visitor = await dashboard.enter('/dashboard/nowhere');
    visitor.allowRefusals();
    await visitor.page.getByRole('heading', { name: 'There is nothing at this address.' }).waitFor();
    return visitor;
  }
  const open = (visitor: Visitor) =>
    visitor.page.getByRole('navigation').getByRole('link', { name: 'Websites' }).click();
  const shop = (visitor: Visitor) =>
    visitor.page.getByRole('main').getByText('Shop', { exact: true }).first();

  it('429: which limit, how long, and one repeat by itself', async () => {
    const visitor = await beforeWebsites();
    let calls = 0;
    let isSeen = false;
    await visitor.page.route(WEBSITES, async (route) => {
      calls++;
      // The notice stays while it is asked again.
      if (calls > 1) {
        await eventually(() => isSeen).equals(true);
        return route.continue();
      }
      const headers = { 'retry-after': '1', 'x-ratelimit-limit': '50' };
      return refuse(route, { status: 429, code: 'RATE_LIMIT_EXCEEDED', headers });
    });
    await open(visitor);
    const notice = visitor.page.getByText('The rate limit of 50 requests is used up for the moment.');
    await notice.waitFor();
    await visitor.expectAccessible('a used-up limit');
    isSeen = true;
    await shop(visitor).waitFor();
    await notice.waitFor({ state: 'detached' });
    expect(calls).to.equal(2);
  });

  it('429 again: it is not asked a third time by itself', async () => {
    const visitor = await beforeWebsites();
    let calls = 0;
    await visitor.page.route(WEBSITES, (route) => {
      calls++;
      return refuse(route, { status: 429, code: 'RATE_LIMIT_EXCEEDED', headers: { 'retry-after': '1' } });
    });
    await visitor.page.clock.install();
    await open(visitor);
    await eventually(() => calls).equals(2);
    await visitor.settled();
    await visitor.page.clock.runFor(120_000);
    await visitor.settled();
    expect(calls).to.equal(2);
    await visitor.page.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => calls).equals(3);
  });

  it('offline: says so, and goes on by itself when the network is back', async () => {
    const visitor = await beforeWebsites();
    await visitor.context.setOffline(true);
    await open(visitor);
    await visitor.page.getByText('The service cannot be reached.').waitFor();
    await visitor.page.getByText(/Trying again in \d+ seconds\./).waitFor();
    await visitor.expectAccessible('offline');
    await visitor.context.setOffline(false);
    await shop(visitor).waitFor();
    // A browser writes to its console that it is offline.
    visitor.complaints.splice(
      0,
      Infinity,
      ...visitor.complaints.filter((text) => !text.includes('ERR_INTERNET_DISCONNECTED')),
    );
  });

  for (const [status, code] of [
    [500, 'INTERNAL_ERROR'],
    [502, 'UPSTREAM_UNAVAILABLE'],
    [504, 'TIMEOUT'],
  ] as const) {
    it(`${status}: says that the service cannot answer, names the request, and lets one try again`, async () => {
      const visitor = await beforeWebsites();
      // Not by itself before somebody presses the button.
      const headers = { 'retry-after': '600' };
      await visitor.page.route(WEBSITES, (route) => refuse(route, { status, code, headers }), { times: 1 });
      await open(visitor);
      await visitor.page.getByText('The service cannot answer right now.').waitFor();
      await visitor.page.getByText('Request req_test').waitFor();
      await visitor.page.getByRole('button', { name: 'Try again' }).click();
      await shop(visitor).waitFor();
    });
  }

  it('a proxy that answers a page of its own: the same words, and nothing of that page', async () => {
    const visitor = await beforeWebsites();
    const answer = { status: 502, contentType: 'text/html', body: '<h1>Bad gateway of somebody</h1>' };
    await visitor.page.route(WEBSITES, (route) => route.fulfill(answer), { times: 1 });
    await open(visitor);
    await visitor.page.getByText('The service cannot answer right now.').waitFor();
    expect(await visitor.page.content()).not.to.include('Bad gateway of somebody');
  });

  it('403: says that the role does not open the page, and whom to ask', async () => {
    const visitor = await beforeWebsites();
    await visitor.page.route(WEBSITES, (route) => refuse(route, { status: 403, code: 'INSUFFICIENT_SCOPE' }));
    await open(visitor);
    await visitor.page.getByText('Your role does not open this page.').waitFor();
    await visitor.page.getByText('Ask an owner or admin').waitFor();
  });

  it('loading: a place is held for what comes, said to readers of the screen, and still without motion where that is wished', async () => {
    const visitor = await dashboard.enter('/dashboard/nowhere', undefined, { reducedMotion: 'reduce' });
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await visitor.page.route(WEBSITES, async (route) => {
      await held;
      await route.continue();
    });
    await open(visitor);
    await visitor.page.locator('.skeleton').first().waitFor();
    await visitor.expectAccessible('loading');
    const motion = await visitor.page.evaluate(
      "getComputedStyle(document.querySelector('.skeleton > .placeholder')).animationName",
    );
    expect(motion).to.equal('none');
    release();
    await shop(visitor).waitFor();
  });

  it('a script of a screen that does not come: says so, and lets one reload', async () => {
    const visitor = await dashboard.enter('/dashboard/nowhere');
    visitor.allowRefusals();
    await visitor.page.route(
      /\/dashboard\/organization\.[\w-]+\.js/,
      (route) => route.fulfill({ status: 404 }),
      {
        times: 1,
      },
    );
    await visitor.page.getByRole('link', { name: 'API keys' }).click();
    await visitor.page.getByText('A part of this page could not be loaded.').waitFor();
    await visitor.page.getByRole('button', { name: 'Reload the page' }).click();
    await visitor.page.getByRole('heading', { name: 'API keys' }).waitFor();
  });

  it('a first script that is gone for good: three reloads, then words in both languages', async () => {
    const visitor = await dashboard.newVisitor();
    await visitor.page.route(/\/dashboard\/main\.[\w-]+\.js/, async (route) => {
      const response = await route.fetch({ url: `${dashboard.origin}/dashboard/main.ffffffff.js` });
      await route.fulfill({ response });
    });
    await visitor.page.goto(`${dashboard.origin}/dashboard`);
    await visitor.page.getByText('A new version of this page could not be loaded.').waitFor();
    await visitor.page.getByText('Eine neue Version').waitFor();
    await visitor.expectAccessible('a new version that could not be loaded');
    expect(visitor.requests.filter((request) => request === 'GET /dashboard')).to.have.length(4);
  });

  it('forced colours, and text twice as large: nothing is lost', async () => {
    const visitor = await dashboard.enter('/dashboard', undefined, {
      forcedColors: 'active',
      viewport: { width: 640, height: 800 },
    });
    await shop(visitor).waitFor();
    await visitor.settled();
    await visitor.page.evaluate("document.documentElement.style.fontSize = '200%'");
    await visitor.expectAccessible('forced colours at 200 %');
    await visitor.expectNoWider();
  });
});
