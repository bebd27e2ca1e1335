/** The secret of a new API key in a real browser: nobody leaves it unasked, and it is nowhere once its step is closed. */
import { expect } from 'chai';
import type { Page, Response } from 'playwright-core';
import { useDashboard } from '../../../../../support/dashboard.ts';
import {
  createKey,
  keyStored,
  makeKey,
  NEW_KEY,
  nextStep,
  secretOf,
  stepShown,
} from '../../../../../support/dashboard-keys.ts';
import { eventually } from '../../../../../support/eventually.ts';

/** All texts that the page's own script still holds, after a collection of garbage. */
async function textsInMemory(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page);
  const chunks: string[] = [];
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk));
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  await session.detach();
  return chunks.join('');
}

/** Everything that the browser keeps for the page: what each kind of storage holds, and the cookies that scripts see. */
const STORED = `(async () => JSON.stringify([
  { ...localStorage }, { ...sessionStorage }, document.cookie, history.state, location.href, document.title, document.referrer,
  performance.getEntries().map(({ name }) => name), await indexedDB.databases(), await caches.keys(), window.name,
]))()`;

describe('the secret of a new API key', () => {
  const dashboard = useDashboard({ ownLogins: true });

  it('keeps the secret nowhere once the last step is closed', async () => {
    const visitor = await dashboard.enter('/dashboard/keys');
    const { page, context } = visitor;
    const said: string[] = [];
    page.on('console', (message) => said.push(message.text()));
    const later: string[] = [];
    const addresses: string[] = [];
    page.on('framenavigated', (frame) => addresses.push(frame.url()));
    await page.getByRole('link', { name: 'New API key' }).click();
    const secret = await makeKey(page, 'Kept nowhere', ['read:data']);
    expect(await page.content()).to.include(secret);
    expect(await textsInMemory(page), 'memory while it is shown').to.include(secret);

    const reading: Promise<unknown>[] = [];
    page.on('response', (response: Response) =>
      reading.push(
        response.text().then(
          (text) => later.push(text),
          () => {},
        ),
      ),
    );
    await keyStored(page).click();
    await page.getByRole('heading', { level: 1, name: 'Kept nowhere' }).waitFor();
    await page.getByRole('heading', { level: 2, name: 'Settings' }).waitFor();
    await visitor.settled();
    await eventually(() => textsInMemory(page)).satisfies((texts) =>
      expect(texts.includes(secret), 'in memory').to.equal(false),
    );
    const seen = async () => {
      await visitor.settled();
      expect(await page.content(), page.url()).not.to.include(secret);
      expect(await page.evaluate(STORED), page.url()).not.to.include(secret);
      addresses.push(page.url());
    };
    await seen();
    // Back through all that was open, and forward again.
    for (let back = 0; back < 3; back++) {
      await page.goBack();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await seen();
    }
    for (let forward = 0; forward < 3; forward++) {
      await page.goForward();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await seen();
    }
    await page.goto(`${dashboard.origin}/dashboard/keys?search=Kept`);
    await page.getByRole('link', { name: 'Kept nowhere' }).click();
    await page.getByRole('heading', { level: 2, name: 'Settings' }).waitFor();
    await page.goto(`${dashboard.origin}/dashboard/audit`);
    await page.getByRole('row').first().waitFor();
    await seen();
    await page.request
      .get(`${dashboard.origin}/v1/audit`, { headers: { origin: dashboard.origin } })
      .then(async (answer) => {
        expect(answer.status()).to.equal(200);
        later.push(await answer.text());
      });
    await Promise.all(reading);
    expect(later.length).to.be.greaterThan(5);
    expect(later.join('\n')).not.to.include(secret);
    expect(said.join('\n')).not.to.include(secret);
    expect(addresses.join('\n')).not.to.include(secret);
    expect(JSON.stringify(await context.storageState())).not.to.include(secret);
    expect(visitor.requests.join('\n')).not.to.include(secret);
  });

  it('does not let anybody leave the unsaved key unasked: by a link, the way back, or closing the page', async () => {
    const visitor = await dashboard.enter('/dashboard/keys');
    const { page } = visitor;
    await page.getByRole('link', { name: 'New API key' }).click();
    const secret = await makeKey(page, 'Held', ['read:data']);
    const dialog = page.getByRole('dialog', { name: 'Leave without the key?' });

    await page.getByRole('link', { name: 'Members' }).click();
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    expect(await secretOf(page)).to.equal(secret);

    await page.getByRole('link', { name: 'Members' }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.evaluate('history.back()');
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    expect(await secretOf(page)).to.equal(secret);
    await eventually(() => new URL(page.url()).pathname).equals(NEW_KEY);

    const asked: string[] = [];
    page.on('dialog', (question) => {
      asked.push(question.type());
      void question.dismiss();
    });
    await page.evaluate('location.reload()').catch(() => {});
    await eventually(() => asked).equals(['beforeunload']);
    expect(await secretOf(page)).to.equal(secret);

    await page.evaluate('history.back()');
    await dialog.getByRole('button', { name: 'Leave without it' }).click();
    await stepShown(page, 'Name');
    expect(await page.content()).not.to.include(secret);
    // Nothing is asked any more.
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('link', { name: 'Held' }).waitFor();
    await visitor.settled();
    expect(asked).to.have.length(1);
  });

  it('does not let anybody log out of the unsaved key unasked', async () => {
    const { page } = await dashboard.enter(NEW_KEY);
    const secret = await makeKey(page, 'Logged out', ['read:data']);
    const dialog = page.getByRole('dialog', { name: 'Leave without the key?' });
    const logOut = async () => {
      await page.locator('.user summary').click();
      await page.getByRole('button', { name: 'Log out' }).click();
    };
    await logOut();
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    expect(await secretOf(page)).to.equal(secret);
    await logOut();
    await dialog.getByRole('button', { name: 'Leave without it' }).click();
    await page.getByRole('heading', { name: 'Log in' }).waitFor();
    expect(await page.content()).not.to.include(secret);
  });

  it('leaves by the link that was clicked, and forgets the secret', async () => {
    const { page } = await dashboard.enter(NEW_KEY);
    const secret = await makeKey(page, 'Left', ['read:data']);
    await page.getByRole('link', { name: 'Organization' }).click();
    await page.getByRole('button', { name: 'Leave without it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Organization' }).waitFor();
    await eventually(() => new URL(page.url()).pathname).equals('/dashboard/organization');
    expect(await page.content()).not.to.include(secret);
  });

  it('asks who leaves right after the key is asked for, before anything of that is painted', async () => {
    const { page } = await dashboard.enter(NEW_KEY);
    await page.route('**/v1/api-keys', () => {});
    await page.getByLabel('Name', { exact: true }).fill('Guarded at once');
    await nextStep(page).click();
    await page.getByRole('checkbox', { name: 'read:data' }).check();
    await nextStep(page).click();
    await createKey(page).waitFor();
    // Within one task of the browser: no frame comes between the two.
    await page.evaluate(`(async () => {
      document.querySelector('.key-form').requestSubmit();
      for (let turn = 0; turn < 50; turn++) await null;
      [...document.querySelectorAll('.frame-nav a')].find((link) => link.textContent === 'Members').click();
    })()`);
    await page.getByRole('dialog', { name: 'Leave without the key?' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/dashboard/keys/new');
  });

  it('asks before somebody leaves while the key is being made, and shows nothing of it to who leaves', async () => {
    const visitor = await dashboard.enter(NEW_KEY);
    const { page } = visitor;
    let letGo = (): void => {};
    await page.route('**/v1/api-keys', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await new Promise<void>((resolve) => {
        letGo = resolve;
      });
      await route.continue();
    });
    const dialog = page.getByRole('dialog', { name: 'Leave without the key?' });
    const ask = async (name: string) => {
      await page.getByLabel('Name', { exact: true }).fill(name);
      await nextStep(page).click();
      await page.getByRole('checkbox', { name: 'read:data' }).check();
      await nextStep(page).click();
      const sent = page.waitForRequest((request) => request.method() === 'POST');
      await createKey(page).click();
      await sent;
      await page.getByRole('link', { name: 'Members' }).click();
      await dialog.getByText('Its secret is on its way.').waitFor();
    };
    await ask('Waited for');
    await dialog.getByRole('button', { name: 'Stay here' }).click();
    await dialog.waitFor({ state: 'detached' });
    letGo();
    await stepShown(page, 'Copy the key');
    await keyStored(page).click();
    await page.getByRole('heading', { level: 1, name: 'Waited for' }).waitFor();

    await page.goto(dashboard.origin + NEW_KEY);
    await ask('Left alone');
    await dialog.getByRole('button', { name: 'Leave without it' }).click();
    await page.getByRole('heading', { level: 1, name: 'Members' }).waitFor();
    const answered = page.waitForResponse((answer) => answer.request().method() === 'POST');
    letGo();
    await (await answered).finished();
    await visitor.settled();
    expect(new URL(page.url()).pathname).to.equal('/dashboard/members');
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('link', { name: 'Left alone' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal('/dashboard/keys');
  });
});
