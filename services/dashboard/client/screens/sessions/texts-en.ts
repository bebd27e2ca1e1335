/** Sessions of a website, in English. */
export const en = {
  list: 'Visits, the latest first. Only what lies in the range counts. The start opens the visit, the visitor everything that is known of it.',
  one: 'One session',
  all: 'All sessions',
  timeline: 'What happened',
  timelineDefinition:
    'Every event of the session in the range, in its order, with the time until the next one. Filters leave it whole.',
  noEvents: 'The session has no event in this range.',
  definitions: {
    total_sessions: 'Visits in the range. The tracker begins a new one after 30 minutes without an event.',
    total_events: 'Events of every name in these visits.',
  },
  columns: {
    total_sessions: 'Sessions',
    total_events: 'Events',
    first_visit: 'Start',
    last_visit: 'End',
    visitor_id: 'Visitor',
    duration: 'Duration',
    page_views: 'Pageviews',
    country: 'Country',
    device_type: 'Device',
    browser_name: 'Browser',
    os_name: 'System',
    referrer: 'Referrer',
    timestamp: 'Time',
    event_name: 'Event',
    path: 'Page',
    title: 'Title',
    properties: 'Properties',
    until_next: 'Until the next',
  },
};
