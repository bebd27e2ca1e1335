/** The list of websites. */
export const websites = {
  lead: 'The last 24 hours of each website.',
  numbers: 'Visitors and pageviews',
  definition:
    'Visitors are distinct visitors, and pageviews the pages that they opened, in the 24 hours up to now. The line shows visitors by the hour; hours that are only partly in these 24 are dashed. Declared crawlers do not count.',
  add: 'New website',
  settings: 'Settings',
  visitors: 'Visitors',
  pageviews: 'Pageviews',
  search: 'Search by name or domain',
  sort: 'Order',
  sorts: { name: 'By name', '-createdAt': 'Newest first', domain: 'By domain' },
  noneFound: 'No website fits the search',
  searchGoesOn: 'The search has not looked at all websites yet. It goes on with the next page.',
  lastEvent: (ago: string) => `Last event ${ago}`,
  someEvent: 'Events in the last 24 hours',
  silent: 'No event in the last 24 hours',
  install: 'Set up tracking',
  hours: (least: string, most: string, at: string) =>
    `Visitors by the hour: between ${least} and ${most}, most of them at ${at}.`,
  noVisitors: 'No visitors in the last 24 hours.',
  firstRun: {
    title: 'Add your first website',
    lead: 'Name it, put one line into its pages, and see the first visitor arrive.',
    create: 'Create a website',
    ask: 'Your role cannot create one. Ask an owner or admin of the organization.',
  },
  deleted: 'The website is deleted. What belonged to it is being removed.',
};
