/** Makes the record of an event, the same for every ingest route, from the columns of each step. */
import type { EventRecord } from '../../shared/model/event-record.ts';
import type { Website } from '../../shared/model/website.ts';
import { type ClientTraits, NO_DEVICE, NO_PLACE } from '../client/client-traits.ts';
import type { VisitorKey } from '../salts/daily-salts.ts';
import { type NamingWebsite, putName } from './put-name.ts';
import { putCampaign, putPage } from './put-page.ts';
import { putReferrer } from './put-referrer.ts';
import { anonymizes, describesVisitor, putVisitor } from './put-visitor.ts';
import type { WireEvent } from './wire-event.ts';

export interface RecordContext {
  /** The instant of events that have none, in milliseconds since the epoch. */
  readonly now: number;
  /** Called only for events whose visitor is hashed (`hashesVisitor`). */
  readonly visitorKey: VisitorKey;
  /** The client of the request, read once for all of its events (read-client.ts). */
  readonly client: ClientTraits;
  /** Whether the event came without a key: its eventId is separate from those of events with a key. */
  readonly isKeyless: boolean;
  /** The short link that was followed; only for link_click. */
  readonly linkId?: string;
}

/** The target of an event, as far as its record needs it; `website` null: the organization itself. */
export interface RecordTarget {
  readonly organizationId: string;
  readonly website: (Pick<Website, 'id' | 'domain'> & NamingWebsite) | null;
}

/**
 * The record of one event for its target. Empty texts are null, like absent ones. One literal of every column: spreading
 * records of this width costs three times as much as the rest of the work.
 */
export function makeRecord(event: WireEvent, target: RecordTarget, context: RecordContext): EventRecord {
  const timestamp = event.timestamp ?? context.now;
  const page = putPage(event.path);
  const campaign = putCampaign(event, page.query_string);
  const referrer = putReferrer({
    referrer: event.referrer,
    utmSource: campaign.utm_source,
    ownHosts: [target.website?.domain ?? null, page.hostname],
  });
  const { client } = context;
  const visitor = putVisitor({
    anonymousId: event.anonymousId,
    client,
    anonymize: anonymizes(event.anonymizeVisitorIds),
    timestamp,
    scope: target.website?.id ?? target.organizationId,
    visitorKey: context.visitorKey,
  });
  const isVisitors = describesVisitor(client, event.anonymousId);
  const device = isVisitors ? client.device : NO_DEVICE;
  const place = isVisitors ? client.place : NO_PLACE;
  return {
    organization_id: target.organizationId,
    website_id: target.website?.id ?? null,
    event_name: putName(event.name, page.path, target.website),
    timestamp,
    is_bot: client.isCrawler,
    is_keyless: context.isKeyless || null,
    anonymous_id: visitor.anonymous_id,
    session_id: event.sessionId || null,
    profile_id: event.profileId || null,
    event_id: event.eventId || null,
    path: page.path,
    query_string: page.query_string,
    hostname: page.hostname,
    referrer: referrer.referrer,
    referrer_host: referrer.referrer_host,
    referrer_group: referrer.referrer_group,
    title: event.title || null,
    utm_source: campaign.utm_source,
    utm_medium: campaign.utm_medium,
    utm_campaign: campaign.utm_campaign,
    utm_term: campaign.utm_term,
    utm_content: campaign.utm_content,
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
    link_id: context.linkId ?? null,
    country: place.country,
    region: place.region,
    city: place.city,
    browser_name: device.browser_name,
    browser_version: device.browser_version,
    os_name: device.os_name,
    os_version: device.os_version,
    device_type: device.device_type,
  };
}
