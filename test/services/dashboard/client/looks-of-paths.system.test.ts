/** The screens of goals and funnels as they look: full, without anything, and while one is made. */
import { describeLooks, loading } from '../../../support/dashboard-looks.ts';
import { define, eventIs, pageIs, trackVisits, VISIT_DAYS } from '../../../support/tracked-visits.ts';

const SHOP = '/dashboard/websites/web_shop';
const RANGE = `from=${VISIT_DAYS.from}&to=${VISIT_DAYS.to}&compare=previous`;
/** Longer than any column. */
const LONG = 'a-name-that-nobody-would-choose-but-somebody-did'.repeat(2);

/** Presses the button that makes something as soon as it is there, and the one that adds a condition to its form. */
const OPEN_FORM = `new MutationObserver(() => {
  if ([...document.querySelectorAll('dialog label')].some((each) => each.textContent.trim() === 'Property')) return;
  document.querySelector(document.querySelector('dialog') ? 'dialog .button.plain' : 'main .card .button.primary')?.click();
}).observe(document, { childList: true, subtree: true })`;

describeLooks(
  'the looks of paths',
  [
    loading('goals', `${SHOP}/goals`),
    {
      name: 'goals, none yet',
      path: '/dashboard/websites/web_blog/goals',
      shows: (page) => page.getByText('No goal yet'),
    },
    {
      name: 'goals',
      path: `${SHOP}/goals?${RANGE}`,
      shows: (page) => page.getByRole('row', { name: /a-name-that-nobody.*€25/ }),
    },
    {
      name: 'a new goal',
      path: `${SHOP}/goals`,
      prepare: (page) => page.addInitScript(OPEN_FORM),
      shows: (page) => page.getByRole('dialog').getByLabel('Property', { exact: true }),
    },
    {
      name: 'a goal by a dimension',
      path: `${SHOP}/goals?${RANGE}&goal=GOAL&group=language`,
      shows: (page) => page.getByRole('row', { name: /^German/ }),
    },
    {
      name: 'funnels, none yet',
      path: '/dashboard/websites/web_blog/funnels',
      shows: (page) => page.getByText('No funnel yet'),
    },
    {
      name: 'funnels',
      path: `${SHOP}/funnels`,
      shows: (page) => page.getByRole('row', { name: /a-name-that-nobody/ }),
    },
    {
      name: 'a new funnel',
      path: `${SHOP}/funnels`,
      prepare: (page) => page.addInitScript(OPEN_FORM),
      shows: (page) => page.getByRole('dialog').getByLabel('Property', { exact: true }),
    },
    {
      name: 'a funnel by a dimension',
      path: `${SHOP}/funnels?${RANGE}&funnel=FUNNEL&group=language`,
      shows: (page) => page.getByRole('row', { name: /^German/ }),
    },
  ],
  async ({ server }) => {
    await trackVisits(server);
    const worth = { revenueProperty: 'total', currency: 'EUR' };
    const GOAL = await define(server, 'goals', { name: LONG, ...eventIs('purchase'), ...worth });
    await define(server, 'goals', { name: 'Pricing', ...pageIs(`/${LONG}`) });
    const steps = [pageIs('/'), pageIs('/pricing'), { name: LONG, ...eventIs('purchase') }];
    const FUNNEL = await define(server, 'funnels', { name: LONG, steps, exclude: eventIs(LONG) });
    return { GOAL, FUNNEL };
  },
);
