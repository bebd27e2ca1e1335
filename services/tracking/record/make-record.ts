/** Makes the record of an event, the same for every ingest route, from the columns that each step puts. */
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS } from '../../shared/model/event-record.ts';
import { putCampaign, putPage } from './put-page.ts';
import { putReferrer } from './put-referrer.ts';
import { putVisitor } from './put-visitor.ts';
import type { Target } from './put-websites.ts';
import type { WireEvent } from './wire-event.ts';

/** A record of nothing: what a route does not have is null. */
const EMPTY = Object.fromEntries(
  [...TEXT_COLUMNS, ...NUMBER_COLUMNS].map((column) => [column, null]),
) as Readonly<Record<(typeof TEXT_COLUMNS)[number] | (typeof NUMBER_COLUMNS)[number], null>>;

export interface RecordContext {
  /** The instant of events that have none, in milliseconds since the epoch. */
  readonly now: number;
  readonly visitorSecret: Uint8Array;
}

/** The record of one event for its target. Empty texts are null, like absent ones. */
export function makeRecord(event: WireEvent, target: Target, context: RecordContext): EventRecord {
  const timestamp = event.timestamp ?? context.now;
  const page = putPage(event.path);
  const campaign = putCampaign(event, page.query_string);
  return {
    ...EMPTY,
    ...putFields(event),
    event_name: event.name,
    organization_id: target.organizationId,
    website_id: target.website?.id ?? null,
    timestamp,
    is_bot: false,
    ...page,
    ...campaign,
    ...putReferrer({
      referrer: event.referrer,
      utmSource: campaign.utm_source,
      ownHosts: [target.website?.domain ?? null, page.hostname],
    }),
    ...putVisitor({
      anonymousId: event.anonymousId,
      anonymize: event.anonymizeVisitorIds === true,
      timestamp,
      scope: target.website?.id ?? target.organizationId,
      visitorSecret: context.visitorSecret,
    }),
  };
}

/** The columns that hold a field as it came. */
function putFields(event: WireEvent) {
  return {
    session_id: event.sessionId || null,
    profile_id: event.profileId || null,
    event_id: event.eventId || null,
    title: event.title || null,
    properties: event.properties && event.properties !== '{}' ? event.properties : null,
    namespace: event.namespace || null,
    source: event.source || null,
    screen_resolution: event.screen_resolution || null,
    viewport_size: event.viewport_size || null,
    timezone: event.timezone || null,
    language: event.language || null,
    time_on_page: event.time_on_page ?? null,
    scroll_depth: event.scroll_depth ?? null,
    interaction_count: event.interaction_count ?? null,
    page_count: event.page_count ?? null,
    load_time: event.load_time ?? null,
    ttfb: event.ttfb ?? null,
    dom_ready_time: event.dom_ready_time ?? null,
    render_time: event.render_time ?? null,
    metric_name: event.metricName ?? null,
    metric_value: event.metricValue ?? null,
    message: event.message || null,
    error_type: event.errorType || null,
    filename: event.filename || null,
    lineno: event.lineno ?? null,
    colno: event.colno ?? null,
    stack: event.stack || null,
    href: event.href || null,
    text: event.text || null,
  };
}
