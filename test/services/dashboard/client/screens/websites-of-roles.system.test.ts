/** The list of websites for people of every role, and with names that are hostile. */
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { cleanText } from '../../../../../services/shared/text/clean-text.ts';
import { useDashboard } from '../../../../support/dashboard.ts';
import { addMember } from '../../../../support/dashboard-members.ts';
import { createWebsite } from '../../../../support/website-writes.ts';

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '"><script>alert(1)</script>',
  'javascript:alert(1)',
  '\u202egnp.exe\u2066',
  '=HYPERLINK("https://evil.example")',
  '\u0007bell\u0000 and {{braces}}',
  'W'.repeat(100),
];

const cardOf = (page: Page, name: string) =>
  page.locator('.website-card').filter({ has: page.getByRole('link', { name, exact: true }) });

describe('the websites of people of every role', () => {
  const dashboard = useDashboard();

  it('shows viewers no control that they may not use, and says so where they go by hand', async () => {
    const viewer = await addMember(dashboard.server, 'viewer');
    const visitor = await dashboard.enter('/dashboard', viewer);
    const { page } = visitor;
    await cardOf(page, 'Blog').getByText('No event yet').waitFor();
    expect(await page.getByRole('link', { name: /New website|Settings|Set up/ }).count()).to.equal(0);
    await visitor.settled();
    visitor.requests.length = 0;
    for (const path of ['/dashboard/websites/new', '/dashboard/websites/web_shop/settings']) {
      await page.goto(`${dashboard.origin}${path}`);
      await page.getByText('Your role does not open this page.').waitFor();
      expect(await page.getByRole('button', { name: /Save|Create|Delete/ }).count()).to.equal(0);
    }
    await visitor.settled();
    expect([...new Set(visitor.asked())]).to.deep.equal(['GET /v1/auth/session']);
  });

  it('shows members the controls of what they may manage', async () => {
    const member = await addMember(dashboard.server, 'member');
    const { page } = await dashboard.enter('/dashboard', member);
    await page.getByRole('link', { name: 'New website' }).waitFor();
    await cardOf(page, 'Shop').getByRole('link', { name: 'Settings: Shop' }).waitFor();
  });

  it('shows hostile names as the texts that they are', async () => {
    for (const name of HOSTILE) await createWebsite(dashboard.server, { name });
    const visitor = await dashboard.enter();
    const { page } = visitor;
    page.on('dialog', () => visitor.complaints.push('a dialog'));
    await page.locator('.website-card').first().waitFor();
    await visitor.settled();
    const names = await page.locator('.website-card h2').allTextContents();
    for (const name of HOSTILE) expect(names).to.include(cleanText(name));
    expect(await page.locator('main img, main script, main iframe').count()).to.equal(0);
    const links = await page
      .locator('main a')
      .evaluateAll((all) =>
        all.map((each) =>
          String((each as unknown as { getAttribute(name: string): unknown }).getAttribute('href')),
        ),
      );
    expect(links.filter((link) => !link.startsWith('/dashboard'))).to.deep.equal([]);
    await page.setViewportSize({ width: 320, height: 700 });
    await visitor.expectNoWider();
    await visitor.expectAccessible('hostile names');
  });

  for (const width of [1280, 320]) {
    for (const colorScheme of ['light', 'dark'] as const) {
      it(`has no fault that axe finds: ${width} px, ${colorScheme}`, async () => {
        const visitor = await dashboard.enter('/dashboard', undefined, {
          colorScheme,
          viewport: { width, height: 800 },
        });
        await cardOf(visitor.page, 'Blog').getByText('No event yet').waitFor();
        await visitor.expectAccessible(`the websites at ${width} px, ${colorScheme}`);
      });
    }
  }
});
