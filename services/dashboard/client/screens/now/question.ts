/** What the screen asks: one batch, of what is fixed to the last minutes, and of the half hour by minutes. */
import type { Request } from '../../api/answer.ts';

/** How many minutes the line has. */
const MINUTES = 30;
/** Events in the list. */
const EVENTS = 30;
/** Rows of a list. */
const ROWS = 10;
const MINUTE_MS = 60_000;

/** `now`: epoch milliseconds. The same request within a minute. */
export function nowRequest(websiteId: string, timezone: string, now: number): Request {
  const end = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS;
  const instant = (at: number) => new Date(at).toISOString();
  return {
    method: 'POST',
    path: '/v1/query',
    query: { website_id: websiteId, timezone },
    body: [
      {
        id: 'minutes',
        parameters: ['summary'],
        startDate: instant(end - MINUTES * MINUTE_MS),
        endDate: instant(end),
        granularity: 'minute',
      },
      {
        id: 'now',
        parameters: ['active_now', 'active_pages', 'active_sources', 'active_countries'],
        limit: ROWS,
      },
      { id: 'events', parameters: ['events_live'], limit: EVENTS },
    ],
  };
}
