/**
 * Every screen by its path: the one list. A screen is a folder here and a line in it, and is
 * loaded when it is first opened; those that open most often, and the login, are there from the start.
 */
import type { ComponentType } from 'preact';
import { lazy } from 'preact-iso';
import { HOME } from '../address.ts';
import { Unloaded } from '../states/unloaded.tsx';
import { textsOfScreens } from '../texts/screen-texts.ts';
import { Login } from './login/index.tsx';
import { Overview } from './overview/index.tsx';
import { Websites } from './websites/index.tsx';

/** Screens of those who are logged in, drawn within the frame. */
export const SCREENS = [
  { path: HOME, screen: Websites },
  {
    path: `${HOME}/websites/new`,
    screen: later(async () => (await import('./new-website/index.tsx')).NewWebsite),
  },
  { path: `${HOME}/websites/:websiteId`, screen: Overview },
  {
    path: `${HOME}/websites/:websiteId/now`,
    screen: later(async () => (await import('./now/index.tsx')).Now),
  },
  {
    path: `${HOME}/websites/:websiteId/pages`,
    screen: later(async () => (await import('./pages/index.tsx')).Pages),
  },
  {
    path: `${HOME}/websites/:websiteId/sources`,
    screen: later(async () => (await import('./sources/index.tsx')).Sources),
  },
  {
    path: `${HOME}/websites/:websiteId/events`,
    screen: later(async () => (await import('./events/index.tsx')).Events),
  },
  {
    path: `${HOME}/websites/:websiteId/speed`,
    screen: later(async () => (await import('./speed/index.tsx')).Speed),
  },
  {
    path: `${HOME}/websites/:websiteId/errors`,
    screen: later(async () => (await import('./errors/index.tsx')).Errors),
  },
  {
    path: `${HOME}/websites/:websiteId/sessions`,
    screen: later(async () => (await import('./sessions/index.tsx')).Sessions),
  },
  {
    path: `${HOME}/websites/:websiteId/visitors`,
    screen: later(async () => (await import('./visitors/index.tsx')).Visitors),
  },
  {
    path: `${HOME}/websites/:websiteId/goals`,
    screen: later(async () => (await import('./goals/index.tsx')).Goals),
  },
  {
    path: `${HOME}/websites/:websiteId/funnels`,
    screen: later(async () => (await import('./funnels/index.tsx')).Funnels),
  },
  {
    path: `${HOME}/websites/:websiteId/ingest`,
    screen: later(async () => (await import('./ingest/index.tsx')).Ingest),
  },
  {
    path: `${HOME}/websites/:websiteId/sql`,
    screen: later(async () => (await import('./sql/index.tsx')).Sql),
  },
  {
    path: `${HOME}/websites/:websiteId/sharing`,
    screen: later(async () => (await import('./sharing/index.tsx')).Sharing),
  },
  {
    path: `${HOME}/websites/:websiteId/settings`,
    screen: later(async () => (await import('./website-settings/index.tsx')).WebsiteSettings),
  },
  {
    path: `${HOME}/account`,
    screen: later(async () => (await import('./account/index.tsx')).Account),
  },
  {
    path: `${HOME}/audit`,
    screen: later(async () => (await import('./audit/index.tsx')).Audit),
  },
  // The list, a new one, one, and target groups: one screen of four, which the last part of the address tells apart.
  { path: `${HOME}/flags/:id?`, screen: later(async () => (await import('./flags/index.tsx')).Flags) },
  {
    path: `${HOME}/members`,
    screen: later(async () => (await import('./members/index.tsx')).Members),
  },
  {
    path: `${HOME}/organization`,
    screen: later(async () => (await import('./organization/index.tsx')).Organization),
  },
  {
    path: `${HOME}/organization/limits`,
    screen: later(async () => (await import('./limits/index.tsx')).LimitsLeft),
  },
  {
    path: `${HOME}/organization/requests`,
    screen: later(async () => (await import('./requests/index.tsx')).Requests),
  },
  {
    path: `${HOME}/platform`,
    screen: later(async () => (await import('./platform/index.tsx')).Platform),
  },
  { path: `${HOME}/links`, screen: later(async () => (await import('./links/index.tsx')).Links) },
  { path: `${HOME}/links/new`, screen: later(async () => (await import('./links/index.tsx')).NewLink) },
  { path: `${HOME}/links/:id`, screen: later(async () => (await import('./links/index.tsx')).OneLink) },
  { path: `${HOME}/keys`, screen: later(async () => (await import('./keys/index.tsx')).Keys) },
  { path: `${HOME}/keys/new`, screen: later(async () => (await import('./keys/index.tsx')).NewKey) },
  { path: `${HOME}/keys/:id`, screen: later(async () => (await import('./keys/index.tsx')).OneKey) },
] as const;

/** Screens that need no session. */
export const ENTRANCES = [
  { path: `${HOME}/login`, screen: Login },
  { path: `${HOME}/accept`, screen: later(async () => (await import('./accept/index.tsx')).Accept) },
  { path: `${HOME}/reset`, screen: later(async () => (await import('./reset/index.tsx')).Reset) },
  { path: `${HOME}/_styles`, screen: later(async () => (await import('./styles/index.tsx')).Styles) },
] as const;

/** A screen that is loaded when it is first drawn, with its texts in the language that the pages speak. The gateway answers a script that is gone by one without the screen in it. */
function later(load: () => Promise<ComponentType | undefined>) {
  return lazy(async () => {
    const screen = await load().catch(() => undefined);
    await textsOfScreens();
    return screen ?? Unloaded;
  });
}
