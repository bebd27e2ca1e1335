/** Sessions and visitors of a website in a real browser: each opens the other, a person is found, and a visitor erased. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { addMember } from '../../../../../support/dashboard-members.ts';
import { eventually } from '../../../../../support/eventually.ts';

const SHOP = '/dashboard/websites/web_shop';
const HOSTILE = '<img src=x onerror=hacked=1>\u202e';

describe('the sessions and visitors of a website', () => {
  const dashboard = useDashboard();
  const parameter = (page: Page, name: string) => new URL(page.url()).searchParams.get(name);

  before(async () => {
    const { server } = dashboard;
    const event = (anonymousId: string, sessionId: string, path: string, secondsAgo: number) => ({
      websiteId: 'web_shop',
      name: 'screen_view',
      timestamp: new Date(Date.now() - secondsAgo * 1_000).toISOString(),
      ...{ anonymousId, sessionId, path },
      ...(anonymousId === 'ada' && { profileId: 'user-ada' }),
    });
    const body = [
      event('ada', 'ada-1', '/', 400),
      event('ada', 'ada-1', '/pricing', 340),
      { ...event('ada', 'ada-1', '/pricing', 330), name: 'signup', properties: { plan: HOSTILE } },
      event('ada', 'ada-2', '/docs', 60),
      event('ben', 'ben-1', '/', 50),
    ];
    const sent = await server.call('POST', '/track', { key: server.keys.all, body });
    expect(sent.body.count).to.equal(body.length);
    const person = {
      profileId: 'user-ada',
      anonymousId: 'ada',
      websiteId: 'web_shop',
      traits: { plan: HOSTILE },
    };
    expect((await server.call('POST', '/identify', { key: server.keys.all, body: person })).status).to.equal(
      200,
    );
  });

  it('show a session as what happened, and the visitor behind it with all sessions, each screen for one request', async () => {
    const visitor = await dashboard.enter(`${SHOP}/sessions?range=last_7d`);
    const { page } = visitor;
    await page.getByRole('row').filter({ hasText: 'ben' }).waitFor();
    await visitor.settled();
    await visitor.expectAccessible('sessions');
    const first = page.getByRole('row').filter({ hasText: 'ada' }).filter({ hasText: '2' }).last();
    const asked = await visitor.asks(() => first.getByRole('link').first().click());
    expect(asked).to.deep.equal(['POST /v1/query']);
    const timeline = page.getByRole('table', { name: 'What happened' });
    await eventually(() => timeline.locator('tbody tr').count()).equals(3);
    expect(await timeline.innerText()).to.include('signup');
    expect(await timeline.innerText()).to.include('onerror=hacked=1');
    expect(await page.evaluate('typeof hacked')).to.equal('undefined');
    await visitor.expectAccessible('one session');
    await page.locator('.facts').getByRole('link', { name: 'ada' }).click();
    await eventually(() => parameter(page, 'visitor')).equals('ada');
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await eventually(() => sessions.locator('tbody tr').count()).equals(2);
    await page.getByRole('button', { name: 'Show the person' }).click();
    await page.getByRole('row', { name: 'plan' }).waitFor();
    await visitor.expectAccessible('one visitor and the person');
    await page.goBack();
    await timeline.waitFor();
  });

  it('find a person, and erase a visitor once its identifier is typed', async () => {
    const visitor = await dashboard.enter(`${SHOP}/visitors?range=last_7d`);
    const { page } = visitor;
    await page.getByRole('row').filter({ hasText: 'ben' }).waitFor();
    await page.getByLabel('Identifier of the person').fill('nobody');
    visitor.allowRefusals();
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Identifier of the person').fill('user-ada');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    await page.getByText('4 events.').waitFor();
    await page.getByRole('link', { name: 'ben' }).first().click();
    await page.getByRole('button', { name: 'Erase the visitor' }).click();
    const dialog = page.getByRole('dialog', { name: 'Erase the visitor' });
    await visitor.expectAccessible('the question');
    await dialog.getByLabel('Identifier').fill('be');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await dialog.getByText('That is not the identifier.').waitFor();
    await dialog.getByLabel('Identifier').fill('ben');
    await dialog.getByRole('button', { name: 'Erase' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'ada' }).first().waitFor();
    await eventually(() => page.getByRole('row').filter({ hasText: 'ben' }).count()).equals(0);
  });

  it('offer a viewer what a viewer may: to look', async () => {
    const viewer = await addMember(dashboard.server, 'viewer');
    const visitor = await dashboard.enter(`${SHOP}/visitors?range=last_7d&visitor=ada`, viewer);
    const { page } = visitor;
    await page.getByRole('table', { name: 'Sessions' }).waitFor();
    expect(await page.getByRole('button', { name: 'Erase the visitor' }).count()).to.equal(0);
    expect(await page.getByRole('button', { name: 'Show the person' }).count()).to.equal(0);
  });
});
