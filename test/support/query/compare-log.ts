/** Views of two periods and two days, for tests of comparisons. */
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import { eventRecord } from './event.ts';

/** A Wednesday, 14:00 UTC. */
export const COMPARE_NOW = Date.parse('2025-04-02T14:00:00Z');

/** Views of a page at one instant, each of another visitor and session. */
export const views = (at: string, path: string, count: number): EventRecord[] =>
  Array.from({ length: count }, (_, index) =>
    eventRecord({ at, path, anonymous_id: `v${index}`, session_id: `${path}${at}${index}` }),
  );

/** /p1 to /p9 with 20 to 12 views in March and /last with 1; in April it is first, beside /new and four of them. */
export const COMPARE_LOG: EventRecord[] = [
  ...Array.from({ length: 9 }, (_, index) =>
    views('2025-03-10T10:00:00Z', `/p${index + 1}`, 20 - index),
  ).flat(),
  ...views('2025-03-11T10:00:00Z', '/last', 1),
  ...views('2025-03-12T10:00:00Z', '/', 2).map((event) => ({
    ...event,
    country: 'DE',
    browser_name: 'Safari',
  })),
  ...views('2025-03-20T10:00:00Z', '/last', 30),
  ...views('2025-03-20T10:00:00Z', '/new', 29),
  ...views('2025-03-20T10:00:00Z', '/p1', 5),
  ...views('2025-03-21T10:00:00Z', '/', 3).map((event) => ({
    ...event,
    country: 'DE',
    browser_name: 'Safari',
  })),
  ...views('2025-03-21T10:00:00Z', '/', 1).map((event) => ({
    ...event,
    country: 'FR',
    browser_name: 'Chrome',
  })),
  // Yesterday and today, by the hour.
  ...views('2025-04-01T09:00:00Z', '/y', 4),
  ...views('2025-04-01T13:59:59.999Z', '/y', 2),
  ...views('2025-04-01T14:00:00Z', '/y', 8),
  ...views('2025-04-01T20:00:00Z', '/y', 16),
  ...views('2025-04-02T09:30:00Z', '/y', 1),
  ...views('2025-04-02T13:58:00Z', '/y', 3),
  // The five minutes before the last five.
  ...views('2025-04-02T13:52:00Z', '/y', 7),
];

/** Ten days, after ten others. */
export const MARCH = { startDate: '2025-03-20', endDate: '2025-03-29' };
