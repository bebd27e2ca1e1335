/** The list of websites. */
export const websites = {
  lead: 'Each website over the same time, beside the time just before.',
  numbers: 'Visitors and pageviews',
  definition:
    'Visitors are distinct visitors, and pageviews the pages that they opened. Each is compared with as much of the time just before. The line shows visitors by the hour or the day; what is not over, or only partly in the range, is dashed. The totals are those of the organization: who visits two websites counts once. Declared crawlers do not count. Up to nine pinned websites stand first on their page, in this browser; a tenth takes the place of the oldest.',
  all: 'All websites',
  totals: { visitors: 'Visitors', pageviews: 'Pageviews', sessions: 'Sessions' },
  pin: 'Pin',
  add: 'New website',
  settings: 'Settings',
  search: 'Search by name or domain',
  sort: 'Order',
  sorts: { name: 'By name', '-createdAt': 'Newest first', domain: 'By domain' },
  noneFound: 'No website fits the search',
  searchGoesOn: 'The search has not looked at all websites yet. It goes on with the next page.',
  lastEvent: (ago: string) => `Last event ${ago}`,
  someEvent: 'Events in this range',
  silent: 'No event in this range',
  install: 'Set up tracking',
  hours: (least: string, most: string, at: string) =>
    `Visitors by the hour: between ${least} and ${most}, most of them at ${at}.`,
  days: (least: string, most: string, day: string) =>
    `Visitors by the day: between ${least} and ${most}, most of them on ${day}.`,
  noVisitors: 'No visitors in this range.',
  firstRun: {
    title: 'Add your first website',
    lead: 'Name it, put one line into its pages, and see the first visitor arrive.',
    create: 'Create a website',
    ask: 'Your role cannot create one. Ask an owner or admin of the organization.',
  },
  deleted: 'The website is deleted. What belonged to it is being removed.',
};
