/** The settings of a website in a real browser: changed, changed by two at once, and deleted. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../../support/dashboard.ts';
import { eventually } from '../../../../support/eventually.ts';
import { createWebsite } from '../../../../support/website-writes.ts';

const settingsOf = (id: string) => `/dashboard/websites/${id}/settings`;

describe('the settings of a website of the dashboard', () => {
  const dashboard = useDashboard();

  const stored = async (id: string) => {
    const { server } = dashboard;
    return (await server.call('GET', `/v1/websites/${id}`, { key: server.keys.all })).body;
  };
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved.').waitFor();
  };

  it('are shown and changed, each by one request, and the API has them', async () => {
    const { id, domain } = await createWebsite(dashboard.server, { name: 'Old name' });
    const visitor = await dashboard.enter(settingsOf(id));
    const { page } = visitor;
    await page.getByLabel('Name', { exact: true }).fill('New name');
    await page.getByLabel('Time zone').fill('Europe/Berlin');
    await page.getByLabel('Other allowed origins').fill('https://app.example.com\n\nhttp://localhost:3000\n');
    await page.getByLabel('Accept events without an API key').uncheck();
    await page.getByLabel('Honour privacy signals').check();
    await page.getByLabel('Count other names of a pageview').uncheck();
    await page.getByLabel('Daily limit without a key, in MB').fill('0.005');
    await page.getByLabel('Public').check();
    expect(await visitor.asks(() => save(page))).to.deep.equal([`PATCH /v1/websites/${id}`]);
    const { data } = await stored(id);
    expect(data).to.include({ name: 'New name', domain, isPublic: true });
    expect(data.settings).to.deep.equal({
      timezone: 'Europe/Berlin',
      allowedOrigins: ['https://app.example.com', 'http://localhost:3000'],
      keylessTracking: false,
      honorPrivacySignals: true,
      pageviewAliases: false,
      keylessBytesPerDay: 5000,
    });
    await page.getByRole('heading', { level: 1, name: 'New name' }).waitFor();

    // Once more, on the version that this change made; a setting goes back to its default.
    await page.getByLabel('Time zone').fill('');
    await page.getByLabel('Accept events without an API key').check();
    await save(page);
    expect((await stored(id)).data.settings).to.not.have.any.keys('timezone', 'keylessTracking');
    const unchanged = await visitor.asks(async () => {
      await page.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Nothing was changed.').waitFor();
    });
    expect(unchanged).to.deep.equal([]);
  });

  it('keep what is typed while an earlier change is saved', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'Slow' });
    const { page } = await dashboard.enter(settingsOf(id));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(`**/v1/websites/${id}`, async (route) => {
      if (route.request().method() === 'PATCH') await held;
      await route.continue();
    });
    const field = (name: string) => page.getByLabel(name, { exact: true });
    await field('Name').fill('Sent');
    const sending = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).click();
    await sending;
    await field('Name').fill('Typed since');
    release();
    await page.getByText('Saved.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Sent' }).waitFor();
    expect(await field('Name').inputValue()).to.equal('Typed since');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Typed since' }).waitFor();
    expect((await stored(id)).data.name).to.equal('Typed since');
  });

  it('say beside each field what the API refuses', async () => {
    const { id } = await createWebsite(dashboard.server);
    const visitor = await dashboard.enter(settingsOf(id));
    visitor.allowRefusals();
    const { page } = visitor;
    await page.getByLabel('Domain').fill('shop.example.com:x:y');
    await page.getByLabel('Time zone').fill('Europe/Atlantis');
    await page.getByLabel('Other allowed origins').fill('https://ok.example.com\napp.example.com');
    await page.getByLabel('Daily limit without a key, in MB').fill('1 GB');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Something in the form is not right.').waitFor();
    const faults = await page.locator('.field .fault').allInnerTexts();
    expect(faults).to.have.length(4);
    for (const [index, said] of [
      'host such as',
      'IANA time zone',
      'origins with hosts',
      'a number above 0',
    ].entries()) {
      expect(faults[index]).to.contain(said);
    }
    await eventually(() => page.evaluate('document.activeElement.name')).equals('domain');
    await visitor.expectAccessible('refused settings');
    expect((await stored(id)).data.settings).to.deep.equal({});
  });

  it('of two tabs are not overwritten: the second is told, and keeps what was typed', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'Both' });
    const visitor = await dashboard.enter(settingsOf(id));
    visitor.allowRefusals();
    const first = visitor.page;
    const second = await visitor.newTab(settingsOf(id));
    await second.getByLabel('Name', { exact: true }).fill('By the second');
    await first.getByLabel('Honour privacy signals').check();
    await save(first);

    await second.getByRole('button', { name: 'Save' }).click();
    await second.getByRole('alert').getByText('Somebody else changed this in the meantime.').waitFor();
    expect((await stored(id)).data.name).to.equal('Both');
    await visitor.expectAccessible('a change that came second', second);
    await second.getByRole('alert').getByRole('button').click();
    await second.getByText('The current version is loaded.').waitFor();
    await visitor.settled(second);
    expect(await second.getByLabel('Name', { exact: true }).inputValue()).to.equal('By the second');
    await second.getByLabel('Honour privacy signals').and(second.locator(':checked')).waitFor();
    await save(second);
    const { data } = await stored(id);
    expect(data.name).to.equal('By the second');
    expect(data.settings).to.deep.equal({ honorPrivacySignals: true });
  });

  it('end by a deletion that needs the name, and the list says that it is done', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'Short lived' });
    const visitor = await dashboard.enter(settingsOf(id));
    const { page } = visitor;
    await page.getByRole('button', { name: 'Delete website …' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete this website?' });
    await dialog.getByText('the data itself is deleted.').waitFor();
    await visitor.expectAccessible('the question before a deletion');
    await visitor.settled();
    visitor.requests.length = 0;
    for (const typed of ['', 'short lived', 'Short live']) {
      await dialog.getByLabel('Name of the website').fill(typed);
      await dialog.getByRole('button', { name: 'Delete website' }).click();
      await dialog.getByText('This is not the name.').waitFor();
    }
    await visitor.settled();
    expect(visitor.requests).to.deep.equal([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => page.evaluate('document.activeElement.textContent')).equals('Delete website …');

    await page.keyboard.press('Enter');
    await page.keyboard.type('Short lived');
    await page.keyboard.press('Enter');
    await page.getByText('The website is deleted.').waitFor();
    expect(visitor.requests.slice(0, 1)).to.deep.equal([`DELETE /v1/websites/${id}`]);
    await eventually(() => new URL(page.url()).pathname).equals('/dashboard');
    await page.locator('.website-card').first().waitFor();
    await visitor.settled();
    expect(await page.getByText('Short lived').count()).to.equal(0);
    expect((await stored(id)).code).to.equal('ACCESS_DENIED');
    expect(await page.evaluate('document.activeElement.textContent')).to.contain('The website is deleted.');
    await page.reload();
    await page.locator('.website-card').first().waitFor();
    await visitor.settled();
    expect(await page.getByText('The website is deleted.').count()).to.equal(0);
  });

  it('are not deleted unseen when somebody changed them meanwhile', async () => {
    const { id } = await createWebsite(dashboard.server, { name: 'Contested' });
    const visitor = await dashboard.enter(settingsOf(id));
    visitor.allowRefusals();
    const { page } = visitor;
    await page.getByRole('button', { name: 'Delete website …' }).click();
    const { server } = dashboard;
    await server.call('PATCH', `/v1/websites/${id}`, { key: server.keys.all, body: { name: 'Kept' } });
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name of the website').fill('Contested');
    await dialog.getByRole('button', { name: 'Delete website' }).click();
    await dialog.getByText('Somebody else changed this in the meantime.').waitFor();
    expect((await stored(id)).data.name).to.equal('Kept');
    await dialog.getByRole('alert').getByRole('button').click();
    await dialog.locator('strong').getByText('Kept').waitFor();
  });

  it('of a website that is not there, or of another organization, are refused in words', async () => {
    const visitor = await dashboard.enter(settingsOf('web_free'));
    visitor.allowRefusals();
    const { page } = visitor;
    await page.getByRole('alert').getByText('There is nothing at this address.').waitFor();
    const said = await page.getByRole('alert').innerText();
    expect(await page.getByRole('button', { name: /Save|Delete/ }).count()).to.equal(0);
    await page.goto(`${dashboard.origin}${settingsOf('web_none')}`);
    await page.getByRole('alert').waitFor();
    expect(await page.getByRole('alert').innerText()).to.equal(said);
    await visitor.expectAccessible('no such website');
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`have no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const visitor = await dashboard.enter(settingsOf('web_shop'), undefined, {
          colorScheme,
          viewport: { width, height: 800 },
        });
        const { page } = visitor;
        await page.getByRole('button', { name: 'Save' }).waitFor();
        await visitor.expectAccessible(`the settings at ${width} px, ${colorScheme}`);
        await visitor.expectNoWider();
        await page.getByRole('button', { name: 'Delete website …' }).click();
        await page.getByRole('dialog').waitFor();
        await visitor.expectAccessible(`the dialog at ${width} px, ${colorScheme}`);
      });
    }
  }
});
