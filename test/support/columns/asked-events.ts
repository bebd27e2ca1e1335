/** What tests of the column store ask of a website, and the events that they give it. */
import type { EventReach, RawRow } from '../../../services/shared/ports/event-store.ts';
import { eventRecord } from '../event-record.ts';

export const DAY_MS = 86_400_000;
/** The day of an event that names none. */
export const DAY = Date.UTC(2026, 0, 1);

export const WEBSITE = { organizationId: 'org_a', websiteId: 'web_a' };

export const duckdb = (sql: string) => ({ engine: 'duckdb', sql, params: {} }) as const;
export const IDS = duckdb('SELECT event_id FROM events ORDER BY event_id');
export const ids = (rows: readonly RawRow[]) => rows.map(({ event_id }) => event_id);

export const reachOf = (...websiteIds: string[]): EventReach => ({
  organizationId: 'org_a',
  websiteIds,
  organizationEvents: false,
  range: null,
});
export const REACH = reachOf('web_a');

/** An event so many days after the first. */
export const eventOf = (event_id: string, website_id: string | null = 'web_a', day = 0) =>
  eventRecord({ event_id, website_id, timestamp: DAY + day * DAY_MS });
