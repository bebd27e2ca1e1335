/** Which fields the filters of event datasets may name (datasets.md). */

/** Stands in lists of allowed fields for every key of an event's properties. */
export const ANY_PROPERTY = 'properties.<key>';

/** Fields that every event dataset allows. */
export const EVENT_FILTERS = [
  'path',
  'query_string',
  'referrer',
  'country',
  'region',
  'city',
  'timezone',
  'language',
  'device_type',
  'browser_name',
  'os_name',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  ANY_PROPERTY,
] as const;

/** Fields that datasets of custom events allow. */
export const CUSTOM_EVENT_FILTERS = [...EVENT_FILTERS, 'event_name', 'namespace', 'source'] as const;
