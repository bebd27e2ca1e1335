/** What events say about a person, as pipelines: look-ups, each bounded by an index. */
import type { PersonScope, Visitor } from '../../ports/profile-events.ts';
import { type PersonQueries, takenApart, type WebsiteVisitors } from '../read-people.ts';
import type { EventPipeline } from './look-up-events.ts';

/** Pipelines over the collection of events. */
export const PIPELINES_OF_PEOPLE: PersonQueries<EventPipeline> = {
  visitorsOf: (scope, { limit, after }) => [
    { $match: { ...scopeFilter(scope), profile_id: scope.profileId, $or: behind(after) } },
    { $group: { _id: GROUPED_BY_VISITOR, keyed: { $max: IS_KEYED } } },
    { $sort: { '_id.anonymous_id': 1, '_id.website_id': 1 } },
    { $limit: limit },
    { $project: { ...VISITOR, keyed: 1 } },
  ],
  keyedToOthersOf: ({ organizationId, profileId, without = [] }, visitors) => [
    {
      $match: {
        ...(without.length === 0 ? {} : { website_id: { $nin: [...without] } }),
        organization_id: organizationId,
        profile_id: { $nin: [null, profileId] },
        is_keyless: { $ne: true },
        $or: anyOf(visitors.map(ofVisitors)),
      },
    },
    { $group: { _id: GROUPED_BY_VISITOR } },
    { $project: VISITOR },
  ],
  countsOf: (scope, unnamed) => {
    const { everywhere, onWebsites: onOne } = takenApart(unnamed);
    const visitors = [{ anonymous_id: { $in: everywhere } }, ...onOne.map(ofVisitors)];
    const isUnnamed = visitors.map((which) => ({ profile_id: null, ...which }));
    return [
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
    ];
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
function scopeFilter({ organizationId, websiteIds, without = [] }: PersonScope) {
  const some = websiteIds === null ? {} : { $in: [...websiteIds] };
  const others = without.length === 0 ? {} : { $nin: [...without] };
  const websites = { ...some, ...others };
  return {
    ...(Object.keys(websites).length === 0 ? {} : { website_id: websites }),
    organization_id: organizationId,
  };
}
