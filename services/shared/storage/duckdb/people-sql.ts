/** What events say about a person, as SQL. */
import type { CompiledQuery } from '../../ports/event-store.ts';
import type { PersonScope } from '../../ports/profile-events.ts';
import { type PersonQueries, takenApart, type WebsiteVisitors } from '../read-people.ts';

/** Queries over the table of events. */
export const SQL_OF_PEOPLE: PersonQueries<CompiledQuery> = {
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
