/** The screens of a website behind its overview as they look: pages, sources, events, speed, errors, sessions and visitors. */
import { expectSuccess } from '../../../support/answers.ts';
import { describeLooks, loading } from '../../../support/dashboard-looks.ts';

const SHOP = '/dashboard/websites/web_shop';
/** Longer than any column. */
const LONG = 'a-name-that-nobody-would-choose-but-somebody-did-all-the-same'.repeat(3);

describeLooks(
  'the looks of the screens behind the overview',
  [
    loading('speed', `${SHOP}/speed`),
    {
      name: 'pages, compared',
      path: `${SHOP}/pages?compare=previous&filters=${encodeURIComponent(JSON.stringify([['path', 'contains', LONG]]))}`,
      shows: (page) => page.getByRole('columnheader', { name: 'Change' }),
    },
    {
      name: 'sources, nothing in the range',
      path: '/dashboard/websites/web_blog/sources',
      shows: (page) => page.getByText('Nothing in this range.'),
    },
    {
      name: 'an event',
      path: `${SHOP}/events?event=${LONG}`,
      shows: (page) => page.locator('details.long-text'),
    },
    {
      name: 'outbound links',
      path: `${SHOP}/events?tab=outbound`,
      shows: (page) => page.locator('a.visit'),
    },
    {
      name: 'speed',
      path: `${SHOP}/speed`,
      shows: (page) => page.locator('td .badge.warn'),
    },
    {
      name: 'an error',
      path: `${SHOP}/errors?message=${LONG}`,
      shows: (page) => page.locator('details.long-text'),
    },
    {
      name: 'a session',
      path: `${SHOP}/sessions?session=session-1`,
      shows: (page) => page.getByRole('table', { name: 'What happened' }),
    },
    {
      name: 'a visitor',
      path: `${SHOP}/visitors?visitor=${LONG}`,
      shows: (page) => page.getByRole('table', { name: 'Sessions' }),
    },
  ],
  async ({ server }) => {
    const common = { websiteId: 'web_shop', anonymousId: LONG, sessionId: 'session-1', path: `/${LONG}` };
    const vital = { ...common, name: 'web_vitals' };
    const events = [
      { ...common, name: 'screen_view', title: LONG },
      { ...common, name: LONG, properties: { [LONG.slice(0, 100)]: LONG.repeat(2) } },
      {
        ...common,
        name: 'outgoing_link',
        href: `https://${LONG.slice(0, 60)}.example.org/${LONG}`,
        text: LONG,
      },
      { ...common, name: 'error', message: LONG, errorType: 'Error', filename: LONG, lineno: 1, stack: LONG },
      { ...vital, metricName: 'LCP', metricValue: 3_000 },
      { ...vital, metricName: 'INP', metricValue: 100 },
      { ...vital, metricName: 'CLS', metricValue: 0.5 },
    ];
    for (const body of events) {
      expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
    }
  },
);
