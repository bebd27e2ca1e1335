/** Every screen of the dashboard, for suites that visit each: its address, what shows that it is drawn, and what there is to show. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { WEBSITE_SCREENS } from '../../services/dashboard/client/website/website-links.ts';
import { expectSuccess } from './answers.ts';
import { makeFlag } from './made-flag.ts';
import { followedLink } from './made-link.ts';
import { makeShare } from './made-share.ts';
import type { TestServer } from './start-tidegate.ts';
import { define, eventIs, pageIs } from './tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';
/** Screens of those who are logged in, each with what shows that it is drawn; {@link fillScreens} knows what stands in capitals. */
export const SCREENS: Readonly<Record<string, string>> = {
  '/dashboard': '.website-card .number',
  [SHOP]: '.chart path.area',
  [`${SHOP}/settings`]: 'main form input',
  '/dashboard/websites/new': 'main form input',
  '/dashboard/keys': 'main tbody tr',
  '/dashboard/keys/new': 'main form input',
  '/dashboard/keys/key_two': 'main form input',
  '/dashboard/flags': 'main tbody tr',
  '/dashboard/flags/FLAG?try=yes': '.facts dd',
  '/dashboard/flags/new': 'main form input',
  '/dashboard/flags/groups': 'main tbody tr',
  '/dashboard/flags/groups?group=new': 'main form input',
  '/dashboard/links': 'main tbody tr',
  '/dashboard/links/LINK': '.link-panels tbody tr',
  '/dashboard/links/LINK?tab=settings': 'main form input',
  '/dashboard/links/new': 'main form input',
  '/dashboard/members': '.people .acts button',
  '/dashboard/audit': 'main tbody tr',
  '/dashboard/organization/limits': 'main tbody tr',
  '/dashboard/organization/requests': 'main [role=tablist]',
  '/dashboard/platform': 'main tbody tr',
  '/dashboard/platform?range=hour': 'main .tile',
  '/dashboard/platform?view=upstreams': 'main tbody tr',
  '/dashboard/platform?view=configuration': 'main tbody tr',
  '/dashboard/platform?view=explain&method=POST&path=/v1/query': 'main tbody tr',
  [`${SHOP}/now`]: 'main .tile',
  [`${SHOP}/pages?compare=previous`]: 'main tbody tr',
  [`${SHOP}/sources?tab=campaigns`]: 'main tbody tr',
  [`${SHOP}/events`]: 'main tbody tr',
  [`${SHOP}/events?event=newsletter_opened`]: 'main tbody tr',
  [`${SHOP}/goals`]: 'main tbody th a',
  [`${SHOP}/funnels`]: 'main tbody tr',
  [`${SHOP}/funnels?funnel=FUNNEL`]: 'main .step-bar',
  [`${SHOP}/retention`]: 'main tbody tr',
  [`${SHOP}/journeys?at=${encodeURIComponent('[0,"page","/"]')}`]: 'main .opened tbody tr',
  [`${SHOP}/journeys?tab=links`]: 'main tbody tr',
  [`${SHOP}/speed`]: 'main tbody tr',
  [`${SHOP}/errors?message=basket+is+undefined`]: 'main tbody tr',
  [`${SHOP}/sessions`]: 'main tbody tr',
  [`${SHOP}/visitors`]: 'main tbody tr',
  [`${SHOP}/ingest`]: 'main .tile',
  [`${SHOP}/sql?sql=SELECT+1+AS+one`]: 'main tbody tr',
  [`${SHOP}/sharing`]: 'main tbody tr',
  '/dashboard/organization': 'main tbody tr',
  '/dashboard/account': '.sessions li',
};

/** The address that a path of {@link SCREENS} stands for. */
export type ScreenAddress = (path: string) => string;

/** Gives `web_shop` something for every screen. */
export async function fillScreens(server: TestServer): Promise<ScreenAddress> {
  const common = { websiteId: 'web_shop', anonymousId: 'visitor-1', sessionId: 'session-1' };
  const page = { ...common, name: 'screen_view', referrer: 'https://www.google.com/' };
  const events = [
    { ...page, path: '/?utm_source=newsletter' },
    { ...page, path: '/a-path-that-is-longer-than-telephones-are-wide/but-read-by-many' },
    { ...page, path: '/', referrer: 'https://news.ycombinator.com/' },
    // Sessions of more than a minute, so that half of all last as long.
    ...['session-2', 'session-3'].flatMap((sessionId) =>
      [0, 79_000].map((afterMs) => ({
        ...{ ...page, anonymousId: 'visitor-2', sessionId, path: '/' },
        timestamp: new Date(Date.now() - 600_000 + afterMs).toISOString(),
      })),
    ),
    { ...common, name: 'newsletter_opened', path: '/', properties: { medium: 'x'.repeat(300) } },
    { ...common, name: 'web_vitals', path: '/', metricName: 'LCP', metricValue: 3_000 },
    { ...common, name: 'error', path: '/', message: 'basket is undefined', stack: 'at add\n'.repeat(20) },
  ];
  for (const body of events) {
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
  }
  const { id: flagId } = await makeFlag(server, 'cover-sizes');
  await makeShare(server, { password: 'correct horse', origins: ['https://www.example.com'] });
  const linkId = await followedLink(server);
  await define(server, 'goals', { name: 'Startseite', ...pageIs('/') });
  const steps = [pageIs('/'), eventIs('newsletter_opened')];
  const funnelId = await define(server, 'funnels', { name: 'Bestellung', steps });
  const ids: Readonly<Record<string, string>> = { FLAG: flagId, LINK: linkId, FUNNEL: funnelId };
  return (path) => path.replace(/[A-Z]+/, (name) => ids[name] ?? name);
}

/** Paths of screens that the pages know and {@link SCREENS} does not visit. */
export function unvisitedScreens(): string[] {
  const index = readFileSync(join(PACKAGE_ROOT, 'services/dashboard/client/screens/index.ts'), 'utf8');
  const [listed = ''] = index.split('ENTRANCES');
  const named = [...listed.matchAll(/path: `\$\{(\w+)\}([^`$]*)`/g)].map(([, base, path = '']) =>
    base === 'WEBSITE' ? `/websites/:websiteId${path}` : path,
  );
  const paths = ['', ...named, ...WEBSITE_SCREENS.map((name) => `/websites/:websiteId${name && `/${name}`}`)];
  const visited = Object.keys(SCREENS).map((path) => path.replace(/\?.*/, ''));
  return paths.filter((path) => {
    const pattern = new RegExp(
      `^/dashboard${path.replace(/\/:\w+\?/g, '(?:/[^/]+)?').replace(/:\w+/g, '[^/]+')}$`,
    );
    return !visited.some((each) => pattern.test(each));
  });
}
