/** What is pictured of the screens of a website behind its overview. */
import type { Page } from 'playwright-core';
import { WEBSITE } from './picture-server.ts';
import type { Scene } from './scenes.ts';

const HOME = '/dashboard/websites';
const SHOP = `${HOME}/${WEBSITE}`;

/** Opens the first of a list. */
const openFirst = async (page: Page) => {
  await page.locator('main tbody th a').first().click();
  await page.locator('main .group-choice').waitFor();
};
const openForm = async (page: Page) => {
  await page.locator('main .card .button.primary').click();
  await page.locator('dialog .form-rows, dialog .filters').first().waitFor();
};

export const WEBSITE_SCENES: readonly Scene[] = [
  { name: 'pages', path: `${SHOP}/pages?compare=previous`, user: 'owner' },
  { name: 'pages-entry', path: `${SHOP}/pages?tab=entry`, user: 'owner' },
  { name: 'sources', path: `${SHOP}/sources`, user: 'owner' },
  { name: 'sources-campaigns', path: `${SHOP}/sources?tab=campaigns&compare=previous`, user: 'owner' },
  { name: 'events', path: `${SHOP}/events`, user: 'owner' },
  { name: 'events-one', path: `${SHOP}/events?event=purchase`, user: 'owner' },
  { name: 'events-outbound', path: `${SHOP}/events?tab=outbound`, user: 'owner' },
  { name: 'goals', path: `${SHOP}/goals?compare=previous`, user: 'owner' },
  { name: 'goals-empty', path: `${HOME}/web_new/goals`, user: 'owner' },
  { name: 'goals-one', path: `${SHOP}/goals?compare=previous`, user: 'owner', act: openFirst },
  { name: 'goals-new', path: `${SHOP}/goals`, user: 'owner', act: openForm },
  { name: 'funnels', path: `${SHOP}/funnels`, user: 'owner' },
  { name: 'funnels-empty', path: `${HOME}/web_new/funnels`, user: 'owner' },
  { name: 'funnels-one', path: `${SHOP}/funnels?compare=previous`, user: 'owner', act: openFirst },
  { name: 'funnels-new', path: `${SHOP}/funnels`, user: 'owner', act: openForm },
  { name: 'retention', path: `${SHOP}/retention?range=last_90d&compare=previous`, user: 'owner' },
  {
    name: 'retention-start',
    path: `${SHOP}/retention`,
    user: 'owner',
    act: async (page) => {
      await page.locator('.path-settings button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'journeys', path: `${SHOP}/journeys?at=[1,"page","/pricing"]`, user: 'owner' },
  { name: 'journeys-links', path: `${SHOP}/journeys?tab=links&compare=previous`, user: 'owner' },
  { name: 'speed', path: `${SHOP}/speed`, user: 'owner' },
  { name: 'speed-devices', path: `${SHOP}/speed?vital=CLS&tab=devices&compare=previous`, user: 'owner' },
  { name: 'errors', path: `${SHOP}/errors`, user: 'owner' },
  { name: 'errors-one', path: `${SHOP}/errors?message=Failed+to+fetch`, user: 'owner' },
  { name: 'errors-empty', path: `${HOME}/web_new/errors`, user: 'owner' },
  { name: 'sessions', path: `${SHOP}/sessions`, user: 'owner' },
  { name: 'visitors', path: `${SHOP}/visitors`, user: 'owner' },
];
