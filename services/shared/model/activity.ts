/** Counts of one subject over a stretch of time: of an organization's requests, of the events that a website was sent, or of all that passes the installation. */
import { z } from 'zod';
import { storedSchema } from './stored.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** What is counted. `requests`: of an organization; `ingest`: events of a website; `platform`: what passes the installation. */
export const ACTIVITY_SERIES = ['requests', 'ingest', 'platform'] as const;
export type ActivitySeries = (typeof ACTIVITY_SERIES)[number];

/** How finely, and for how long: one document holds the slots of `documentMs`. All in milliseconds. */
export const ACTIVITY_GRAINS = {
  minute: { slotMs: MINUTE_MS, documentMs: HOUR_MS, keptMs: 2 * DAY_MS },
  hour: { slotMs: HOUR_MS, documentMs: DAY_MS, keptMs: 90 * DAY_MS },
} as const;
export type ActivityGrain = keyof typeof ACTIVITY_GRAINS;
export const GRAINS = Object.keys(ACTIVITY_GRAINS) as readonly ActivityGrain[];

/** A slot and labels, joined by `|`: names of the configuration and identifiers, so that no key breaks the path of a field. */
export const cellNameSchema = z.string().regex(/^[\w ()|-]{1,300}$/);

export const activitySchema = storedSchema.extend({
  /** The website whose events are counted; null: the organization's requests are. */
  websiteId: z.string().nullable(),
  /** What is counted, of whom, and how finely: those of one series are found by it. */
  series: z.string(),
  /** When its first slot begins. */
  startsAt: z.iso.datetime(),
  /** When nobody asks for it any more. */
  expiresAt: z.iso.datetime(),
  /** How many, by slot and labels. */
  counts: z.record(cellNameSchema, z.number().int()),
});
export type Activity = z.infer<typeof activitySchema>;

/** Whose counts they are. */
export interface ActivitySubject {
  readonly organizationId: string;
  /** Null: the organization itself. */
  readonly websiteId: string | null;
  readonly series: ActivitySeries;
}

/** What is added to one document. */
export interface ActivityIncrement extends ActivitySubject {
  readonly grain: ActivityGrain;
  readonly startsAtMs: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** The value of the field `series`. */
export function activitySeriesName(subject: ActivitySubject, grain: ActivityGrain): string {
  return `${subject.series} ${grain} ${subject.websiteId ?? subject.organizationId}`;
}

/** The document that an increment is added to, as it is when it is new. */
export function newActivity(
  increment: ActivityIncrement,
): Omit<Activity, 'version' | 'createdAt' | 'updatedAt'> {
  const { organizationId, websiteId, series, grain, startsAtMs, counts } = increment;
  const { documentMs, keptMs } = ACTIVITY_GRAINS[grain];
  const startsAt = new Date(startsAtMs).toISOString();
  return {
    id: `act_${series}_${grain}_${websiteId ?? organizationId}_${startsAt}`,
    organizationId,
    websiteId,
    series: activitySeriesName(increment, grain),
    startsAt,
    expiresAt: new Date(startsAtMs + documentMs + keptMs).toISOString(),
    counts,
  };
}

/** The slot and the labels of a count. */
export function parseCell(name: string): { readonly slot: number; readonly labels: string } {
  const bar = name.indexOf('|');
  return { slot: Number(name.slice(0, bar)), labels: name.slice(bar + 1) };
}

/** The slot of an instant within its document, and when that document begins. */
export function activitySlot(
  grain: ActivityGrain,
  atMs: number,
): { readonly slot: number; readonly startsAtMs: number } {
  const { slotMs, documentMs } = ACTIVITY_GRAINS[grain];
  const startsAtMs = Math.floor(atMs / documentMs) * documentMs;
  return { slot: Math.floor((atMs - startsAtMs) / slotMs), startsAtMs };
}
