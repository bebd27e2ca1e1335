/** The screens of a website, in the order in which they are offered, and the links to them that keep what the scene is about. */
import { addressOf, HOME } from '../address-of.ts';
import { SCENE_PARAMETERS } from './scene.ts';

/** Each by the end of its path; the overview has none. */
export const WEBSITE_SCREENS = [
  '',
  'now',
  'pages',
  'sources',
  'events',
  'goals',
  'funnels',
  'retention',
  'journeys',
  'sessions',
  'visitors',
  'speed',
  'errors',
] as const;
export type WebsiteScreen = (typeof WEBSITE_SCREENS)[number];

export function websitePath(websiteId: string, screen: string = ''): string {
  const path = `${HOME}/websites/${encodeURIComponent(websiteId)}`;
  return screen === '' ? path : `${path}/${screen}`;
}

/** The website that a path is about; undefined: it is about none. */
export function websiteIn(path: string): string | undefined {
  const [, id] = /^\/dashboard\/websites\/([^/]+)/.exec(path) ?? [];
  if (id === undefined || id === 'new') return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return undefined;
  }
}

/** The address of another screen about the same range, filters and comparison, with `more` of its own. */
export function sceneAddress(
  websiteId: string,
  screen: string,
  parameters: Readonly<Record<string, string | undefined>>,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const kept = Object.fromEntries(SCENE_PARAMETERS.map((name) => [name, parameters[name]]));
  return addressOf(websitePath(websiteId, screen), { ...kept, ...more });
}
