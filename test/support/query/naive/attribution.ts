/** What sessions came by, evaluated by walking over events. */
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { goalColumns, type NaiveGoal } from './goals.ts';
import {
  compareText,
  type Events,
  isPageview,
  mostFirst,
  percent,
  type Row,
  referrerHostOf,
  textAt,
} from './measures.ts';
import {
  bounceRate,
  medianDuration,
  type Session,
  viewedSessionsOf,
  visitorsOfSessions,
} from './sessions.ts';

/** The channel of a pageview, as far as generated events go. */
function channelOf({ utm_source, utm_medium, referrer_group, referrer_host }: EventRecord): string {
  const isPaid = utm_medium === 'cpc';
  const isBySearch = referrer_group === 'search';
  if (isPaid) return utm_source === 'google' || isBySearch ? 'paid_search' : 'paid_other';
  if (utm_source === 'newsletter') return 'email';
  if (utm_source === 'google') return 'search';
  if (referrer_group === 'campaign') return 'campaign';
  if (isBySearch) return referrer_host === 'perplexity.ai' ? 'ai' : 'search';
  return 'direct';
}

const hostOf = (event: EventRecord): string | null => {
  const host = referrerHostOf(event);
  return host === 'Direct' ? null : host;
};

const READERS: Readonly<Record<string, (event: EventRecord) => string | null>> = {
  channel: channelOf,
  session_source: (event) => event.utm_source || hostOf(event),
  session_referrer: hostOf,
  session_utm_source: ({ utm_source }) => utm_source,
  session_utm_medium: ({ utm_medium }) => utm_medium,
  session_utm_campaign: ({ utm_campaign }) => utm_campaign,
  session_utm_term: ({ utm_term }) => utm_term,
  session_utm_content: ({ utm_content }) => utm_content,
};

export const ENTRY_FIELDS = Object.keys(READERS);

/** What the first pageview says, null for nothing; undefined: there is none. At one instant the lesser text is first. */
export function entryTextOf(session: Events, field: string): string | null | undefined {
  const [first] = session
    .filter(isPageview)
    .map((event) => ({ at: event.timestamp, text: READERS[field]?.(event) || '' }))
    .sort((a, b) => a.at - b.at || compareText(a.text, b.text));
  return first && (first.text || null);
}

function listBy(
  sessions: readonly Session[],
  nameOf: (session: Session) => string,
  goal: NaiveGoal | undefined,
): Row[] {
  const rows = [...new Set(sessions.map(nameOf))].map((name) => {
    const own = sessions.filter((session) => nameOf(session) === name);
    return {
      name,
      sessions: own.length,
      visitors: visitorsOfSessions(own),
      pageviews: own.reduce((sum, { pageviews }) => sum + pageviews, 0),
      bounce_rate: bounceRate(own),
      median_session_duration: medianDuration(own),
      ...(goal
        ? goalColumns(
            own.flatMap(({ events }) => events),
            goal,
          )
        : {}),
      percentage: percent(own.length, sessions.length),
    };
  });
  return mostFirst(rows, 'sessions', 'name');
}

const by =
  (field: string, missing: string) =>
  ({ events }: Session): string =>
    entryTextOf(events, field) ?? missing;

/** What names the row of a session. */
const LISTS: Readonly<Record<string, (session: Session) => string>> = {
  session_channels: by('channel', 'direct'),
  session_sources: by('session_source', 'Direct'),
  session_referrers: by('session_referrer', 'Direct'),
  session_utm_sources: by('session_utm_source', 'Unknown'),
  session_utm_mediums: by('session_utm_medium', 'Unknown'),
  session_utm_campaigns: by('session_utm_campaign', 'Unknown'),
  session_utm_terms: by('session_utm_term', 'Unknown'),
  session_utm_contents: by('session_utm_content', 'Unknown'),
  session_entry_pages: ({ events }) =>
    textAt(events.filter(isPageview), 'first', ({ path }) => path) ?? 'Unknown',
};

/** The lists of sessions by what they came by; with `goals` once more as `NAME:goal`, each for the goal given. */
export function attributionDatasets(
  events: Events,
  goals: Readonly<Record<string, NaiveGoal>> = {},
): Record<string, Row[]> {
  const sessions = viewedSessionsOf(events);
  return Object.fromEntries(
    Object.entries(LISTS).flatMap(([name, nameOf]) => {
      const goal = goals[name];
      const plain = [name, listBy(sessions, nameOf, undefined)] as const;
      return goal ? [plain, [`${name}:goal`, listBy(sessions, nameOf, goal)] as const] : [plain];
    }),
  );
}
