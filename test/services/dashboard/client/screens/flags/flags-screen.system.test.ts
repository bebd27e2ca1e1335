/** The screens of flags and target groups in a real browser: made, tried with reasons and archived by keyboard, and every refusal said. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { expectSuccess } from '../../../../../support/answers.ts';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { addMember } from '../../../../../support/dashboard-members.ts';
import { enterByKeyboard } from '../../../../../support/keyboard.ts';

const LIST = '/dashboard/flags';

describe('the screens of flags', () => {
  const dashboard = useDashboard();

  const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
  const label = (page: Page, name: string) => page.getByLabel(new RegExp(`^${name}\\s*(?:\\(optional\\))?$`));
  async function create(path: string, body: object) {
    const { server } = dashboard;
    const made = await server.call('POST', path, { key: server.keys.all, body });
    expectSuccess(made, 201);
    return made.body.data as { id: string; key: string };
  }
  async function open(path: string, locale = 'en-US') {
    const visitor = await dashboard.newVisitor({ storageState: await dashboard.loggedIn(), locale });
    await visitor.page.goto(dashboard.origin + path);
    return visitor;
  }

  it('say the first step where there is none', async () => {
    const { page } = await open(LIST);
    await page.getByRole('heading', { name: 'No flag yet' }).waitFor();
    await page.locator('.empty').getByRole('link', { name: 'New flag' }).click();
    await page.getByRole('heading', { level: 1, name: 'New flag' }).waitFor();
    await page.goto(`${dashboard.origin}${LIST}/groups`);
    await page.getByRole('heading', { name: 'No target group yet' }).waitFor();
  });

  it('take a flag with variants, a rule and a group from its making to the archive, by keyboard alone', async () => {
    const rules = [{ type: 'email', operator: 'ends_with', value: '@beta.example', enabled: false }];
    await create('/v1/target-groups', { name: 'Beta', rules });
    const { visitor, page, keys } = await enterByKeyboard(dashboard, `${LIST}/new`);
    await keys.type(label(page, 'Key'), 'colour');
    await keys.choose(label(page, 'Kind'), 'Variants');

    await keys.enter(button(page, 'Add a rule'));
    await keys.expectFocus(label(page, 'Who'));
    await keys.type(label(page, 'Values'), 'ada');
    await keys.press('Enter');
    await page.keyboard.type('grace');
    await keys.enter(button(page, 'Add a rule'));
    await keys.enter(button(page, 'Move up: Rule 2'), 'Shift+Tab');
    await keys.expectFocus(button(page, 'Move up: Rule 1'));
    await keys.enter(button(page, 'Delete: Rule 1'));
    await keys.expectFocus(button(page, 'Delete: Rule 1'));
    expect(await label(page, 'Values').inputValue()).to.equal('ada\ngrace');

    await keys.enter(button(page, 'Add a target group'));
    await keys.expectFocus(page.getByRole('searchbox'));
    await keys.enter(button(page, 'Beta'));
    await page.getByRole('link', { name: 'Beta' }).waitFor();

    for (const [number, [key, value, weight]] of [
      ['red', '#f00', '60'],
      ['blue', '#00f', '30'],
    ].entries()) {
      await keys.enter(button(page, 'Add a variant'));
      const variant = page.getByRole('group', { name: `Variant ${number + 1}`, exact: true });
      await keys.expectFocus(variant.getByLabel('Key', { exact: true }));
      await page.keyboard.type(key as string);
      await keys.type(variant.getByLabel('Value', { exact: true }), value as string);
      await keys.type(variant.getByLabel('Percent of all'), weight as string);
    }
    await page.getByText('The weights must sum to 100: 10 left.').waitFor();
    await keys.enter(button(page, 'Create'));
    visitor.allowRefusals();
    await page.getByText('The weights sum to 90. Allowed: 100.').waitFor();
    await keys.type(page.getByRole('group', { name: 'Variant 2' }).getByLabel('Percent of all'), '40');
    await page.getByText('The weights sum to 100.', { exact: true }).waitFor();
    await keys.enter(button(page, 'Create'));
    await page.getByRole('heading', { level: 1, name: 'colour' }).waitFor();
    await visitor.settled();

    const reason = page.locator('main p', { has: page.locator('code') }).filter({ hasText: /^(?:On|Off):/ });
    const evaluate = async (text: string, expected: string) => {
      await keys.press('ControlOrMeta+a');
      await page.keyboard.type(text);
      await keys.press('Enter');
      await reason.filter({ hasText: expected }).waitFor();
    };
    await keys.to(label(page, 'User ID'));
    await evaluate('ada', 'On: a rule of the flag fits. USER_RULE_MATCH');
    await evaluate('eve', 'MULTIVARIANT_EVALUATED');
    expect(await page.locator('main dd').allInnerTexts()).to.include.oneOf(['"#f00"', '"#00f"']);
    await keys.to(label(page, 'Email'));
    await evaluate('eve@beta.example', 'Off: a rule of a target group fits. TARGET_GROUP_MATCH');
    const line = await page.locator('.copy code').first().innerText();
    const { pathname, searchParams } = new URL(line);
    expect([pathname, searchParams.get('key'), searchParams.get('email')]).to.deep.equal([
      '/public/v1/flags/evaluate',
      'colour',
      'eve@beta.example',
    ]);
    const told = await (await fetch(line.replace('localhost', '127.0.0.1'))).json();
    expect(told).to.include({ enabled: false, reason: 'TARGET_GROUP_MATCH' });
    await page.reload();
    await reason.filter({ hasText: 'TARGET_GROUP_MATCH' }).waitFor();

    await keys.enter(button(page, 'Archive'));
    await page.getByText('Clients do not see the flag: it is archived.').first().waitFor();
    await reason.filter({ hasText: 'FLAG_NOT_FOUND' }).waitFor();
    await keys.enter(button(page, 'Bring back'));
    await keys.expectFocus(button(page, 'Activate'));
    await page.goto(`${dashboard.origin}${LIST}?status=archived`);
    await page.getByRole('heading', { name: 'Nothing is found.' }).waitFor();
    await page.goto(`${dashboard.origin}${LIST}?status=inactive`);
    await page.getByRole('row', { name: /colour.*Inactive.*Variants.*Organization.*2 variants/ }).waitFor();
  });

  it('say that a key is taken, that a flag is needed, and that somebody else was first', async () => {
    await create('/v1/flags', { key: 'base', websiteId: 'web_shop' });
    const { id } = await create('/v1/flags', { key: 'top', websiteId: 'web_shop', dependencies: ['base'] });
    await create('/v1/flags', { key: 'elsewhere', websiteId: 'web_blog' });
    await create('/v1/flags', { key: 'base-of-all' });
    const visitor = await open(`${LIST}/new`);
    const { page } = visitor;
    visitor.allowRefusals();
    await label(page, 'Key').fill('base');
    await page.getByRole('radio', { name: 'One website' }).check();
    await label(page, 'Website').selectOption({ label: 'Shop' });
    await button(page, 'Add a flag').click();
    // What evaluation reaches: flags of the website and of the organization.
    await button(page, 'top').waitFor();
    expect(await button(page, 'elsewhere').count()).to.equal(0);
    await button(page, 'base-of-all').click();
    await page.getByRole('group', { name: 'Flag 1' }).getByText('base-of-all').waitFor();
    await button(page, 'Create').click();
    await page.getByText('The website "web_shop" has a flag "base" already.').waitFor();

    await page.goto(`${dashboard.origin}${LIST}?search=base`);
    await page
      .getByRole('row', { name: /^base .*Shop/ })
      .getByRole('link')
      .click();
    await button(page, 'Delete the flag').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('base');
    await button(page, 'Delete').click();
    await dialog.getByText('these flags depend on it: top').waitFor();
    await button(page, 'Cancel').click();

    await page.goto(`${dashboard.origin}${LIST}/${id}`);
    await label(page, 'Description').fill('Typed here');
    await changeElsewhere(id);
    await button(page, 'Save').click();
    await page.getByText('Somebody else changed this in the meantime.').waitFor();
    await button(page, 'Try again').click();
    await page.getByRole('heading', { level: 1, name: 'Changed elsewhere' }).waitFor();
    expect(await label(page, 'Description').inputValue()).to.equal('Typed here');
    expect(await page.getByRole('alert').count()).to.equal(0);
    await button(page, 'Save').click();
    await page.getByText('Saved.', { exact: true }).waitFor();

    await button(page, 'Delete the flag').click();
    await dialog.getByRole('textbox').fill('top');
    await button(page, 'Delete').click();
    await page.getByText('top was deleted.').waitFor();
    await page.goto(`${dashboard.origin}${LIST}/${id}`);
    await page.getByText('There is nothing at this address.').waitFor();
  });

  /** Changes the flag as somebody else. */
  async function changeElsewhere(id: string): Promise<void> {
    const { server } = dashboard;
    const body = { name: 'Changed elsewhere' };
    expectSuccess(await server.call('PATCH', `/v1/flags/${id}`, { key: server.keys.all, body }), 200);
  }

  it('make, change and delete a target group, and say which flags use it', async () => {
    const visitor = await open(`${LIST}/groups`);
    const { page } = visitor;
    visitor.allowRefusals();
    await page.getByRole('link', { name: 'New target group' }).first().click();
    await label(page, 'Name').fill('Staff');
    await label(page, 'Colour').fill('#aa3300');
    await button(page, 'Add a rule').click();
    await label(page, 'Who').selectOption({ label: 'Share of all' });
    await label(page, 'Percent').fill('many');
    await button(page, 'Create').click();
    await page.getByText('without one, a percentage as value.').waitFor();
    await label(page, 'Percent').fill('12,5');
    await button(page, 'Create').click();
    const link = page.getByRole('link', { name: 'Staff' });
    await link.waitFor();
    expect(await link.locator('xpath=..').locator('circle').getAttribute('fill')).to.equal('#aa3300');
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Staff' }).waitFor();
    const id = new URL(page.url()).searchParams.get('group') as string;
    await create('/v1/flags', { key: 'staff-only', targetGroupIds: [id] });

    await button(page, 'Find them').click();
    await page.getByText('1 flag uses it.').waitFor();
    expect(await page.getByRole('link', { name: 'staff-only' }).count()).to.equal(1);
    await button(page, 'Delete the target group').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox').fill('staff');
    await button(page, 'Delete').click();
    await dialog.getByText('This is something else.').waitFor();
    await dialog.getByRole('textbox').fill('Staff');
    await button(page, 'Delete').click();
    await dialog.getByText('these flags use it: staff-only').waitFor();
    await button(page, 'Cancel').click();

    await page.getByRole('link', { name: 'staff-only' }).click();
    await page.getByRole('link', { name: 'Staff' }).waitFor();
    await button(page, 'Delete: Target group 1').click();
    await button(page, 'Save').click();
    await page.getByText('Saved.', { exact: true }).waitFor();
    await page.goto(`${dashboard.origin}${LIST}/groups?group=${id}`);
    await button(page, 'Delete the target group').click();
    await dialog.getByRole('textbox').fill('Staff');
    await button(page, 'Delete').click();
    await page.getByText('Staff was deleted.').waitFor();
  });

  it('go on in pages, save all of them, keep the list when a limit refuses, and speak German', async () => {
    for (let number = 10; number < 60; number++) await create('/v1/flags', { key: `kept-${number}` });
    await create('/v1/flags', { key: 'kept', name: '=1+1', type: 'rollout', rolloutPercentage: 12.5 });
    const visitor = await open(`${LIST}?search=kept`, 'de-DE');
    const { page } = visitor;
    visitor.allowRefusals();
    const row = page.getByRole('row', { name: /kept.*Aktiv.*Rollout.*Organisation.*12,5 %/ });
    await row.waitFor();
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: /CSV/ }).click();
    const lines = readFileSync(await (await coming).path(), 'utf8').split('\r\n');
    expect(lines).to.have.length(1 + 51 + 1);
    expect(lines[0]).to.match(/^id,key,name,status,/);
    expect(lines[1]).to.match(/^flg_\w+,kept,'=1\+1,active,rollout,/);
    await page.getByRole('button', { name: 'Nächste Seite' }).click();
    await page.getByRole('link', { name: 'kept-59' }).waitFor();
    expect(await page.locator('main tbody tr').count()).to.equal(1);
    await page.goBack();
    await row.waitFor();
    await page.route('**/v1/flags?*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '60' },
        json: { success: false, error: 'x', code: 'RATE_LIMITED' },
      }),
    );
    await page.getByLabel('Zustand').selectOption({ label: 'Aktiv' });
    await page.locator('.notice.warn').waitFor();
    await row.waitFor();
  });

  it('are not for viewers, who are told so without a call', async () => {
    const viewer = await addMember(dashboard.server, 'viewer');
    const { page, requests } = await dashboard.enter(LIST, viewer);
    for (const path of ['', '/new', '/groups', '/flg_any']) {
      await page.goto(`${dashboard.origin}${LIST}${path}`);
      await page.getByText('Your role does not open this page.').waitFor();
      expect(await page.getByRole('link', { name: 'Flags' }).count()).to.equal(0);
      expect(await page.locator('main :is(button, input)').count()).to.equal(0);
    }
    expect(requests.filter((request) => /\/v1\/(?:flags|target-groups)/.test(request))).to.deep.equal([]);
  });
});
