/**
 * Every screen by its path: the one list. A screen is a folder here, a line in its area and one in this list, and is
 * loaded with its area when that is first opened; those that open most often, and the login, are there from the start.
 */
import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { HOME } from '../address.ts';
import { Unloaded } from '../states/unloaded.tsx';
import { textsOfScreens } from '../texts/screen-texts.ts';
import { WEBSITE_SCREENS } from '../website/website-links.ts';
import { Login } from './login/index.tsx';
import { Overview } from './overview/index.tsx';
import { Websites } from './websites/index.tsx';

const WEBSITE = `${HOME}/websites/:websiteId`;

const loadReports = () => import('./areas/reports.ts');
const loadOrganization = () => import('./areas/organization.ts');
const loadWebsite = () => import('./areas/website.ts');

const reports = WEBSITE_SCREENS.filter((name) => name !== '').map((name) => ({
  path: `${WEBSITE}/${name}`,
  screen: later(loadReports, name),
}));

/** Screens of those who are logged in, drawn within the frame. */
export const SCREENS = [
  { path: HOME, screen: Websites },
  { path: `${HOME}/websites/new`, screen: later(loadWebsite, 'NewWebsite') },
  { path: WEBSITE, screen: Overview },
  ...reports,
  { path: `${WEBSITE}/ingest`, screen: later(loadWebsite, 'Ingest') },
  { path: `${WEBSITE}/sql`, screen: later(loadWebsite, 'Sql') },
  { path: `${WEBSITE}/sharing`, screen: later(loadWebsite, 'Sharing') },
  { path: `${WEBSITE}/settings`, screen: later(loadWebsite, 'WebsiteSettings') },
  { path: `${HOME}/account`, screen: later(loadOrganization, 'Account') },
  { path: `${HOME}/audit`, screen: later(loadOrganization, 'Audit') },
  // The list, a new one, one, and target groups: one screen of four, which the last part of the address tells apart.
  { path: `${HOME}/flags/:id?`, screen: later(loadWebsite, 'Flags') },
  { path: `${HOME}/members`, screen: later(loadOrganization, 'Members') },
  { path: `${HOME}/organization`, screen: later(loadOrganization, 'Organization') },
  { path: `${HOME}/organization/limits`, screen: later(loadWebsite, 'LimitsLeft') },
  { path: `${HOME}/organization/requests`, screen: later(loadWebsite, 'Requests') },
  { path: `${HOME}/platform`, screen: later(loadOrganization, 'Platform') },
  { path: `${HOME}/links`, screen: later(loadWebsite, 'Links') },
  { path: `${HOME}/links/new`, screen: later(loadWebsite, 'NewLink') },
  { path: `${HOME}/links/:id`, screen: later(loadWebsite, 'OneLink') },
  { path: `${HOME}/keys`, screen: later(loadOrganization, 'Keys') },
  { path: `${HOME}/keys/new`, screen: later(loadOrganization, 'NewKey') },
  { path: `${HOME}/keys/:id`, screen: later(loadOrganization, 'OneKey') },
] as const;

/** Screens that need no session. */
export const ENTRANCES = [
  { path: `${HOME}/login`, screen: Login },
  { path: `${HOME}/accept`, screen: later(loadOrganization, 'Accept') },
  { path: `${HOME}/reset`, screen: later(loadOrganization, 'Reset') },
  { path: `${HOME}/_styles`, screen: later(loadOrganization, 'Styles') },
] as const;

/** A screen that is loaded when it is first drawn, with its texts in the language that the pages speak. The gateway answers a script that is gone by one without the screen in it. */
function later<Name extends string>(load: () => Promise<Readonly<Record<Name, ComponentType>>>, name: Name) {
  return lazy(async () => {
    const area: Partial<Record<string, ComponentType>> = await load().catch(() => ({}));
    await textsOfScreens();
    return area[name] ?? Unloaded;
  });
}
