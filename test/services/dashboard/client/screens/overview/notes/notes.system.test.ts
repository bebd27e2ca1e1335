/** Annotations in a real browser: made, listed, marked on the line and deleted; what viewers are offered; and markup in them. */
import { expect } from 'chai';
import { expectSuccess } from '../../../../../../support/answers.ts';
import { useDashboard } from '../../../../../../support/dashboard.ts';
import { addMember } from '../../../../../../support/dashboard-members.ts';
import { eventually } from '../../../../../../support/eventually.ts';
import { findHarm } from '../../../../../../support/harm.ts';
import { HOSTILE_TEXTS } from '../../../../../../support/hostile-texts.ts';
import { trackVisits, VISIT_DAYS } from '../../../../../../support/tracked-visits.ts';

const RANGE = `from=${VISIT_DAYS.from}&to=${VISIT_DAYS.to}`;
const NOTES = (website: string) => `/dashboard/websites/${website}?${RANGE}&notes=shown`;

describe('the annotations of a website', () => {
  const dashboard = useDashboard();

  before(() => trackVisits(dashboard.server));

  async function note(websiteId: string, at: string, text: string): Promise<void> {
    const { server } = dashboard;
    const body = { websiteId, at, text, shared: true };
    expectSuccess(await server.call('POST', '/v1/annotations', { key: server.keys.all, body }), 201);
  }
  async function stored(websiteId: string): Promise<string[]> {
    const { server } = dashboard;
    const path = `/v1/annotations?website_id=${websiteId}&sort=-at`;
    const answer = await server.call('GET', path, { key: server.keys.all });
    expectSuccess(answer);
    return answer.body.data.map(({ at, text }: { at: string; text: string }) => `${at} ${text}`);
  }

  it('are made by day, listed beside those of an instant, marked on the line, and deleted after a question', async () => {
    const visitor = await dashboard.enter(`/dashboard/websites/web_shop?${RANGE}`);
    const { page } = visitor;
    await page.getByRole('button', { name: 'Annotations' }).click();
    const notes = page.getByRole('region', { name: 'Annotations' });
    await notes.getByText('Nothing is noted yet. Note what happened').waitFor();
    await notes.getByLabel('Day').fill('2025-01-13');
    await notes.getByLabel('What happened').fill('Sale begins');
    await notes.getByRole('button', { name: 'Add' }).click();
    await notes.getByRole('listitem').waitFor();
    expect(await stored('web_shop')).to.deep.equal(['2025-01-13 Sale begins']);
    await note('web_shop', '2025-01-15T12:05:00Z', 'Server moved');
    await page.reload();
    await eventually(() => notes.getByRole('listitem').allInnerTexts()).satisfies((texts) => {
      expect(texts.map((text) => text.replace(/\s+/g, ' ').trim())).to.deep.equal([
        'Jan 15, 2025, 12:05 PM Server moved shared',
        'Jan 13, 2025 Sale begins shared',
      ]);
    });
    await eventually(() => page.locator('.chart line.mark').count()).equals(2);
    await visitor.expectAccessible('annotations');

    const dialog = page.getByRole('dialog');
    await notes.getByRole('button', { name: 'Delete: Sale begins' }).click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(await stored('web_shop')).to.have.length(2);
    await notes.getByRole('button', { name: 'Delete: Sale begins' }).click();
    await dialog.getByText('Sale begins').waitFor();
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await eventually(() => page.locator('.chart line.mark').count()).equals(1);
    expect(await stored('web_shop')).to.deep.equal(['2025-01-15T12:05:00.000Z Server moved']);
  });

  it('says what is refused and what fails, and lets it be asked again', async () => {
    const visitor = await dashboard.enter(NOTES('web_shop'));
    const { page } = visitor;
    const notes = page.getByRole('region', { name: 'Annotations' });
    await notes.getByRole('button', { name: 'Add' }).waitFor();
    await visitor.settled();
    visitor.allowRefusals();
    await page.route('**/v1/annotations?*', (route) =>
      route.fulfill({ status: 503, json: { success: false, error: 'Away', code: 'SERVICE_UNAVAILABLE' } }),
    );
    await page.reload();
    await notes.getByRole('button', { name: /again/ }).waitFor();
    await page.unroute('**/v1/annotations?*');
    await notes.getByRole('button', { name: /again/ }).click();
    await notes.getByText('Server moved').waitFor();
    await note('web_shop', '2025-01-14', 'Gone soon');
    await page.route('**/v1/annotations', (route) =>
      route.fulfill({ status: 403, json: { success: false, error: 'No', code: 'ACCESS_DENIED' } }),
    );
    await notes.getByLabel('What happened').fill('Refused');
    await notes.getByRole('button', { name: 'Add' }).click();
    await notes.locator('form [role=alert]').waitFor();
    expect(await notes.getByLabel('What happened').inputValue()).to.equal('Refused');
    visitor.allowRefusals();
  });

  it('shows viewers no more than the list, the latest hundred, with markup as the text that it is', async () => {
    const hostile = HOSTILE_TEXTS.map((text) => [...text].slice(0, 500).join('')).slice(0, 40);
    for (const text of hostile) await note('web_blog', VISIT_DAYS.from, text);
    for (let index = hostile.length; index < 101; index++) await note('web_blog', VISIT_DAYS.from, 'Again');
    const viewer = await addMember(dashboard.server, 'viewer');
    const visitor = await dashboard.enter(NOTES('web_blog'), viewer);
    const { page } = visitor;
    const notes = page.getByRole('region', { name: 'Annotations' });
    await notes.getByText('Older ones are not shown.').waitFor();
    expect(await notes.getByRole('listitem').count()).to.equal(100);
    expect(await notes.getByRole('button').count()).to.equal(0);
    expect(await notes.locator('form').count()).to.equal(0);
    await visitor.settled();
    expect(await page.evaluate(findHarm)).to.deep.equal([]);
    await visitor.expectNoWider('annotations');
  });
});
