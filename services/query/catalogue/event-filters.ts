/** Which fields the filters and `groupBy` of event datasets may name (datasets.md). */

/** In lists of allowed fields, stands for every key of an event's properties. */
export const ANY_PROPERTY = 'properties.<key>';

/** The prefix of a property's key in a field name. */
export const PROPERTY_PREFIX = 'properties.';

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
  'website_id',
  ANY_PROPERTY,
] as const;

/** Fields that datasets of custom events allow. */
export const CUSTOM_EVENT_FILTERS = [...EVENT_FILTERS, 'event_name', 'namespace', 'source'] as const;
/** Fields that datasets of errors allow. */
export const ERROR_FILTERS = [...EVENT_FILTERS, 'message', 'error_type', 'filename'] as const;
/** Fields that datasets of web vitals allow. */
export const VITAL_FILTERS = [...EVENT_FILTERS, 'metric_name'] as const;
/** Fields that datasets of outgoing links allow. */
export const OUTBOUND_FILTERS = [...EVENT_FILTERS, 'href', 'text'] as const;
/** Fields that datasets of short links allow. */
export const LINK_FILTERS = [...EVENT_FILTERS, 'link_id'] as const;
