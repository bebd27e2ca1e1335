/** Searching while typing in a real browser: a word is one call, and nothing that was typed is lost. */
import { expect } from 'chai';
import { useDashboard } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';

/** Types `c` in the moment in which the search before goes into the address, as somebody does who types on. */
const TYPE_ON = `{
  const replace = history.replaceState;
  history.replaceState = function (...all) {
    history.replaceState = replace;
    replace.apply(this, all);
    const field = document.querySelector('main input[type=search]');
    field.value += 'c';
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  };
}`;

describe('a search that is typed', () => {
  const dashboard = useDashboard();

  const PLACES = [
    ['', 'GET /v1/websites'],
    ['/members', 'GET /v1/members'],
    ['/keys', 'GET /v1/api-keys'],
  ] as const;

  for (const [place, call] of PLACES) {
    it(`keeps what is typed while the search before is sent: /dashboard${place}`, async () => {
      // Short lists have no search, unless something is searched for.
      const visitor = await dashboard.enter(`/dashboard${place}?search=nothing`);
      const { page } = visitor;
      await visitor.settled();
      await page.evaluate(TYPE_ON);
      const field = page.locator('main input[type=search]');
      const asked = await visitor.asks(async () => {
        // It finds nothing, since what is found asks for more.
        await field.fill('zq ');
        await eventually(() => new URL(page.url()).search).equals('?search=zq+c');
      });
      expect(await field.inputValue()).to.equal('zq c');
      expect(asked).to.deep.equal([call, call]);
    });

    it(`stays where it is while it is cleared and typed into again: /dashboard${place}`, async () => {
      const visitor = await dashboard.enter(`/dashboard${place}?search=nothing`);
      const { page } = visitor;
      await visitor.settled();
      const field = page.locator('main input[type=search]');
      await field.fill('');
      await eventually(() => new URL(page.url()).search).equals('');
      await visitor.settled();
      await page.keyboard.type('b');
      await eventually(() => new URL(page.url()).search).equals('?search=b');
      expect(await field.inputValue()).to.equal('b');
    });
  }
});
