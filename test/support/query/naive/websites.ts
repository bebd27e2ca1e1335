/** The totals of a website, evaluated by walking over its events. */
import { type Events, pageviewsOf, type Row, visitorsOf } from './measures.ts';
import { bounceRate, medianDuration, sessionsOf } from './sessions.ts';

/** The website of property tests has its identifier for a name. */
export function websiteTotals(website_id: string, events: Events): Row {
  const sessions = sessionsOf(events);
  return {
    website_id,
    name: website_id,
    domain: `${website_id}.example`,
    pageviews: pageviewsOf(events),
    visitors: visitorsOf(events),
    sessions: sessions.length,
    bounce_rate: bounceRate(sessions),
    median_session_duration: medianDuration(sessions),
    total_events: events.length,
  };
}
