/** What a request meets, in a real browser: one outcome, in the reader's language, and refusals of the API where they were typed. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { layoutFaults } from '../../../../../support/page-layout.ts';

const EXPLAIN = '/dashboard/platform?view=explain';
/** Texts of regions that say by themselves what changes in them. */
const SAID = `(() => {
  const said = [];
  const note = () => {
    for (const region of document.querySelectorAll('main p[role=status]:not(.unseen)')) {
      const text = region.innerText.trim();
      if (text !== '' && said.at(-1) !== text) said.push(text);
    }
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true, characterData: true });
  window.saidByRegions = said;
})()`;

describe('the explanation of a request', () => {
  const dashboard = useDashboard();

  async function open(query: string, locale = 'en-US', width = 1280): Promise<Page> {
    const storageState = await dashboard.loggedIn();
    const visitor = await dashboard.newVisitor({ storageState, locale, viewport: { width, height: 800 } });
    visitor.allowRefusals();
    await visitor.page.goto(`${dashboard.origin}${EXPLAIN}${query}`);
    return visitor.page;
  }
  const outcome = (page: Page) => page.locator('main p[role=status]', { has: page.locator('strong') });

  it('says one outcome, that of the caller, and says it once', async () => {
    const page = await open('');
    await page.evaluate(SAID);
    await page.getByLabel('Path').fill('/v1/flags');
    await page.getByLabel('As', { exact: true }).selectOption('viewer');
    await page.getByRole('button', { name: 'Explain' }).click();
    await eventually(() => outcome(page).innerText()).equals(
      'GET /v1/flags The rule refuses with 403 Viewer lacks manage:flags',
    );
    expect(await page.getByRole('main').innerText()).not.to.match(/answered when/i);
    expect(await page.evaluate('saidByRegions.length')).to.equal(1);
    await page.getByLabel('As', { exact: true }).selectOption('owner');
    await page.getByRole('button', { name: 'Explain' }).click();
    await eventually(() => outcome(page).innerText()).equals('GET /v1/flags The rule lets them in Owner');
  });

  it('asks about the organization that its field shows, and lists the limits of its plan alone', async () => {
    const page = await open('&method=GET&path=/v1/flags&as=viewer');
    await page.getByRole('table', { name: 'What counts now' }).getByText('org_main').first().waitFor();
    expect(await page.getByLabel('Organization', { exact: true }).inputValue()).to.equal('org_main');
    const limits = page.getByRole('table', { name: 'Limits' });
    expect(await limits.innerText()).to.match(
      /plan\s+free\s+With a credential\s+50\s+Requests\s+10 s\s+Organization/,
    );
    expect(await limits.getByText('pro', { exact: true }).count()).to.equal(0);
  });

  it('puts refusals of the API at their fields', async () => {
    const at = async (query: string, label: string) => {
      const page = await open(query);
      const field = page.locator('.field', { hasText: label }).locator('.fault');
      await field.waitFor();
      expect(await page.locator('.notice.bad').count(), query).to.equal(0);
      return field.innerText();
    };
    expect(await at('&method=GET&path=/v1/flags&as=owner&organization=org_none', 'Organization')).to.equal(
      'There is no such organization.',
    );
    expect(await at('&method=GET&path=/v1/flags&as=somebody', 'Key')).to.match(/^Allowed: nobody, owner/);
    expect(await at('&method=GTE&path=/v1/flags', 'Method')).to.equal('Required: a method, such as GET.');
    expect(await at('&path=flags', 'Path')).to.equal('Required: a path that begins with "/".');
  });

  it('speaks German throughout, with numbers as Germans write them', async () => {
    const page = await open('&method=POST&path=/v1/query', 'de-DE');
    await outcome(page).getByText('Wird beantwortet, wenn Zugang und Limits es erlauben').waitFor();
    await page.getByText('read:data oder read:links mit link_id').waitFor();
    const limits = await page.getByRole('table', { name: 'Limits' }).innerText();
    expect(limits).to.match(/plan\s+scale\s+Mit Zugang\s+3\.000\s/);
    expect(limits)
      .to.match(/Ohne Zugang/)
      .and.match(/Mit abgelehntem Zugang/);
    expect(await page.getByRole('main').innerText()).not.to.match(/valid key|without the store|answered/);
    await page.goto(`${dashboard.origin}${EXPLAIN}&method=GET&path=/v1/query`);
    await outcome(page).getByText('Wird mit 405 abgelehnt: Dieser Pfad antwortet auf').waitFor();
    expect(await outcome(page).innerText()).to.match(/POST$/);
    await page.goto(`${dashboard.origin}${EXPLAIN}&method=GET&path=/v1/api-keys&as=member`);
    await outcome(page).getByText('es fehlt Inhaber oder Administrator').waitFor();
  });

  it('has words for windows, counts, budgets and what policies do', async () => {
    const page = await open('&method=POST&path=/v1/query', 'de-DE');
    const limits = page.getByRole('table', { name: 'Limits' });
    await limits.getByText('Organisation').first().waitFor();
    expect(await limits.innerText())
      .to.match(/Anfragen\s+60 s\s+Organisation/)
      .and.match(/60 s\s+Adresse/)
      .and.not.match(/request|organization|address|month/);
    expect(await page.getByRole('main').innerText()).not.to.match(/\.invalid/);
    await page.goto(`${dashboard.origin}${EXPLAIN}&method=GET&path=/v1/query/types`);
    await outcome(page).waitFor();
    expect(
      await page.getByRole('table', { name: 'Regeln' }).locator('[lang=en]').allInnerTexts(),
    ).to.deep.equal([]);
  });

  it('shows in its form what the address asks, along the way back too', async () => {
    const page = await open('&method=HEAD&path=/v1/flags&as=viewer');
    await outcome(page).waitFor();
    expect(await page.getByLabel('Method').inputValue()).to.equal('HEAD');
    await page.getByLabel('Method').selectOption('POST');
    await page.getByLabel('Path').fill('/v1/query');
    await page.getByLabel('As', { exact: true }).selectOption('nobody');
    await page.getByRole('button', { name: 'Explain' }).click();
    await outcome(page).getByText('POST /v1/query').waitFor();
    await page.goBack();
    await outcome(page).getByText('HEAD /v1/flags').waitFor();
    const values = () =>
      Promise.all(
        ['Method', 'Path', 'As'].map((name) => page.getByLabel(name, { exact: true }).inputValue()),
      );
    await eventually(values).equals(['HEAD', '/v1/flags', 'viewer']);
    await page.goForward();
    await eventually(values).equals(['POST', '/v1/query', 'nobody']);
    await page.goto(`${dashboard.origin}${EXPLAIN}&method=PURGE&path=/v1/flags`);
    await outcome(page).waitFor();
    expect(await page.getByLabel('Method').inputValue()).to.equal('PURGE');
  });

  it('fits whatever path is asked about', async () => {
    const page = await open(`&method=GET&path=/${'x'.repeat(1_990)}`);
    await outcome(page).waitFor();
    expect(await layoutFaults(page), '1280 px').to.deep.equal([]);
    await page.setViewportSize({ width: 320, height: 800 });
    expect(await layoutFaults(page), '320 px').to.deep.equal([]);
  });
});
