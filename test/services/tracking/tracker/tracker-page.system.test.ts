/** How the tracker sees pages and visitors, case by case, in a real browser. */
import { expect } from 'chai';
import { startTrackedWebsite } from '../../../support/tracked-website.ts';
import { useTrackedPages } from './tracked-pages.ts';

describe('the tracker in a browser: pages and visitors', () => {
  const pages = useTrackedPages();

  describe('page views', () => {
    it('counts pushState, replaceState and back to another path, and nothing else', async () => {
      await pages.open('/');
      await pages.page.evaluate(`
        history.pushState({}, '', '/a');
        history.pushState({ only: 'state' }, '');
        history.replaceState({}, '', '/a?filter=1');
        history.replaceState({}, '', '/b');
        location.hash = 'chapter';
      `);
      await pages.page.evaluate(
        'new Promise((done) => { addEventListener("popstate", done); history.go(-3); })',
      );
      await pages.leave(4);
      expect(pages.paths('screen_view')).to.deep.equal(['/', '/a', '/b', '/']);
      expect(pages.paths('page_exit')).to.deep.equal(['/', '/a', '/b', '/']);
      const referrers = pages.api
        .taken('screen_view')
        .map(({ referrer }) => referrer.replace(pages.site.origin, ''));
      expect(referrers).to.deep.equal(['', '/', '/a?filter=1'.replace('?filter=1', ''), '/b']);
    });

    it('counts fragments as pages when the page says so, and sends them as paths', async () => {
      const hashed = await startTrackedWebsite(pages.api.origin, 'data-client-id="web_h" data-hash');
      try {
        await pages.open('/app/?utm_source=x#/start', hashed);
        await pages.page.evaluate('location.hash = "#!/detail?id=1"');
        await pages.page.waitForFunction('location.hash.includes("detail")');
        await pages.leave(2);
        expect(pages.paths('screen_view', hashed)).to.deep.equal([
          '/app/start?utm_source=x',
          '/app/detail?id=1',
        ]);
      } finally {
        await hashed.close();
      }
    });

    it('tells how the page was left: how deep, how long, how often touched', async () => {
      await pages.page.goto(`${pages.site.origin}/tall`);
      await pages.page.waitForFunction('window.tidegate');
      await pages.page.mouse.click(10, 10);
      await pages.page.keyboard.press('a');
      await pages.page.evaluate(
        'new Promise((done) => { addEventListener("scroll", done); scrollTo(0, 1e6); })',
      );
      await pages.page.evaluate('scrollTo(0, 0)');
      await pages.leave(1);
      const [exit] = pages.api.taken('page_exit');
      expect(exit.scroll_depth).to.equal(100);
      expect(exit.interaction_count).to.equal(2);
      expect(exit.time_on_page).to.be.within(0, 60);

      pages.api.reset();
      await pages.open('/tall');
      await pages.leave(1);
      expect(pages.api.taken('page_exit')[0].scroll_depth).to.be.within(20, 60);
    });

    it('counts a page that comes back from the cache of the browser as another view', async () => {
      await pages.open('/');
      await pages.page.evaluate(`
        dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
        dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
      `);
      await pages.leave(2);
      expect(pages.paths('screen_view')).to.deep.equal(['/', '/']);
    });

    it('counts pages whose elements bear the names that the tracker uses', async () => {
      await pages.page.goto(`${pages.site.origin}/clobbered`);
      await pages.page.waitForFunction('typeof window.tidegate.track === "function"');
      await pages.page.evaluate('tidegate.track("reached")');
      await pages.leave(1);
      expect(pages.paths('screen_view')).to.deep.equal(['/clobbered']);
      expect(pages.api.taken('custom').map(({ name }) => name)).to.deep.equal(['reached']);
    });

    it('begins when a page that was made ready in advance is shown', async () => {
      await pages.page.addInitScript(
        "Object.defineProperty(document, 'prerendering', { value: true, configurable: true })",
      );
      await pages.open('/');
      await pages.page.evaluate('tidegate.track("too_early")');
      await pages.page.evaluate('document.dispatchEvent(new Event("prerenderingchange"))');
      await pages.leave(1);
      expect(pages.paths('screen_view')).to.deep.equal(['/']);
      expect(pages.api.taken('custom')).to.deep.equal([]);
    });
  });

  describe('the visitor', () => {
    it('stays the same in every tab, with a session per tab that ends after half an hour of rest', async () => {
      await pages.open('/');
      await pages.open('/products');
      await pages.page.clock.setSystemTime(Date.now() + 29 * 60_000);
      await pages.page.evaluate('tidegate.track("soon")');
      await pages.page.clock.setSystemTime(Date.now() + 60 * 60_000);
      await pages.page.evaluate('tidegate.track("late")');
      await pages.leave(2);
      pages.page = await pages.visitor.newPage();
      await pages.open('/');
      await pages.leave(3);
      const ids = [...pages.api.taken('screen_view'), ...pages.api.taken('custom')];
      expect(new Set(ids.map(({ anonymousId }) => anonymousId)).size).to.equal(1);
      expect(ids[0].anonymousId).to.match(/^[0-9a-z]{16,28}$/);
      const [first, second, otherTab, soon, late] = ids.map(({ sessionId }) => sessionId);
      expect([second, soon]).to.deep.equal([first, first]);
      expect(new Set([first, late, otherTab]).size).to.equal(3);
    });

    it('has no identifiers where the browser refuses storage, and is counted', async () => {
      await pages.page.addInitScript(`
        for (const name of ['localStorage', 'sessionStorage']) {
          Object.defineProperty(window, name, { get() { throw new DOMException('refused', 'SecurityError'); } });
        }
      `);
      await pages.open('/');
      await pages.leave(1);
      expect(pages.paths('screen_view')).to.deep.equal(['/']);
      for (const { event } of pages.api.recorded)
        expect(event).to.not.have.any.keys('anonymousId', 'sessionId');
    });

    for (const [wish, script] of [
      ['Do Not Track', "Object.defineProperty(Navigator.prototype, 'doNotTrack', { get: () => '1' })"],
      ['Global Privacy Control', "Object.defineProperty(navigator, 'globalPrivacyControl', { value: true })"],
    ] as const) {
      it(`who asks by ${wish} is left alone: nothing is sent, nothing kept`, async () => {
        await pages.page.addInitScript(script);
        await pages.open('/products');
        await pages.page.click('#cart');
        await pages.page.click('#detail');
        const kept = await pages.page.evaluate(
          '[localStorage.length, sessionStorage.length, document.cookie]',
        );
        expect(kept).to.deep.equal([0, 0, '']);
        await pages.page.goto(`${pages.site.elsewhere}/away`);
        // Another visitor's events come after whatever the first would have sent.
        await pages.change();
        await pages.open('/tall');
        await pages.leave(1);
        expect(new Set(pages.api.recorded.map(({ event }) => event.path))).to.deep.equal(
          new Set([`${pages.site.origin}/tall`]),
        );
      });
    }

    it('gets no cookie', async () => {
      await pages.open('/');
      await pages.leave(1);
      expect(await pages.visitor.cookies()).to.deep.equal([]);
    });
  });
});
