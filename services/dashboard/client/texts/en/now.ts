/** What happens on a website now. */
export const now = {
  title: (website: string) => `${website} now`,
  lead: 'The last five minutes, and the half hour that leads up to them. It moves on while you look.',
  back: 'Overview',
  link: 'What happens now',
  people: 'In the last 5 minutes',
  counts: {
    visitors: 'Visitors',
    sessions: 'Sessions',
    pageviews: 'Pageviews',
    total_events: 'Events',
  },
  halfHour: 'Pageviews of the last 30 minutes',
  halfHourInWords: (pageviews: number) =>
    `${pageviews === 1 ? '1 pageview' : `${pageviews.toLocaleString('en')} pageviews`} in the last 30 minutes, minute by minute`,
  minute: 'Minute',
  lists: {
    pages: 'Pages that are looked at',
    sources: 'Where visitors came from',
    countries: 'Where visitors are',
  },
  names: { pages: 'Page', sources: 'Source', countries: 'Country' },
  nobody: 'Nobody looked at a page in the last 5 minutes.',
  asTheyCome: 'Events as they come',
  time: 'Time',
  event: 'Event',
  device: 'Browser and device',
  events: {
    screen_view: 'Pageview',
    page_exit: 'Page left',
    outgoing_link: 'Outbound link',
    error: 'Error',
    web_vitals: 'Web vitals',
  } as Readonly<Record<string, string>>,
  noEvents: 'No event came in the last 30 minutes.',
};
