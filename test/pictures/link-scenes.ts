/** What is pictured of short links. */
import type { Scene } from './scenes.ts';

const HOME = '/dashboard';

export const LINK_SCENES: readonly Scene[] = [
  { name: 'links', path: `${HOME}/links`, user: 'owner' },
  { name: 'links-empty', path: `${HOME}/links`, user: 'newcomer' },
  { name: 'link', path: `${HOME}/links/lnk_summer`, user: 'owner' },
  { name: 'link-settings', path: `${HOME}/links/lnk_summer?tab=settings`, user: 'owner' },
  {
    name: 'link-qr',
    path: `${HOME}/links/lnk_summer`,
    user: 'owner',
    act: async (page) => {
      await page.locator('main .copy + .button').click();
      await page.locator('dialog .qr-code').waitFor();
    },
  },
  {
    name: 'link-new',
    path: `${HOME}/links/new`,
    user: 'owner',
    act: async (page) => {
      await page.locator('input[name=targetUrl]').fill('https://books.lighthouse.example/autumn');
      await page.locator('main details summary').first().click();
      await page.locator('input[name=utm_source]').fill('poster');
      await page.locator('input[name=slug]').fill('dashboard');
      await page.locator('.field > .fault', { hasText: /./ }).waitFor();
    },
  },
];
