/** How the tracker sends events and what it reports of faults and vitals, case by case, in a real browser. */
import { expect } from 'chai';
import { until } from '../../../support/until.ts';
import { CLIENT_ID, useTrackedPages } from './tracked-pages.ts';

describe('the tracker in a browser: events, faults, vitals', () => {
  const pages = useTrackedPages();

  describe('events', () => {
    it('are sent together, as text, for the website named, each with an identifier of its own', async () => {
      await pages.open('/');
      await pages.page.evaluate('for (let i = 0; i < 60; i++) tidegate.track("many", { i })');
      await until('all came', () => pages.api.taken('custom').length === 60);
      expect(pages.api.taken('custom').map(({ properties }) => properties.i)).to.deep.equal([
        ...Array(60).keys(),
      ]);
      expect(new Set(pages.api.recorded.map(({ request }) => request)).size).to.equal(3);
      await pages.leave(1);
      expect(new Set(pages.api.recorded.map(({ event }) => event.eventId)).size).to.equal(
        pages.api.recorded.length,
      );
      for (const { clientId, contentType } of pages.api.recorded) {
        expect([clientId, contentType]).to.deep.equal([CLIENT_ID, 'text/plain;charset=UTF-8']);
      }
    });

    it('keep their identifiers when they are sent again after failures', async () => {
      pages.api.reset((request) => [503, 429][request] ?? 200);
      await pages.page.clock.install();
      await pages.open('/');
      await until('the view is taken', async () => {
        await pages.page.clock.runFor(1_000);
        return pages.api.taken('screen_view').length === 1;
      });
      const tries = pages.api.recorded.filter(({ event }) => event.type === 'screen_view');
      expect(tries.map(({ status }) => status)).to.deep.equal([503, 429, 200]);
      expect(new Set(tries.map(({ event }) => event.eventId)).size).to.equal(1);
    });

    it('go alone and at the time of the server when it refuses them together', async () => {
      pages.api.reset((_request, events) => (events.some(({ timestamp }) => timestamp) ? 400 : 200));
      await pages.open('/');
      await pages.page.evaluate('tidegate.track("one")');
      await until(
        'both are taken',
        () => pages.api.recorded.filter(({ status }) => status === 200).length >= 2,
      );
      expect([...pages.paths('screen_view'), ...pages.paths('custom')]).to.deep.equal(['/', '/']);
    });

    it('count without properties that the API would refuse, and throw nothing', async () => {
      await pages.open('/');
      await pages.page.evaluate(`
        const circle = {}; circle.circle = circle;
        const wide = Object.fromEntries(Array.from({ length: 51 }, (_, i) => ['k' + i, i]));
        for (const bad of [circle, wide, { text: 'x'.repeat(10_001) }, [1], 'text', 7, null, { big: 1n }]) {
          tidegate.track('bad', bad);
        }
        const changing = { a: 1 };
        tidegate.track('good', changing);
        changing.a = 2;
        tidegate.track();
        tidegate.track('   ');
        tidegate.track({ toString() { throw new Error('hostile'); } });
      `);
      await pages.leave(1);
      const sent = pages.api.taken('custom');
      expect(sent.filter(({ name }) => name === 'bad').map(({ properties }) => properties)).to.deep.equal(
        Array(8).fill(undefined),
      );
      expect(sent.filter(({ name }) => name === 'good')[0].properties).to.deep.equal({ a: 1 });
      expect(sent.map(({ name }) => name)).to.have.length(10);
    });

    it('come once when a page carries the script twice', async () => {
      await pages.open('/');
      await pages.page.addScriptTag({ url: `${pages.api.origin}/tracker.js` });
      await pages.page.evaluate(`
        const copy = document.createElement('script');
        for (const { name, value } of document.querySelector('script[data-client-id]').attributes) {
          copy.setAttribute(name, value);
        }
        new Promise((done) => { copy.onload = done; document.head.append(copy); })
      `);
      await pages.leave(1);
      expect(pages.paths('screen_view')).to.deep.equal(['/']);
    });
  });

  describe('faults', () => {
    it('are reported once each and ten at most, values and resources included or left out as they are', async () => {
      await pages.open('/');
      await pages.page.evaluate(`
        for (let i = 0; i < 3; i++) dispatchEvent(new ErrorEvent('error', { message: 'same', filename: 'a.js', lineno: 1 }));
        dispatchEvent(new PromiseRejectionEvent('unhandledrejection', { promise: Promise.resolve(), reason: 'just text' }));
        document.body.append(Object.assign(new Image(), { src: 'http://127.0.0.1:1/none.png' }));
        for (let i = 0; i < 20; i++) dispatchEvent(new ErrorEvent('error', { message: 'many ' + i, lineno: i }));
      `);
      await pages.leave(1);
      const errors = () =>
        pages.api.recorded.filter(({ route }) => route === '/errors').map(({ event }) => event);
      await until('errors came', () => errors().length >= 10);
      expect(errors()).to.have.length(10);
      const [first, second, third] = errors().map(({ message }) => message);
      expect([first, second, third]).to.deep.equal(['same', 'just text', 'many 0']);
    });

    it('of its own stay its own: a browser without storage, beacons, requests and observers hurts no page', async () => {
      await pages.page.addInitScript(`
        navigator.sendBeacon = undefined; window.fetch = undefined;
        Object.defineProperty(window, 'PerformanceObserver', { value: undefined });
        Object.defineProperty(window, 'localStorage', { value: null });
      `);
      await pages.open('/products');
      await pages.page.click('#cart');
      await pages.page.click('#detail');
      expect(await pages.page.evaluate('location.pathname')).to.equal('/products/1');
      await pages.page.goto(`${pages.site.elsewhere}/away`);
    });
  });

  it('measures the slowest interaction as INP', async () => {
    await pages.open('/products');
    await pages.page.evaluate(`document.getElementById('cart').addEventListener('click', () => {
      const end = performance.now() + 120;
      while (performance.now() < end);
    })`);
    await pages.page.click('#cart');
    // The browser tells of it after the next paint, the tracker before this, which began to listen later.
    await pages.page.evaluate(`new Promise((done) => {
      const isSlow = ({ interactionId, duration }) => interactionId > 0 && duration >= 100;
      new PerformanceObserver((list) => { if (list.getEntries().some(isSlow)) done(); })
        .observe({ type: 'event', buffered: true, durationThreshold: 16 });
    })`);
    await pages.leave(1);
    const measured = () => pages.api.recorded.find(({ event }) => event.metricName === 'INP')?.event;
    await until('INP came', () => measured() !== undefined);
    const inp = measured();
    expect(inp?.metricValue).to.be.at.least(100);
    expect(inp?.path).to.equal(`${pages.site.origin}/products`);
  });
});
