/** The four steps of a new API key, for suites that take them in a browser. */
import type { Page } from 'playwright-core';

/** Where the steps begin. */
export const NEW_KEY = '/dashboard/keys/new';

/** The buttons and the heading of the steps. */
export const nextStep = (page: Page) => page.getByRole('button', { name: 'Continue' });
export const createKey = (page: Page) => page.getByRole('button', { name: 'Create API key' });
export const keyStored = (page: Page) => page.getByRole('button', { name: 'I have stored it' });
export const stepShown = (page: Page, name: string) =>
  page.getByRole('heading', { level: 2, name }).waitFor();
/** The secret that is shown. */
export const secretOf = async (page: Page): Promise<string> =>
  (await page.locator('.secret code').first().textContent()) ?? '';

/** Takes the steps up to the secret, with these scopes. */
export async function makeKey(
  page: Page,
  name: string,
  scopes: readonly string[],
  websites: readonly string[] = [],
) {
  await page.getByLabel('Name', { exact: true }).fill(name);
  await nextStep(page).click();
  await stepShown(page, 'Scopes');
  for (const scope of scopes) await page.getByRole('checkbox', { name: scope }).check();
  await nextStep(page).click();
  await stepShown(page, 'Websites');
  if (websites.length > 0) await page.getByRole('radio', { name: 'Only these websites' }).check();
  for (const website of websites) await page.getByRole('checkbox', { name: website }).check();
  await createKey(page).click();
  await stepShown(page, 'Copy the key');
  return secretOf(page);
}
