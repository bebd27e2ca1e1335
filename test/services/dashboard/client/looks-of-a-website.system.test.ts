/** The screens of a website as they look: overview, settings, and the way to its first event. */

import { expectSuccess } from '../../../support/answers.ts';
import { answerNothing, describeLooks, loading } from '../../../support/dashboard-looks.ts';
import { makeShare } from '../../../support/made-share.ts';

const SHOP = '/dashboard/websites/web_shop';
const NEW = '/dashboard/websites/new';
/** Longer than any column. */
const LONG = 'a-name-that-nobody-would-choose-but-somebody-did-all-the-same'.repeat(3);

/** Opens the form of a new share as soon as its button is there. */
const OPEN_FORM = `new MutationObserver((_, observer) => {
  const button = document.querySelector('.page-head button.primary');
  if (!button) return;
  observer.disconnect();
  button.click();
}).observe(document, { childList: true, subtree: true })`;

describeLooks(
  'the looks of a website',
  [
    loading('overview', SHOP),
    {
      name: 'overview, no event yet',
      path: '/dashboard/websites/web_blog',
      shows: (page) => page.getByText('No event yet'),
    },
    {
      name: 'overview, nothing in the range',
      path: `${SHOP}?from=2020-01-01&to=2020-01-31`,
      shows: (page) => page.getByText('Nothing in this range'),
    },
    { name: 'overview', path: SHOP, shows: (page) => page.locator('.chart path.area') },
    {
      name: 'overview, as a table',
      path: `${SHOP}?view=table&range=last_7d`,
      shows: (page) => page.getByRole('columnheader', { name: 'Bounce rate' }),
    },
    loading('settings of a website', `${SHOP}/settings`),
    {
      name: 'settings of a website',
      path: `${SHOP}/settings`,
      shows: (page) => page.getByLabel('Accept events without an API key'),
    },
    loading('sharing', `${SHOP}/sharing`),
    {
      name: 'sharing, nothing yet',
      path: '/dashboard/websites/web_blog/sharing',
      shows: (page) => page.getByText('Nothing is shared'),
    },
    {
      name: 'sharing',
      path: `${SHOP}/sharing`,
      shows: (page) => page.getByRole('row', { name: /a-name-that-nobody/ }),
    },
    {
      name: 'new share',
      path: `${SHOP}/sharing`,
      async prepare(page) {
        await page.addInitScript(OPEN_FORM);
      },
      shows: (page) => page.getByRole('dialog').getByLabel('Name'),
    },
    { name: 'new website', path: NEW, shows: (page) => page.getByRole('button', { name: 'Create website' }) },
    {
      name: 'first event awaited',
      path: `${NEW}?website=web_blog`,
      prepare: answerNothing('/v1/query'),
      shows: (page) => page.getByText('Waiting for the first event'),
    },
  ],
  async ({ server }) => {
    const common = { websiteId: 'web_shop', anonymousId: 'visitor-1', sessionId: 'session-1' };
    const page = { ...common, name: 'screen_view', referrer: `https://${LONG.slice(0, 60)}.example.org/` };
    const events = [
      { ...page, path: `/${LONG}?utm_source=${LONG}&utm_campaign=${LONG}` },
      ...Array.from({ length: 12 }, (_, index) => ({ ...page, path: `/${index}` })),
      { ...common, name: LONG, path: '/' },
    ];
    for (const body of events) {
      expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
    }
    const origins = [`https://${LONG.slice(0, 60)}.example.com`, 'https://www.example.com'];
    await makeShare(server, { name: LONG.slice(0, 100), password: 'correct horse', origins });
    await makeShare(server, { expiresAt: '2020-01-01T00:00:00Z', datasets: ['web_vitals'] });
  },
);
