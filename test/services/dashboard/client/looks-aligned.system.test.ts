/** What stands beside, above or below each other in the dashboard, and where a dialog leaves the page alone. */
import { expect } from 'chai';
import type { Locator } from 'playwright-core';
import { useDashboard } from '../../../support/dashboard.ts';
import { eventually } from '../../../support/eventually.ts';

type Edge = 'x' | 'y';

/** Where something begins, in pixels. */
async function edgeOf(of: Locator, edge: Edge): Promise<number> {
  const box = await of.first().boundingBox();
  if (box === null) throw new Error(`${of} is not seen`);
  return box[edge];
}

async function expectAligned(one: Locator, other: Locator, edge: Edge): Promise<void> {
  await eventually(async () => Math.abs((await edgeOf(one, edge)) - (await edgeOf(other, edge)))).satisfies(
    (apart) => expect(apart, `pixels apart in ${edge}`).to.be.at.most(2),
  );
}

describe('the alignment of the dashboard', () => {
  const dashboard = useDashboard();

  it('begins headings of parts beside each other at one height, with a question mark and without', async () => {
    const { page } = await dashboard.enter('/dashboard/organization');
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    await heading('Usage').waitFor();
    await expectAligned(heading('Usage'), heading('Settings'), 'y');
    await expectAligned(page.getByRole('button', { name: /Usage. means/ }), heading('Usage'), 'y');
  });

  it('begins the acts of a list where its rows begin', async () => {
    const { page } = await dashboard.enter('/dashboard/organization');
    const usage = page.locator('section.card', { has: page.getByRole('heading', { name: 'Usage' }) });
    await expectAligned(usage.locator('.export-acts svg'), usage.locator('tbody th'), 'x');
  });

  it('marks what ends a membership as such, as the last act of each row', async () => {
    const { page } = await dashboard.enter('/dashboard/members');
    const acts = page.locator('.people .person').first().locator('.acts button');
    await eventually(() => acts.allInnerTexts()).equals(['Change role', 'Remove']);
    expect(await acts.last().getAttribute('class')).to.include('danger');
    expect(await acts.first().getAttribute('class')).not.to.include('danger');
  });

  it('saves the settings of a website at the end of the card that holds them', async () => {
    const { page } = await dashboard.enter('/dashboard/websites/web_shop/settings');
    const card = page.locator('.card', { has: page.getByLabel('Domain') });
    await card.getByRole('button', { name: 'Save' }).waitFor();
    expect(await card.getByRole('heading').allInnerTexts()).to.deep.equal(['General', 'Collection']);
  });

  it('darkens the place of the scrollbar with the page behind a dialog, and keeps the page where it is', async () => {
    const { page } = await dashboard.enter('/dashboard/members');
    const colourOf = (element: string) =>
      page.evaluate<string>(`getComputedStyle(document.${element}).backgroundColor`);
    const ground = () => colourOf('documentElement');
    const content = page.getByRole('heading', { name: 'Members', exact: true });
    await content.waitFor();
    const [before, place] = [await ground(), await edgeOf(content, 'x')];
    await page.getByRole('button', { name: 'Invite a member' }).click();
    await page.getByRole('dialog').getByLabel('Email').waitFor();
    expect(await ground()).not.to.equal(before);
    expect(await colourOf('body')).to.equal(before);
    expect(await edgeOf(content, 'x')).to.equal(place);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await ground()).to.equal(before);
  });
});
