/** A second organization of the owner of `org_main`, for suites of what happens when somebody switches between the two. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { createTempDirectory } from './temp-directory.ts';
import { OWNER_PASSWORD_HASH, PROVISIONING } from './test-organizations.ts';

const OTHER = `
  - id: org_other
    name: Other
    plan: free
    limits: { per10Seconds: 1000000, perMinute: 1000000 }
    users:
      - { email: owner@example.com, passwordHash: "${OWNER_PASSWORD_HASH}", role: owner }
    websites:
      - { id: web_other, name: Elsewhere, domain: other.example.com }
`;

/** Settings with which a server has it. Call it in a suite: its file is removed afterwards. */
export function withSecondOrganization(): Readonly<Record<string, string>> {
  const directory = createTempDirectory();
  const file = join(directory.path, 'provision.yml');
  writeFileSync(file, PROVISIONING + OTHER);
  after(() => directory.remove());
  return { PROVISION_FILE: file };
}

/** The button of the menu that names the organization of the page, and leads to the others. */
export const organizationMenu = (page: Page) => page.locator('.frame-head .menu summary').first();

/** Waits until a page acts for the organization of this name. */
export const actsFor = (page: Page, name: string) =>
  page.locator('.frame-head .menu summary strong', { hasText: name }).first().waitFor();

/** Switches to the organization of this name by the menu. */
export async function switchTo(page: Page, name: string): Promise<void> {
  await organizationMenu(page).click();
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click();
}
