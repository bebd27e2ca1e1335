/** The views of custom SQL and their columns, as `GET /v1/query/types` describes them. */
import { NUMBER_COLUMNS, TEXT_COLUMNS } from '../shared/model/event-record.ts';

export interface ViewColumn {
  readonly name: string;
  readonly type: 'string' | 'number' | 'time' | 'boolean';
  readonly description: string;
}

const MEASURED: Readonly<Record<(typeof NUMBER_COLUMNS)[number], string>> = {
  time_on_page: 'Seconds on the page.',
  scroll_depth: 'Deepest scroll position, 0 to 100 percent.',
  interaction_count: 'Interactions on the page.',
  page_count: 'Pages seen so far in the session.',
  load_time: 'Load time in milliseconds.',
  ttfb: 'Time to first byte in milliseconds.',
  dom_ready_time: 'Time until the document was ready, in milliseconds.',
  render_time: 'Time until the page was rendered, in milliseconds.',
  metric_value: 'Value of the web vital.',
  lineno: 'Line of the error.',
  colno: 'Column of the error.',
};

const TEXTS: Partial<Readonly<Record<(typeof TEXT_COLUMNS)[number], string>>> = {
  event_name: 'Name of the event.',
  website_id: 'Website of the event.',
  anonymous_id: 'Visitor.',
  session_id: 'Session.',
  profile_id: 'Profile of an identified visitor.',
  path: 'Path of the page.',
  query_string: 'Query string of the page.',
  referrer: 'Referrer as sent.',
  referrer_host: 'Host of the referrer.',
  referrer_group: 'Group: direct, search, social, email, referral or campaign.',
  properties: 'Properties of the event, as JSON text.',
  metric_name: 'Web vital: FCP, LCP, CLS, INP, TTFB or FPS.',
  country: 'Country code (ISO 3166-1 alpha-2).',
  href: 'Target of an outgoing link.',
  link_id: 'Short link that was followed.',
};

const EVENT_COLUMNS: readonly ViewColumn[] = [
  { name: 'timestamp', type: 'time', description: 'Instant of the event (UTC).' },
  ...TEXT_COLUMNS.map(
    (name): ViewColumn => ({
      name,
      type: 'string',
      description: TEXTS[name] ?? `${name.replaceAll('_', ' ')} of the event.`,
    }),
  ),
  ...NUMBER_COLUMNS.map((name): ViewColumn => ({ name, type: 'number', description: MEASURED[name] })),
  { name: 'is_bot', type: 'boolean', description: 'Whether a declared crawler sent the event.' },
];

const SESSION_COLUMNS: readonly ViewColumn[] = [
  { name: 'session_id', type: 'string', description: 'Session.' },
  { name: 'anonymous_id', type: 'string', description: 'Visitor.' },
  { name: 'started_at', type: 'time', description: 'Instant of the first event (UTC).' },
  { name: 'ended_at', type: 'time', description: 'Instant of the last event (UTC).' },
  { name: 'duration_seconds', type: 'number', description: 'Seconds from the first to the last event.' },
  { name: 'pageviews', type: 'number', description: 'Pageviews of the session.' },
  { name: 'events', type: 'number', description: 'Events of the session.' },
  { name: 'entry_path', type: 'string', description: 'Path of the first pageview.' },
  { name: 'exit_path', type: 'string', description: 'Path of the last pageview.' },
  { name: 'is_bounce', type: 'boolean', description: 'Whether the session has exactly one pageview.' },
  { name: 'referrer_host', type: 'string', description: 'Host of the referrer of the first event.' },
  { name: 'country', type: 'string', description: 'Country code (ISO 3166-1 alpha-2).' },
  { name: 'device_type', type: 'string', description: 'Device type.' },
  { name: 'browser_name', type: 'string', description: 'Browser.' },
  { name: 'os_name', type: 'string', description: 'Operating system.' },
];

/** Columns by view. All but `sessions` are the events, filtered by name. */
export const VIEWS: Readonly<Record<string, readonly ViewColumn[]>> = {
  events: EVENT_COLUMNS,
  sessions: SESSION_COLUMNS,
  pageviews: EVENT_COLUMNS,
  custom_events: EVENT_COLUMNS,
  errors: EVENT_COLUMNS,
  web_vitals: EVENT_COLUMNS,
  link_clicks: EVENT_COLUMNS,
};
