/** The screen of shares in a real browser: made, copied, changed and revoked, with what the API knows of it after each act. */
import { expect } from 'chai';
import { expectSuccess } from '../../../../../support/answers.ts';
import { useDashboard, type Visitor } from '../../../../../support/dashboard.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { HOSTILE_TEXTS } from '../../../../../support/hostile-texts.ts';

const PATH = '/dashboard/websites/web_shop/sharing';
const ORIGIN = 'https://www.example.com';

describe('the screen of shares', () => {
  const dashboard = useDashboard();

  const list = async (kind: 'shares' | 'views') => {
    const { server } = dashboard;
    const answer = await server.call('GET', `/v1/${kind}?website_id=web_shop`, { key: server.keys.all });
    expectSuccess(answer);
    return answer.body.data;
  };
  async function open(path = PATH, locale = 'en-US'): Promise<Visitor> {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn(), locale });
    await visitor.page.goto(dashboard.origin + path);
    await visitor.settled();
    return visitor;
  }

  it('makes a share with a password, shows its link and code, changes it, and revokes it', async () => {
    const visitor = await open('/dashboard/websites/web_shop/settings');
    const { page } = visitor;
    await page.getByRole('link', { name: 'Sharing' }).click();
    await page.getByText('Nothing is shared').waitFor();
    await page.getByRole('button', { name: 'New share' }).click();
    const dialog = page.getByRole('dialog');
    // What is missing is said before the API is asked.
    visitor.requests.length = 0;
    await dialog.getByRole('button', { name: 'Make share' }).click();
    await dialog.getByText('Type a name.').waitFor();
    expect(visitor.asked()).to.not.include('POST /v1/shares');
    await dialog.getByLabel('Name').fill('Agency');
    await dialog.getByRole('checkbox', { name: 'Top pages' }).check();
    await dialog.getByRole('checkbox', { name: 'Ask for a password' }).check();
    await dialog.getByLabel('Password of the share').fill('correct horse');
    await dialog.getByLabel('Last day').fill('2099-01-31');
    await dialog.getByLabel('Pages that may embed it').fill(`${ORIGIN}/page`);
    visitor.allowRefusals();
    await dialog.getByRole('button', { name: 'Make share' }).click();
    await dialog.getByText(/Allowed: a web origin/).waitFor();
    await dialog.getByLabel('Pages that may embed it').fill(ORIGIN);
    await dialog.getByRole('button', { name: 'Make share' }).click();
    await dialog.getByRole('heading', { name: 'Embed code' }).waitFor();

    const [share] = await list('shares');
    expect(share).to.deep.include({ name: 'Agency', hasPassword: true, origins: [ORIGIN] });
    expect(share.expiresAt).to.match(/^2099-01-31T/);
    expect(share.datasets).to.include.members(['summary_metrics', 'summary', 'top_pages']);
    // The refused try left no second view.
    const views = await list('views');
    expect(views.map(({ id, state }: { id: string; state: object }) => [id, state])).to.deep.equal([
      [share.view, { preset: 'last_30d', timezone: 'UTC' }],
    ]);
    const link = `${dashboard.origin}/share/${share.token}`;
    const codes = () => dialog.locator('code').allInnerTexts();
    expect((await codes())[0]).to.equal(link);
    await dialog.getByLabel('Appearance').selectOption('dark');
    await eventually(async () => (await codes())[1]).satisfies((code) =>
      expect(code).to.include(`<iframe src="${link}?theme=dark" title="Agency"`),
    );
    await page.keyboard.press('Escape');
    // The list shows neither the token nor the password.
    await page.getByRole('row', { name: /Agency/ }).waitFor();
    expect(await page.content()).to.not.match(new RegExp(`${share.token}|correct horse`));

    await page.getByRole('button', { name: 'Change Agency' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Nothing was changed.').waitFor();
    await dialog.getByLabel('Name').fill('Board');
    await dialog.getByRole('checkbox', { name: 'Ask for a password' }).uncheck();
    const asked = await visitor.asks(async () => {
      await dialog.getByRole('button', { name: 'Save' }).click();
      await page.getByText('Board is changed.').waitFor();
    });
    expect(asked).to.deep.equal([`PATCH /v1/shares/${share.id}`, 'GET /v1/shares']);
    expect((await list('shares'))[0]).to.deep.include({
      name: 'Board',
      hasPassword: false,
      token: share.token,
    });

    await page.getByRole('button', { name: 'Revoke Board' }).click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('Board is revoked.').waitFor();
    await page.getByText('Nothing is shared').waitFor();
    expect(await list('shares')).to.deep.equal([]);
  });

  it('shows a saved view with its filters, leaves none behind that a dialog made in vain, and speaks German', async () => {
    const { server } = dashboard;
    const body = {
      websiteId: 'web_shop',
      name: HOSTILE_TEXTS[2],
      shared: true,
      state: { preset: 'last_7d' },
    };
    const made = await server.call('POST', '/v1/views', { key: server.keys.all, body });
    expectSuccess(made, 201);
    const before = (await list('views')).length;
    const visitor = await open(PATH, 'de-DE');
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Neue Freigabe' }).click();
    await dialog.getByLabel('Name').fill('Agentur');
    await dialog.getByLabel('Weitere Datensätze').fill('sessions');
    visitor.allowRefusals();
    await dialog.getByRole('button', { name: 'Freigeben' }).click();
    const further = dialog.locator('.field', { hasText: 'Weitere Datensätze' });
    await further.getByText('„sessions“ lässt sich nicht teilen.').waitFor();
    await eventually(() => dialog.locator(':focus').getAttribute('name')).equals('further');
    await dialog.getByText('als gespeicherte Ansicht für alle in der Organisation').waitFor();
    expect(await dialog.getByText(/der Seitenaufrufe/).count()).to.equal(0);
    await dialog.getByRole('button', { name: 'Abbrechen' }).click();
    await eventually(async () => (await list('views')).length).equals(before);
    await page.getByRole('button', { name: 'Neue Freigabe' }).click();
    await dialog.getByLabel('Name').fill('Agentur');
    await dialog.locator(`option[value="view:${made.body.data.id}"]`).waitFor({ state: 'attached' });
    await dialog.getByLabel('Zeitraum').selectOption(`view:${made.body.data.id}`);
    await dialog.getByRole('button', { name: 'Freigeben' }).click();
    await dialog.getByText('Keine Seite darf sie einbetten', { exact: false }).waitFor();
    expect((await list('shares'))[0].view).to.equal(made.body.data.id);
  });

  it('lets viewers copy links and nothing else', async () => {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn() });
    const { page } = visitor;
    await page.route('**/v1/auth/session', async (route) => {
      const answer = await route.fetch();
      const view = await answer.json();
      view.data.scopes = ['read:data', 'read:links'];
      await route.fulfill({ response: answer, json: view });
    });
    await page.goto(dashboard.origin + PATH);
    await page.getByRole('button', { name: 'Link and embedding: Agentur' }).waitFor();
    expect(await page.getByRole('button', { name: /Change|Revoke|New share/ }).count()).to.equal(0);
  });
});
