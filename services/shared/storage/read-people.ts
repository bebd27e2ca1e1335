/** Reads what events say about a person through the queries of an engine. */
import type { RawRow } from '../ports/event-store.ts';
import type {
  PersonScope,
  ProfileEvents,
  UnnamedEvents,
  Visitor,
  VisitorPage,
} from '../ports/profile-events.ts';

/** The queries of an engine; their rows have the columns that {@link profileEventsOver} reads. */
export interface PersonQueries<Q> {
  visitorsOf(scope: PersonScope, page: VisitorPage): Q;
  keyedToOthersOf(scope: PersonScope, visitors: readonly WebsiteVisitors[]): Q;
  countsOf(scope: PersonScope, unnamed: readonly UnnamedEvents[]): Q;
}

/** `run` gives these reads turns like the organization's queries. */
export function profileEventsOver<Q>(
  { visitorsOf, keyedToOthersOf, countsOf }: PersonQueries<Q>,
  run: (query: Q, scope: PersonScope) => Promise<readonly RawRow[]>,
): ProfileEvents {
  return {
    async visitors(scope, page) {
      const rows = await run(visitorsOf(scope, page), scope);
      return rows.map((row) => ({ ...visitorOf(row), isKeyed: Number(row.keyed) === 1 }));
    },
    async keyedToOthers(scope, visitors) {
      return (await run(keyedToOthersOf(scope, byWebsite(visitors)), scope)).map(visitorOf);
    },
    async counts(scope, unnamed) {
      const rows = await run(countsOf(scope, unnamed), scope);
      return rows.map((row) => ({
        websiteId: websiteOf(row),
        events: Number(row.events),
        firstAt: Number(row.first_at),
        lastAt: Number(row.last_at),
      }));
    },
  };
}

function websiteOf({ website_id }: RawRow): string | null {
  return website_id === null ? null : String(website_id);
}

function visitorOf(row: RawRow): Visitor {
  return { websiteId: websiteOf(row), anonymousId: String(row.anonymous_id) };
}

/** Visitors of one website. */
export interface WebsiteVisitors {
  readonly websiteId: string;
  readonly visitors: readonly string[];
}

function byWebsite(visitors: readonly Visitor[]): WebsiteVisitors[] {
  const known = new Map<string, string[]>();
  for (const { websiteId, anonymousId } of visitors) {
    if (websiteId === null) throw new TypeError(`the visitor ${anonymousId} is of no website`);
    const some = known.get(websiteId);
    if (some) some.push(anonymousId);
    else known.set(websiteId, [anonymousId]);
  }
  return [...known].map(([websiteId, some]) => ({ websiteId, visitors: some }));
}

/** The unnamed events split: of visitors that count everywhere, and of those of one website. */
export function takenApart(unnamed: readonly UnnamedEvents[]) {
  return {
    everywhere: unnamed.flatMap(({ websiteId, visitors }) => (websiteId === null ? visitors : [])),
    onWebsites: unnamed.filter((some): some is WebsiteVisitors => some.websiteId !== null),
  };
}
