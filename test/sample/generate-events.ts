/** Realistic events in order of time, the same for the same seed: visitors who come, look at pages, act, and leave. */
import { byShare, createRandom, type Random } from './random.ts';
import {
  campaignOf,
  customEventOf,
  deviceOf,
  errorOf,
  linkOf,
  pageOf,
  placeOf,
  planOf,
  referrerOf,
} from './vocabulary.ts';

const MINUTE_MS = 60_000;
const MINUTES_PER_DAY = 1_440;
/** About how many events a session has; only how densely sessions are laid out hangs on it. */
const EVENTS_PER_SESSION = 8;

export interface SampleWebsite {
  readonly id: string;
  readonly domain: string;
  /** Of all sessions, relative to the other sites. */
  readonly share: number;
}

export interface SampleOptions {
  /** Exactly so many. */
  readonly events: number;
  readonly days: number;
  /** The end of the last day, in milliseconds since the epoch. */
  readonly end: number;
  readonly websites: readonly SampleWebsite[];
  readonly seed: number;
}

/** An event as POST /track and `tidegate import` take it. */
export interface SampleEvent {
  readonly name: string;
  readonly eventId: string;
  readonly websiteId: string;
  readonly timestamp: number;
  readonly anonymousId: string;
  readonly sessionId: string;
  readonly path: string;
  readonly [field: string]: unknown;
}

/** Websites whose shares follow Zipf's law. */
export function zipfWebsites(count: number): SampleWebsite[] {
  return Array.from({ length: count }, (_, i) => ({
    id: `web_sample_${i + 1}`,
    domain: `sample-${i + 1}.example`,
    share: 1 / (i + 1),
  }));
}

/** The events, by time ascending. */
export function* generateEvents({
  events,
  days,
  end,
  websites,
  seed,
}: SampleOptions): Generator<SampleEvent> {
  const random = createRandom(seed);
  const websiteOf = byShare(websites.map((website) => [website, website.share]));
  const shareSum = websites.reduce((sum, { share }) => sum + share, 0);
  const minutes = days * MINUTES_PER_DAY;
  const start = end - minutes * MINUTE_MS;
  const due = new Map<number, SampleEvent[]>();
  let planned = 0;
  let given = 0;
  let debt = 0;
  for (let minute = 0; minute < minutes && given < events; minute++) {
    // The rest of the events over the rest of the time, denser by day than by night.
    const rate =
      ((events - planned) / (minutes - minute)) *
      (1 + 0.7 * Math.sin((minute / MINUTES_PER_DAY) * 2 * Math.PI));
    // Sessions laid out too early count until the last minute, which makes up whatever is missing.
    debt = minute === minutes - 1 ? events - planned : debt + rate;
    while (debt > 0 && planned < events) {
      const website = websiteOf(random);
      const visitors = Math.max(20, (events * website.share) / shareSum / (EVENTS_PER_SESSION * 2.5));
      const session = sessionOf(random, website, start + minute * MINUTE_MS, end, visitors);
      for (const event of session) {
        const at = Math.floor((event.timestamp - start) / MINUTE_MS);
        const list = due.get(at);
        if (list) list.push(event);
        else due.set(at, [event]);
      }
      planned += session.length;
      debt -= session.length;
    }
    const now = (due.get(minute) ?? []).sort((a, b) => a.timestamp - b.timestamp);
    due.delete(minute);
    for (const event of now) {
      if (given === events) return;
      given++;
      yield event;
    }
  }
}

type Draft = Partial<Record<string, unknown>>;

/** Everything that one visitor does at one visit; nothing of it after `end`. */
function sessionOf(
  random: Random,
  website: SampleWebsite,
  minute: number,
  end: number,
  visitors: number,
): SampleEvent[] {
  const visitor = Math.floor(random.next() ** 1.6 * visitors);
  // What belongs to the visitor comes from a stream of its own, so that it is the same at every visit.
  const own = createRandom(visitor * 2_654_435_761 + website.id.length * 97 + website.share * 1e6);
  const { screen_resolution, ...device } = deviceOf(own);
  const { timezone, language, ...place } = placeOf(own);
  const sessionId = `ses_${website.id}_${minute.toString(36)}_${random.whole(1e9).toString(36)}`;
  const about = { websiteId: website.id, anonymousId: `anon_${website.id}_${visitor}`, sessionId };
  const client = { ...device, ...place, screen_resolution, timezone, language };
  const made: SampleEvent[] = [];
  let at = minute + random.whole(MINUTE_MS);
  const add = (name: string, path: string, fields: Draft) => {
    if (at >= end) return;
    const eventId = `${sessionId}_${made.length}`;
    made.push({ name, eventId, timestamp: at, ...about, path, ...fields, ...client } as SampleEvent);
  };

  const isCampaign = random.chance(0.08);
  const referrer = isCampaign ? null : referrerOf(random);
  const pages = random.chance(0.45) ? 1 : 1 + Math.ceil(random.skewed(2.5));
  for (let page = 1; page <= pages; page++) {
    const { path, title } = pageOf(random);
    const url = `https://${website.domain}${path}`;
    const landing = page === 1 && isCampaign ? `${url}?${campaignOf(random)}` : url;
    const ttfb = Math.round(random.skewed(120));
    add('screen_view', landing, {
      title,
      ...(page === 1 && referrer !== null ? { referrer } : {}),
      page_count: page,
      ttfb,
      load_time: ttfb + Math.round(random.skewed(900)),
      dom_ready_time: ttfb + Math.round(random.skewed(500)),
    });
    const stay = Math.min(1_800, random.skewed(28));
    at += Math.round(stay * 300);
    if (random.chance(0.12)) {
      const metricName = random.chance(0.5) ? 'LCP' : random.chance(0.5) ? 'CLS' : 'INP';
      const median = { LCP: 1_900, CLS: 0.06, INP: 140 }[metricName];
      add('web_vitals', url, { metricName, metricValue: Number(random.skewed(median).toFixed(3)) });
    }
    if (random.chance(0.3)) {
      const name = customEventOf(random);
      const value = name === 'purchase' ? { value: Math.round(random.skewed(40)) } : {};
      add(name, url, { properties: { plan: planOf(random), ...value } });
    }
    if (random.chance(0.02)) {
      add('error', url, {
        ...errorOf(random),
        filename: `https://${website.domain}/app.js`,
        lineno: random.whole(900),
      });
    }
    at += Math.round(stay * 700);
    if (random.chance(0.05)) add('outgoing_link', url, { ...linkOf(random) });
    add('page_exit', url, {
      time_on_page: Math.round(stay * 10) / 10,
      scroll_depth: random.whole(101),
      interaction_count: random.whole(12),
      page_count: page,
    });
    at += 200 + random.whole(2_000);
  }
  return made;
}
