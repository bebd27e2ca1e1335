/** The page of one API key in a real browser: what changes it, what gives it a new secret, what ends it; and what others did meanwhile. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';

interface Made {
  readonly id: string;
  readonly secret: string;
}

describe('the page of an API key', () => {
  const dashboard = useDashboard();

  /** A visitor at the page of a new key. */
  async function open(body: object, options?: object): Promise<Visitor & Made> {
    const visitor = await dashboard.enter('/dashboard/organization', undefined, options);
    const made = await call(visitor.page, 'POST', '/v1/api-keys', {
      name: 'Shop server',
      scopes: ['read:data'],
      access: { level: 'global' },
      ...body,
    });
    await visitor.page.goto(`${dashboard.origin}/dashboard/keys/${made.id}`);
    await visitor.page.getByRole('heading', { level: 2, name: 'Settings' }).waitFor();
    return { ...visitor, ...made };
  }

  /** Calls the API as the visitor, past the page. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  async function call(page: Page, method: string, path: string, data?: object): Promise<any> {
    const { origin } = dashboard;
    const answer = await page.request.fetch(`${origin}${path}`, { method, data, headers: { origin } });
    expect(answer.status(), await answer.text()).to.be.lessThan(300);
    return (await answer.json()).data;
  }

  const statusOf = async (key: string) =>
    (await dashboard.server.call('GET', '/v1/query/websites', { key })).status;
  const save = (page: Page) => page.getByRole('button', { name: 'Save' });
  /** Once the page has saved everything, and shows what it saved; its button is shut while it sends, too. */
  const saved = async (page: Page) => {
    await page.getByRole('status').getByText('Saved.').waitFor();
    await eventually(() => save(page).getAttribute('aria-disabled'), 'nothing more to save').equals('true');
  };
  const state = (page: Page, text: string) => page.locator('.page-head .badge', { hasText: text }).waitFor();

  it('changes name, expiry, scopes and websites, and tells the API only what changed', async () => {
    const { page, id } = await open({});
    const bodies: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') bodies.push(request.postData() ?? '');
    });
    await page.getByLabel('Name', { exact: true }).fill('Blog server');
    await save(page).click();
    await page.getByRole('heading', { level: 1, name: 'Blog server' }).waitFor();
    await saved(page);
    await page.getByLabel('Expiry').selectOption('date');
    await page.getByLabel('Last day').fill('2099-12-31');
    await page.getByRole('checkbox', { name: 'track:events' }).check();
    await page.getByRole('radio', { name: 'Only these websites' }).check();
    await page.getByRole('checkbox', { name: 'Blog' }).check();
    await save(page).click();
    await page.getByText('Dec 31, 2099').waitFor();
    await saved(page);
    await page.getByLabel('Expiry').selectOption('never');
    await save(page).click();
    await page.getByText('Dec 31, 2099').waitFor({ state: 'detached' });
    await saved(page);
    expect(bodies.map((body) => JSON.parse(body))).to.deep.equal([
      { name: 'Blog server' },
      {
        expiresAt: '2099-12-31T23:59:59.000Z',
        scopes: ['track:events', 'read:data'],
        access: { level: 'website', websiteIds: ['web_blog'] },
      },
      { expiresAt: null },
    ]);
    const key = await call(page, 'GET', `/v1/api-keys/${id}`);
    expect(key).to.deep.include({ name: 'Blog server', expiresAt: null });
    expect(key.access).to.deep.equal({ level: 'website', websiteIds: ['web_blog'] });
  });

  it('keeps what is typed in the moment in which the change before is drawn', async () => {
    const visitor = await open({});
    const { page } = visitor;
    await page.evaluate(`new MutationObserver((_, observer) => {
      if (![...document.querySelectorAll('.key-form [role=status]')].some((each) => each.textContent === 'Saved.')) return;
      observer.disconnect();
      const field = document.querySelector('.key-form input[name=name]');
      field.value = 'Typed at once';
      field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    }).observe(document, { childList: true, subtree: true, characterData: true })`);
    await page.getByRole('checkbox', { name: 'track:events' }).check();
    await save(page).click();
    const name = page.getByLabel('Name', { exact: true });
    await eventually(() => name.inputValue()).equals('Typed at once');
    await visitor.settled();
    expect(await name.inputValue()).to.equal('Typed at once');
  });

  it('says beside its field what is missing or refused', async () => {
    const { page } = await open({});
    await page.getByLabel('Name', { exact: true }).fill(' ');
    await page.getByRole('checkbox', { name: 'read:data' }).uncheck();
    await save(page).click();
    await page.getByText('Give it a name of 1 to 100 characters.').waitFor();
    await page.getByText('Tick at least one scope.').waitFor();
    await eventually(() => page.evaluate('document.activeElement.getAttribute("name")')).equals('name');
  });

  it('overwrites nobody: says that somebody was first, shows their version, and keeps what was typed', async () => {
    const visitor = await open({});
    const { page, id } = visitor;
    visitor.allowRefusals();
    await page.getByLabel('Name', { exact: true }).fill('Mine');
    await call(page, 'PATCH', `/v1/api-keys/${id}`, { scopes: ['read:links'] });
    await save(page).click();
    await page.getByRole('alert').getByText('Somebody else changed this in the meantime.').waitFor();
    expect((await call(page, 'GET', `/v1/api-keys/${id}`)).name).to.equal('Shop server');
    await page.getByRole('button', { name: 'Try again' }).click();
    await eventually(() => page.getByRole('checkbox', { name: 'read:links' }).isChecked()).equals(true);
    await visitor.settled();
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).to.equal('Mine');
    await save(page).click();
    await page.getByRole('heading', { level: 1, name: 'Mine' }).waitFor();
    await saved(page);
    const key = await call(page, 'GET', `/v1/api-keys/${id}`);
    expect(key).to.deep.include({ name: 'Mine', scopes: ['read:links'] });
  });

  it('says why a key that somebody revoked meanwhile cannot be changed', async () => {
    const visitor = await open({});
    const { page, id } = visitor;
    visitor.allowRefusals();
    await call(page, 'POST', `/v1/api-keys/${id}/revoke`);
    // As a page does that read the key just before: the version fits, the state does not.
    await page.route(`**/v1/api-keys/${id}`, async (route) => {
      const headers = { ...route.request().headers(), 'if-match': '*' };
      await route.continue(route.request().method() === 'PATCH' ? { headers } : {});
    });
    await page.getByRole('button', { name: 'Disable' }).click();
    await page.getByRole('alert').getByText('is revoked for good: create another one.').waitFor();
  });

  it('disables and enables at once', async () => {
    const { page, secret } = await open({});
    expect(await statusOf(secret)).to.equal(200);
    await page.getByRole('button', { name: 'Disable' }).click();
    await state(page, 'Disabled');
    expect(await statusOf(secret)).to.equal(401);
    await page.getByRole('button', { name: 'Enable' }).click();
    await state(page, 'Active');
    expect(await statusOf(secret)).to.equal(200);
  });

  it('rotates with grace: both secrets work, the time left counts down, and the new secret is gone with the step', async () => {
    const { page, secret: old } = await open({});
    await page.getByRole('radio', { name: 'One hour' }).check();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('heading', { level: 2, name: 'Copy the new secret' }).waitFor();
    const secret = (await page.locator('.secret code').first().textContent()) ?? '';
    expect(secret).not.to.equal(old);
    expect(await Promise.all([statusOf(old), statusOf(secret)])).to.deep.equal([200, 200]);
    await page.getByRole('link', { name: 'Members' }).click();
    await page.getByRole('button', { name: 'Stay here' }).click();
    await page.getByRole('button', { name: 'I have stored it' }).click();
    await page.getByRole('heading', { level: 2, name: 'Settings' }).waitFor();
    await eventually(() => page.evaluate('document.activeElement.id'), 'the focus').equals('content');
    expect(await page.content()).not.to.include(secret);
    const left = page.getByText(/^The old secret works for 5\dm( \d+s)? more\.$/);
    const first = await left.textContent();
    await eventually(() => left.textContent(), 'the time goes by').satisfies((text) =>
      expect(text).not.to.equal(first),
    );
    await page.getByText('Old secret still works').waitFor();
  });

  it('rotates without grace: the old secret ends at once', async () => {
    const { page, secret: old } = await open({});
    await page.getByRole('radio', { name: 'Not at all' }).check();
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByText('The old secret no longer works.').waitFor();
    const secret = (await page.locator('.secret code').first().textContent()) ?? '';
    expect(await Promise.all([statusOf(old), statusOf(secret)])).to.deep.equal([401, 200]);
  });

  it('does not keep the new secret for the way back into the page', async () => {
    const { page } = await open({});
    await page.getByRole('button', { name: 'Rotate' }).click();
    await page.getByRole('heading', { level: 2, name: 'Copy the new secret' }).waitFor();
    const secret = (await page.locator('.secret code').first().textContent()) ?? '';
    page.on('dialog', (question) => void question.accept());
    await page.goto('about:blank');
    await page.goBack();
    await page.getByRole('heading', { level: 2, name: 'Settings' }).waitFor();
    expect(await page.content()).not.to.include(secret);
  });

  it('revokes for good when the name is typed, and refuses both secrets from then on', async () => {
    const { page, id, secret } = await open({});
    const { secret: second } = await call(page, 'POST', `/v1/api-keys/${id}/rotate`, { graceSeconds: 3600 });
    await page.reload();
    await page.getByRole('button', { name: 'Revoke' }).click();
    const dialog = page.getByRole('dialog', { name: 'Revoke this key for ever?' });
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await dialog.getByText('This is not the name of the key.').waitFor();
    await dialog.getByRole('textbox').fill('shop server');
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    expect(await statusOf(secret)).to.equal(200);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await eventually(() => page.evaluate('document.activeElement.textContent')).equals('Revoke');
    await page.keyboard.press('Enter');
    await dialog.getByRole('textbox').fill('Shop server');
    await page.keyboard.press('Enter');
    await page.getByText('This key was revoked on').waitFor();
    expect(await Promise.all([statusOf(secret), statusOf(second)])).to.deep.equal([401, 401]);
    for (const name of ['Save', 'Rotate', 'Revoke', 'Disable']) {
      await eventually(() => page.getByRole('button', { name }).count(), name).equals(0);
    }
  });

  it('says that there is no such key, of another organization neither', async () => {
    const visitor = await dashboard.enter('/dashboard/organization');
    visitor.allowRefusals();
    for (const id of ['key_free', 'key_unknown']) {
      await visitor.page.goto(`${dashboard.origin}/dashboard/keys/${id}`);
      await visitor.page.getByText('There is nothing at this address.').first().waitFor();
    }
  });

  it('names the websites of a key, a deleted one too', async () => {
    const visitor = await dashboard.enter('/dashboard/organization');
    const { page } = visitor;
    const made = await call(page, 'POST', '/v1/websites', { name: 'Gone', domain: 'gone.example.com' });
    const key = await call(page, 'POST', '/v1/api-keys', {
      name: 'Of one that goes',
      scopes: ['read:data'],
      access: { level: 'website', websiteIds: ['web_shop', made.id] },
    });
    await dashboard.server.call('DELETE', `/v1/websites/${made.id}`, { key: dashboard.server.keys.all });
    await page.goto(`${dashboard.origin}/dashboard/keys/${key.id}`);
    await page.getByRole('button', { name: 'Take Shop away' }).waitFor();
    await page.getByRole('button', { name: `Take ${made.id} away` }).click();
    await save(page).click();
    await saved(page);
    expect((await call(page, 'GET', `/v1/api-keys/${key.id}`)).access.websiteIds).to.deep.equal(['web_shop']);
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const visitor = await open(
          { access: { level: 'website', websiteIds: ['web_shop'] } },
          { colorScheme, viewport: { width, height: 700 } },
        );
        const { page } = visitor;
        const check = async (where: string) => {
          await visitor.expectAccessible(`${where}, ${width} px, ${colorScheme}`);
          await visitor.expectNoWider(where);
        };
        await page.getByRole('button', { name: 'Take Shop away' }).waitFor();
        await check('the key');
        await page.getByRole('button', { name: 'Revoke' }).click();
        await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
        await check('the question before revoking');
        await page.keyboard.press('Escape');
        await page.getByRole('button', { name: 'Rotate' }).click();
        await page.getByRole('heading', { level: 2, name: 'Copy the new secret' }).waitFor();
        await check('the new secret');
      });
    }
  }
});
