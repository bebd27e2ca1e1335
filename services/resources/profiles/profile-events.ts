/** Reads what events say about a person, on either engine: which visitors they are, and how many events there are. */
import type { CompiledQuery, EventStore, RawRow } from '../../shared/ports/event-store.ts';

/** A person of an organization, and where to look. */
export interface PersonScope {
  readonly organizationId: string;
  /** Only these websites; null: all of them and the organization itself. */
  readonly websiteIds: readonly string[] | null;
  readonly profileId: string;
}

/** A visitor of a website, or of the organization. */
export interface Visitor {
  /** Null: of the organization itself. */
  readonly websiteId: string | null;
  readonly anonymousId: string;
}

/** A visitor that was named as the person. */
export interface NamedVisitor extends Visitor {
  /** Whether a key said so; without one, nobody speaks for the organization itself. */
  readonly isKeyed: boolean;
}

/** Unnamed events of some visitors. */
export interface UnnamedEvents {
  /** Null: everywhere within the scope. */
  readonly websiteId: string | null;
  readonly visitors: readonly string[];
}

/** The events of a person on one website. */
export interface PersonEvents {
  /** Null: of the organization itself. */
  readonly websiteId: string | null;
  readonly events: number;
  /** Milliseconds since the epoch. */
  readonly firstAt: number;
  readonly lastAt: number;
}

export interface ProfileEvents {
  /**
   * Visitors whose events name the person, by anonymousId, then website ascending: at most `limit`, those after `after`.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  visitors(scope: PersonScope, page: VisitorPage): Promise<NamedVisitor[]>;
  /**
   * Those of these visitors of websites for whom an event with a key, on the same website, names another person.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  keyedToOthers(scope: PersonScope, visitors: readonly Visitor[]): Promise<Visitor[]>;
  /** The events that name the person, and the person's unnamed ones, by website. @throws ApiError SERVICE_UNAVAILABLE */
  counts(scope: PersonScope, unnamed: readonly UnnamedEvents[]): Promise<PersonEvents[]>;
}

export interface VisitorPage {
  readonly limit: number;
  readonly after?: Visitor;
}

/** Over an event store, which gives these reads turns like the organization's queries. */
export function createProfileEvents(events: Pick<EventStore, 'engine' | 'run'>): ProfileEvents {
  const { visitorsOf, keyedToOthersOf, countsOf } = events.engine === 'duckdb' ? DUCKDB : MONGODB;
  const run = (query: CompiledQuery, { organizationId }: PersonScope) =>
    events.run(query, undefined, organizationId);
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
interface WebsiteVisitors {
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
function takenApart(unnamed: readonly UnnamedEvents[]) {
  return {
    everywhere: unnamed.flatMap(({ websiteId, visitors }) => (websiteId === null ? visitors : [])),
    onWebsites: unnamed.filter((some): some is WebsiteVisitors => some.websiteId !== null),
  };
}

interface Queries {
  visitorsOf(scope: PersonScope, page: VisitorPage): CompiledQuery;
  keyedToOthersOf(scope: PersonScope, visitors: readonly WebsiteVisitors[]): CompiledQuery;
  countsOf(scope: PersonScope, unnamed: readonly UnnamedEvents[]): CompiledQuery;
}

const DUCKDB: Queries = {
  visitorsOf: ({ organizationId, websiteIds, profileId }, { limit, after }) => ({
    engine: 'duckdb',
    sql: `SELECT website_id, anonymous_id, max(CASE WHEN is_keyless AND website_id IS NOT NULL THEN 0 ELSE 1 END) AS keyed FROM events
      WHERE organization_id = $organization AND profile_id = $profile ${onWebsites(websiteIds)}
        AND (anonymous_id > $after OR (anonymous_id = $after AND coalesce(website_id, '') > $afterWebsite))
      GROUP BY website_id, anonymous_id ORDER BY anonymous_id, website_id NULLS FIRST LIMIT ${limit}`,
    params: {
      organization: organizationId,
      profile: profileId,
      after: after?.anonymousId ?? '',
      afterWebsite: after?.websiteId ?? '',
      ...websiteParams(websiteIds),
    },
  }),
  keyedToOthersOf: ({ organizationId, profileId }, visitors) => ({
    engine: 'duckdb',
    sql: `SELECT DISTINCT website_id, anonymous_id FROM events
      WHERE organization_id = $organization AND profile_id <> $profile AND is_keyless IS NOT TRUE AND ${IS_ONE_OF_PAIRS}`,
    params: { organization: organizationId, profile: profileId, ...pairParams(visitors) },
  }),
  countsOf: ({ organizationId, websiteIds, profileId }, unnamed) => {
    const { everywhere, onWebsites: onOne } = takenApart(unnamed);
    return {
      engine: 'duckdb',
      sql: `SELECT website_id, count(*) AS events, epoch_ms(min("timestamp")) AS first_at, epoch_ms(max("timestamp")) AS last_at FROM events
      WHERE organization_id = $organization ${onWebsites(websiteIds)}
        AND (profile_id = $profile
          OR (profile_id IS NULL AND (anonymous_id IN (SELECT unnest($everywhere::VARCHAR[])) OR ${IS_ONE_OF_PAIRS})))
      GROUP BY website_id ORDER BY website_id NULLS FIRST`,
      params: {
        organization: organizationId,
        profile: profileId,
        everywhere,
        ...pairParams(onOne),
        ...websiteParams(websiteIds),
      },
    };
  },
};

/** True for the pairs of {@link pairParams}. */
const IS_ONE_OF_PAIRS =
  '(website_id, anonymous_id) IN (SELECT unnest($pairWebsites::VARCHAR[]), unnest($pairVisitors::VARCHAR[]))';

function pairParams(some: readonly WebsiteVisitors[]): Record<string, readonly string[]> {
  return {
    pairWebsites: some.flatMap(({ websiteId, visitors }) => visitors.map(() => websiteId)),
    pairVisitors: some.flatMap(({ visitors }) => visitors),
  };
}

function onWebsites(websiteIds: PersonScope['websiteIds']): string {
  return websiteIds === null ? '' : 'AND website_id IN (SELECT unnest($websites::VARCHAR[]))';
}

function websiteParams(websiteIds: PersonScope['websiteIds']): Record<string, readonly string[]> {
  return websiteIds === null ? {} : { websites: websiteIds };
}

const MONGODB: Queries = {
  visitorsOf: (scope, { limit, after }) => ({
    engine: 'mongodb',
    pipeline: [
      { $match: { ...scopeFilter(scope), profile_id: scope.profileId, $or: behind(after) } },
      { $group: { _id: GROUPED_BY_VISITOR, keyed: { $max: IS_KEYED } } },
      { $sort: { '_id.anonymous_id': 1, '_id.website_id': 1 } },
      { $limit: limit },
      { $project: { ...VISITOR, keyed: 1 } },
    ],
  }),
  keyedToOthersOf: ({ organizationId, profileId }, visitors) => ({
    engine: 'mongodb',
    pipeline: [
      {
        $match: {
          organization_id: organizationId,
          profile_id: { $nin: [null, profileId] },
          is_keyless: { $ne: true },
          $or: anyOf(visitors.map(ofVisitors)),
        },
      },
      { $group: { _id: GROUPED_BY_VISITOR } },
      { $project: VISITOR },
    ],
  }),
  countsOf: (scope, unnamed) => {
    const { everywhere, onWebsites: onOne } = takenApart(unnamed);
    const visitors = [{ anonymous_id: { $in: everywhere } }, ...onOne.map(ofVisitors)];
    const isUnnamed = visitors.map((which) => ({ profile_id: null, ...which }));
    return {
      engine: 'mongodb',
      pipeline: [
        { $match: { ...scopeFilter(scope), $or: [{ profile_id: scope.profileId }, ...isUnnamed] } },
        {
          $group: {
            _id: '$website_id',
            events: { $sum: 1 },
            first_at: { $min: '$timestamp' },
            last_at: { $max: '$timestamp' },
          },
        },
        { $sort: { _id: 1 } },
        { $project: { _id: 0, website_id: '$_id', events: 1, first_at: 1, last_at: 1 } },
      ],
    };
  },
};

const GROUPED_BY_VISITOR = { anonymous_id: '$anonymous_id', website_id: '$website_id' };
const VISITOR = { _id: 0, website_id: '$_id.website_id', anonymous_id: '$_id.anonymous_id' };
const IS_KEYED = {
  $cond: [{ $and: [{ $eq: ['$is_keyless', true] }, { $ne: ['$website_id', null] }] }, 0, 1],
};

function ofVisitors({ websiteId, visitors }: WebsiteVisitors) {
  return { website_id: websiteId, anonymous_id: { $in: [...visitors] } };
}

/** An empty `$or` is an error: this condition is never true. */
function anyOf(filters: readonly object[]): readonly object[] {
  return filters.length > 0 ? filters : [{ anonymous_id: { $in: [] } }];
}

function behind(after: Visitor | undefined): object[] {
  if (after === undefined) return [{ anonymous_id: { $gt: '' } }];
  const { anonymousId, websiteId } = after;
  // $gt compares within one type, but null is below every text.
  const others = websiteId === null ? { $ne: null } : { $gt: websiteId };
  return [{ anonymous_id: { $gt: anonymousId } }, { anonymous_id: anonymousId, website_id: others }];
}

/** Starts with the first fields of the index website_timestamp where websites are named, else of organization_timestamp. */
function scopeFilter({ organizationId, websiteIds }: PersonScope) {
  return {
    ...(websiteIds === null ? {} : { website_id: { $in: [...websiteIds] } }),
    organization_id: organizationId,
  };
}
