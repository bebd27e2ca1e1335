/** The screens of links in a real browser: one link by keyboard alone from its making to its end, and who may not write. */
import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { expectError, expectSuccess } from '../../../../../support/answers.ts';
import { useDashboard } from '../../../../../support/dashboard.ts';
import { addMember } from '../../../../../support/dashboard-members.ts';
import { eventually } from '../../../../../support/eventually.ts';
import { enterByKeyboard } from '../../../../../support/keyboard.ts';
import { followLink, makeLink } from '../../../../../support/made-link.ts';

const TARGET = 'https://shop.example.com/sale';

describe('the screens of links', () => {
  const dashboard = useDashboard();
  let shopId = '';

  const follow = (slug: string) => followLink(dashboard.server, slug);

  before(async () => {
    shopId = await makeLink(dashboard.server, {
      slug: 'of-the-shop',
      name: 'Shelf',
      websiteId: 'web_shop',
      tags: ['window'],
    });
    await makeLink(dashboard.server, { slug: 'older', name: '=1+1', expiresAt: '2020-01-01T00:00:00Z' });
    expectSuccess(await follow('of-the-shop'), 302);
  });

  it('make a link by keyboard alone, count its click, change it, let it expire and delete it', async () => {
    const { visitor, page, keys } = await enterByKeyboard(dashboard, '/dashboard/links');
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const field = (name: string) => page.getByLabel(name, { exact: true });
    await keys.enter(page.getByRole('link', { name: 'New link' }));
    await keys.expectFocus(field('Target'));
    await page.keyboard.type(`${TARGET}?a=1`);
    await keys.enter(page.getByText('Campaign (UTM)'));
    await keys.type(field('Source'), 'a poster');
    await eventually(() => field('Target').inputValue()).equals(`${TARGET}?a=1&utm_source=a+poster`);
    await keys.type(field('Name'), 'Winter');

    const slug = page.locator('input[name=slug]');
    const judged = page.locator('.field > [role=status]');
    for (const [typed, said] of [
      ['Track', 'This word is reserved for the service itself. Choose another one.'],
      ['of-the-shop', 'This slug is taken. Choose another one.'],
      ['no', '3 to 50 letters from A to Z, digits, hyphens and underscores.'],
      ['winter-sale', 'This slug is free.'],
    ] as const) {
      await keys.type(slug, typed);
      await eventually(() => judged.innerText(), typed).equals(said);
    }
    expect(visitor.requests.filter((each) => each.startsWith('POST /v1/links'))).to.deep.equal([]);
    await keys.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Winter' }).waitFor();
    await page.getByText('No click in this range').waitFor();
    await visitor.settled();
    await keys.expectFocus(page.locator('#content'));

    const followed = await follow('winter-sale');
    expect(followed.headers.get('location')).to.equal(`${TARGET}?a=1&utm_source=a+poster`);
    const clicks = page.locator('.tile', { hasText: 'Clicks' }).locator('strong');
    await keys.to(button('Refresh'));
    await eventually(async () => {
      await keys.press('Enter');
      await visitor.settled();
      return (await clicks.count()) === 0 ? '' : clicks.innerText();
    }).equals('1');
    await page.getByRole('row', { name: 'Germany' }).getByText('1', { exact: true }).waitFor();
    await page.getByRole('slider', { name: 'Clicks over time' }).waitFor();
    await keys.enter(button('Show as table'), 'Shift+Tab');
    await page.getByRole('table', { name: 'Clicks over time' }).waitFor();

    await keys.to(page.getByRole('tab', { name: 'Clicks' }), 'Shift+Tab');
    await keys.press('ArrowRight');
    await keys.expectFocus(page.getByRole('tab', { name: 'Settings' }));
    await keys.type(field('Name'), 'Winter sale');
    await keys.to(page.locator('input[name=expiresAt]'));
    // Month, day and year, then the clock: each part of the field takes its digits.
    await page.keyboard.type('01312020');
    await keys.press('ArrowRight');
    await page.keyboard.type('1200PM');
    expect(await page.locator('input[name=expiresAt]').inputValue()).to.equal('2020-01-31T12:00');
    await keys.type(page.locator('input[name=expiredRedirectUrl]'), 'javascript:alert(1)');
    await keys.press('Enter');
    await page.locator('.field .fault', { hasText: 'Allowed: an absolute http or https URL' }).waitFor();
    // The answer of the API is a 400.
    visitor.allowRefusals();
    await keys.expectFocus(page.locator('input[name=expiredRedirectUrl]'));
    await page.keyboard.press('ControlOrMeta+a');
    await page.keyboard.type('https://shop.example.com/over');
    await keys.press('Enter');
    await page.getByText('Saved.').waitFor();
    await page.getByRole('heading', { level: 1, name: 'Winter sale' }).waitFor();
    await page.getByText('This link expired on Jan 31, 2020').waitFor();
    expect((await follow('winter-sale')).headers.get('location')).to.equal('https://shop.example.com/over');

    await keys.enter(button('Delete link …'));
    const dialog = page.getByRole('dialog', { name: 'Delete this link?' });
    await keys.expectFocus(dialog.getByRole('textbox'));
    await page.keyboard.type('Winter');
    await keys.press('Enter');
    await dialog.getByText('This is not the name.').waitFor();
    await page.keyboard.type(' sale');
    await keys.press('Enter');
    await page.getByText('The link is deleted. Its clicks stay.').waitFor();
    expect(await page.getByRole('row', { name: 'Winter sale' }).count()).to.equal(0);
    expectError(await follow('winter-sale'), 404, 'NOT_FOUND');
  });

  it('list links with their clicks, searched and sorted by the address, and as CSV without a formula', async () => {
    const visitor = await dashboard.enter('/dashboard/links');
    const { page } = visitor;
    const shop = page.getByRole('row', { name: 'Shelf' });
    await eventually(async () => {
      await page.reload();
      await visitor.settled();
      return shop.locator('td.number').innerText();
    }).equals('1');
    expect(await shop.locator('pre').innerText()).to.equal(`${dashboard.origin}/of-the-shop`);
    const target = shop.getByRole('link', { name: TARGET });
    expect(await target.getAttribute('rel')).to.equal('noopener noreferrer');
    expect(await page.getByRole('row', { name: '=1+1' }).innerText()).to.match(/0\s+Expired/);

    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: /CSV/ }).click();
    const text = readFileSync(await (await coming).path(), 'utf8');
    expect(text).to.match(/^id,name,slug,target_url,.*clicks,unique_visitors,last_click\r\n/);
    expect(text).to.include(`,Shelf,of-the-shop,${TARGET},web_shop,,window,1,1,2`);
    expect(text).to.include(",'=1+1,older,");

    await page.getByRole('button', { name: /curl/ }).click();
    await page.getByRole('dialog').getByText('/v1/links?sort=-createdAt&limit=50').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Sort by Name' }).click();
    await page.waitForURL(/sort=-name/);
    await page.getByRole('searchbox').fill('window');
    await page.waitForURL(/search=window/);
    await page.getByRole('row', { name: '=1+1' }).waitFor({ state: 'detached' });
    expect(await visitor.asks(() => shop.getByRole('link', { name: 'Shelf' }).click())).to.deep.equal([
      'POST /v1/query',
    ]);
  });

  it('draw a QR code that is loaded when it is opened, and save it as it is drawn', async () => {
    const visitor = await dashboard.enter(`/dashboard/links/${shopId}`);
    const { page } = visitor;
    await visitor.settled();
    const drawer = () => visitor.requests.filter((each) => each.includes('/qr-code.'));
    expect(drawer()).to.deep.equal([]);
    await page.getByRole('button', { name: 'QR code' }).click();
    await page.getByRole('img', { name: `QR code of ${dashboard.origin}/of-the-shop` }).waitFor();
    expect(drawer()).to.have.length(1);
    const coming = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download SVG' }).click();
    const file = await coming;
    expect(file.suggestedFilename()).to.equal('of-the-shop.svg');
    const svg = readFileSync(await file.path(), 'utf8');
    expect(svg).to.match(/^<svg [^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 \d+ \d+"/);
    expect(svg).to.include(`d="${await page.locator('.qr-code path').getAttribute('d')}"`);
  });

  it('let a viewer read, and write nothing', async () => {
    const viewer = await addMember(dashboard.server, 'viewer');
    const visitor = await dashboard.enter('/dashboard/links', viewer);
    const { page } = visitor;
    await page.getByRole('row', { name: 'Shelf' }).waitFor();
    expect(await page.getByRole('link', { name: 'New link' }).count()).to.equal(0);
    await page.getByRole('link', { name: 'Shelf', exact: true }).click();
    await page.locator('dt', { hasText: 'Target' }).waitFor();
    expect(await page.getByRole('tab', { name: 'Settings' }).count()).to.equal(0);
    await page.goto(`${dashboard.origin}/dashboard/links/${shopId}?tab=settings`);
    await page.locator('dt', { hasText: 'Target' }).waitFor();
    expect(await page.locator('main form[class=stack]').count()).to.equal(0);
    visitor.requests.length = 0;
    await page.goto(`${dashboard.origin}/dashboard/links/new`);
    await page.getByText('Your role does not open this page.').waitFor();
    await visitor.settled();
    expect(visitor.asked()).to.deep.equal(['GET /v1/auth/session']);
  });

  it('say that a link is gone, keep the list while its clicks are refused, and speak German', async () => {
    const visitor = await dashboard.enter('/dashboard/links/lnk_none', undefined, { locale: 'de-DE' });
    const { page } = visitor;
    visitor.allowRefusals();
    await page.getByText('Unter dieser Adresse gibt es nichts.').waitFor();
    await page.route('**/v1/query?*', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'retry-after': '60' },
        json: { success: false, error: 'x', code: 'RATE_LIMIT_EXCEEDED', message: 'x', requestId: 'r' },
      }),
    );
    await page.goto(`${dashboard.origin}/dashboard/links`);
    await page.locator('.notice.warn').waitFor();
    await page.getByRole('row', { name: 'Shelf' }).getByText('In Kraft').waitFor();
    await page.getByRole('button', { name: /CSV/ }).waitFor();
  });
});
