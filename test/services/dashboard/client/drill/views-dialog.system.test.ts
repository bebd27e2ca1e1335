/** Saved views in a real browser: they open where they were saved, are deleted after a question, and viewers are offered no more than reading them. */
import { expect } from 'chai';
import { expectSuccess } from '../../../../support/answers.ts';
import { useDashboard, type Visitor } from '../../../../support/dashboard.ts';
import { addMember } from '../../../../support/dashboard-members.ts';
import { HOSTILE_TEXTS } from '../../../../support/hostile-texts.ts';

const SHOP = '/dashboard/websites/web_shop';

describe('the saved views of a website', () => {
  const dashboard = useDashboard();

  async function save(name: string, state: object): Promise<void> {
    const { server } = dashboard;
    const body = { websiteId: 'web_shop', name, shared: true, state };
    expectSuccess(await server.call('POST', '/v1/views', { key: server.keys.all, body }), 201);
  }
  async function names(): Promise<string[]> {
    const { server } = dashboard;
    const answer = await server.call('GET', '/v1/views?website_id=web_shop&sort=name', {
      key: server.keys.all,
    });
    expectSuccess(answer);
    return answer.body.data.map(({ name }: { name: string }) => name);
  }
  async function open({ page }: Visitor) {
    await page.getByRole('button', { name: 'Saved views' }).click();
    return page.getByRole('dialog');
  }

  it('opens a view on the screen where it was saved, and asks before one is deleted', async () => {
    const visitor = await dashboard.enter(`${SHOP}/journeys?range=last_7d&tab=links`);
    const { page } = visitor;
    const dialog = await open(visitor);
    await dialog.getByLabel('Name').fill('Ways');
    await dialog.getByLabel('For everybody').check();
    await dialog.getByRole('button', { name: 'Save this view' }).click();
    await dialog.getByRole('link', { name: 'Ways' }).waitFor();
    await page.goto(`${dashboard.origin}${SHOP}/pages`);
    await (await open(visitor)).getByRole('link', { name: 'Ways' }).click();
    await page.waitForURL(`**${SHOP}/journeys?range=last_7d&tab=links`);
    await visitor.settled();

    await open(visitor);
    await dialog.getByRole('button', { name: 'Delete the view Ways' }).click();
    await dialog.getByRole('heading', { name: 'Delete this view?' }).waitFor();
    await visitor.expectAccessible('the question');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.getByRole('link', { name: 'Ways' }).waitFor();
    expect(await names()).to.deep.equal(['Ways']);
    await dialog.getByRole('button', { name: 'Delete the view Ways' }).click();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await dialog.getByText('No view is saved yet.').waitFor();
    expect(await names()).to.deep.equal([]);
  });

  it('opens views of other clients that it can read, and says so of others; viewers change none', async () => {
    const filters = [{ field: 'path', op: 'eq', value: '/docs', of: 'session' }];
    await save('Docs', { preset: 'last_7d', filters });
    await save('Any', { preset: 'last_7d', filters: [{ any: filters }] });
    await save('Unknown screen', { preset: 'last_7d', display: { search: '', screen: '../../keys' } });
    const hostile = HOSTILE_TEXTS.find((text) => text.includes('<img')) ?? '';
    await save(hostile, { preset: 'last_7d' });
    const visitor = await dashboard.enter(`${SHOP}/pages`, await addMember(dashboard.server, 'viewer'));
    const { page } = visitor;
    const dialog = await open(visitor);
    await dialog.getByRole('link', { name: hostile }).waitFor();
    for (const name of ['Any', 'Unknown screen']) {
      const row = dialog.getByRole('listitem').filter({ hasText: name });
      expect(await row.innerText()).to.include('filters or a range that these pages do not have');
      expect(await row.getByRole('link').count()).to.equal(0);
    }
    expect(await dialog.locator('img').count()).to.equal(0);
    expect(await dialog.getByRole('button').allInnerTexts()).to.deep.equal(['Close']);
    await visitor.expectAccessible('views of a viewer');
    await dialog.getByRole('link', { name: 'Docs' }).click();
    await page.locator('.chip').getByText('/docs').waitFor();
    expect(new URL(page.url()).pathname).to.equal(SHOP);
  });
});
