/** The screens of retention and journeys as they look: full, without anything, failed, and with what opens in them. */
import { expectSuccess } from '../../../support/answers.ts';
import { describeLooks, loading } from '../../../support/dashboard-looks.ts';
import { trackVisits, VISIT_DAYS } from '../../../support/tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';
const RANGE = `from=${VISIT_DAYS.from}&to=${VISIT_DAYS.to}&compare=previous`;
/** Longer than any column. */
const LONG = 'a-name-that-nobody-would-choose-but-somebody-did'.repeat(2);
const encoded = (entry: unknown) => encodeURIComponent(JSON.stringify(entry));

/** Presses a button of the page as soon as it is there, once, and then one of the dialog that it opens. */
const press = (first: string, then = 'none') => `new MutationObserver(() => {
  const dialog = document.querySelector('dialog');
  const button = document.querySelector(dialog ? 'dialog ${then}' : '${first}');
  const isOpen = document.querySelectorAll('dialog .filters').length > 1;
  if (button && !isOpen) button.click();
}).observe(document, { childList: true, subtree: true })`;

describeLooks(
  'the looks of retention and journeys',
  [
    loading('retention', `${SHOP}/retention`),
    {
      name: 'retention, compared',
      path: `${SHOP}/retention?${RANGE}&start=${encoded(['page', 'in', ['/', '/pricing', '/docs', `/${LONG}`]])}`,
      shows: (page) => page.locator('.cohorts .change').first(),
    },
    {
      name: 'retention, more periods than there may be',
      path: `${SHOP}/retention?range=all&by=daily&start=${encoded(['goal', 'gol_none'])}`,
      shows: (page) => page.locator('main .notice.bad'),
    },
    {
      name: 'retention, a cell',
      path: `${SHOP}/retention?${RANGE}&returning=${encoded(['page', 'contains', '/'])}`,
      prepare: (page) => page.addInitScript(press('.cohort-cell')),
      shows: (page) => page.getByRole('dialog').getByRole('link'),
    },
    {
      name: 'a choice of events',
      path: `${SHOP}/retention?${RANGE}&start=${encoded(['page', 'eq', '/'])}`,
      prepare: (page) => page.addInitScript(press('.path-settings .button', '.button.plain')),
      shows: (page) => page.getByRole('dialog').getByLabel('Property', { exact: true }),
    },
    {
      name: 'journeys, a stop',
      path: `${SHOP}/journeys?${RANGE}&start=${encoded(['page', 'in', ['/', `/${LONG}`]])}&at=${encoded([0, 'page', '/'])}`,
      shows: (page) => page.locator('.opened tbody tr').first(),
    },
    {
      name: 'journeys, links',
      path: `${SHOP}/journeys?${RANGE}&tab=links&direction=backward`,
      shows: (page) => page.getByRole('row', { name: /^0 – \// }).first(),
    },
    {
      name: 'journeys, nothing',
      path: '/dashboard/websites/web_blog/journeys',
      shows: (page) => page.getByText('No session in this range has this start.'),
    },
  ],
  async ({ server }) => {
    await trackVisits(server);
    const visitor = { websiteId: 'web_shop', anonymousId: 'eve', sessionId: 's7' };
    const page = { ...visitor, name: 'screen_view', timestamp: '2025-01-15T13:00:00Z' };
    const body = [
      { ...page, path: '/' },
      { ...page, path: `/${LONG}`, timestamp: '2025-01-15T13:01:00Z' },
      { ...visitor, name: LONG, path: '/', timestamp: '2025-01-15T13:02:00Z' },
    ];
    expectSuccess(await server.call('POST', '/track', { key: server.keys.all, body }));
  },
);
