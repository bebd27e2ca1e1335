/** The record of an event, as every ingest route produces it and every event store holds it (datasets.md). */

/** Reserved event names; every other name is a custom event (contract.md section 5). */
export const RESERVED_EVENT_NAMES = [
  'screen_view',
  'page_exit',
  'outgoing_link',
  'error',
  'web_vitals',
  'link_click',
] as const;

/** Columns of text, null when the route or the client did not give them. */
export const TEXT_COLUMNS = [
  'event_name',
  'website_id',
  'anonymous_id',
  'session_id',
  'profile_id',
  'event_id',
  'path',
  'query_string',
  'hostname',
  'referrer',
  'referrer_host',
  'referrer_group',
  'title',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'properties',
  'namespace',
  'source',
  'screen_resolution',
  'viewport_size',
  'timezone',
  'language',
  'metric_name',
  'message',
  'error_type',
  'filename',
  'stack',
  'href',
  'text',
  'country',
  'region',
  'city',
  'browser_name',
  'browser_version',
  'os_name',
  'os_version',
  'device_type',
  'link_id',
] as const;

/** Columns of numbers, in the unit that datasets.md states. */
export const NUMBER_COLUMNS = [
  'time_on_page',
  'scroll_depth',
  'interaction_count',
  'page_count',
  'load_time',
  'ttfb',
  'dom_ready_time',
  'render_time',
  'metric_value',
  'lineno',
  'colno',
] as const;

export type TextColumn = (typeof TEXT_COLUMNS)[number];
export type NumberColumn = (typeof NUMBER_COLUMNS)[number];

/**
 * One event. `properties` is JSON text of an object, or null. `website_id` null: an event of the organization.
 * Text is well-formed Unicode without NUL: stores may refuse anything else.
 */
export type EventRecord = Readonly<
  Record<TextColumn, string | null> &
    Record<NumberColumn, number | null> & {
      event_name: string;
      organization_id: string;
      /** Milliseconds since the epoch. */
      timestamp: number;
      is_bot: boolean;
      /**
       * True: it came without a key. Null: a key or session sent it, or it was stored by a version that did not keep
       * this.
       */
      is_keyless: boolean | null;
    }
>;
