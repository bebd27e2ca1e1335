/** The screens of what is used and decided, as they look: limits, requests, received events, SQL, and the platform. */
import {
  answerChanges,
  answerLargerPlans,
  describeLooks,
  loading,
} from '../../../support/dashboard-looks.ts';

const SHOP = '/dashboard/websites/web_shop';
const PLATFORM = '/dashboard/platform';

describeLooks(
  'the looks of use',
  [
    {
      name: 'limits now',
      path: '/dashboard/organization/limits',
      shows: (page) => page.getByRole('row', { name: 'Looks at this page' }),
    },
    loading('requests', '/dashboard/organization/requests'),
    {
      name: 'requests, none refused',
      path: '/dashboard/organization/requests?by=limit&range=hour',
      shows: (page) => page.getByText('No limit refused a request in this time.'),
    },
    {
      name: 'larger plans',
      path: '/dashboard/organization/requests?by=plans',
      prepare: answerLargerPlans,
      shows: (page) => page.getByRole('row', { name: 'hobby' }),
    },
    {
      name: 'received events',
      path: `${SHOP}/ingest`,
      shows: (page) => page.locator('main .tile').first(),
    },
    {
      name: 'SQL',
      path: `${SHOP}/sql?sql=SELECT+1+AS+one,+'two'+AS+two`,
      shows: (page) => page.getByRole('cell', { name: 'two' }),
    },
    {
      name: 'SQL with parameters, as a line',
      path: `${SHOP}/sql?as=line&params={"n":"2"}&sql=SELECT+DATE+'2026-01-01'+AS+day,+$n+%2B+1+AS+n`,
      shows: (page) => page.getByRole('slider'),
    },
    {
      name: 'datasets',
      path: `${SHOP}/sql?view=datasets&datasets=pages,countries`,
      shows: (page) => page.getByRole('heading', { name: 'countries' }),
    },
    loading('platform', PLATFORM),
    { name: 'traffic', path: PLATFORM, shows: (page) => page.locator('main tbody tr').first() },
    {
      name: 'traffic over time',
      path: `${PLATFORM}?range=day`,
      shows: (page) => page.locator('main .tile').first(),
    },
    {
      name: 'limits of all',
      path: `${PLATFORM}?view=limits`,
      shows: (page) => page.getByRole('heading', { name: 'Near a limit' }),
    },
    {
      name: 'backends',
      path: `${PLATFORM}?view=upstreams`,
      shows: (page) => page.getByRole('row', { name: 'resources' }).first(),
    },
    {
      name: 'organizations',
      path: `${PLATFORM}?view=organizations`,
      shows: (page) => page.getByRole('row', { name: 'org_main' }),
    },
    {
      name: 'configuration',
      path: `${PLATFORM}?view=configuration&search=query/custom`,
      shows: (page) => page.getByRole('row', { name: 'POST /v1/query/custom' }),
    },
    {
      name: 'explain',
      path: `${PLATFORM}?view=explain&method=GET&path=/v1/flags&as=viewer&organization=org_main`,
      shows: (page) => page.getByText('The rule refuses with 403').first(),
    },
    {
      name: 'history',
      path: `${PLATFORM}?view=history`,
      shows: (page) => page.getByRole('row', { name: 'in force' }),
    },
    {
      name: 'changes',
      path: `${PLATFORM}?view=history&number=2`,
      prepare: answerChanges,
      shows: (page) => page.getByText('perMinute is raised 10 times'),
    },
  ],
  async ({ server }) => {
    const event = { name: 'signup', websiteId: 'web_shop', anonymousId: 'a' };
    await server.call('POST', '/track', { key: server.keys.all, body: event });
  },
);
