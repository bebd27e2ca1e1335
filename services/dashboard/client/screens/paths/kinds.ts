/** What people define of a website, goals and funnels, and where the API has them. */
import type { FunnelView, GoalView } from '../../api/wire.ts';

/** As many as the API lists, and counts, at once. */
export const MOST = 100;

export interface Kinds {
  readonly goals: GoalView;
  readonly funnels: FunnelView;
}

/** The goals of a website in their order, as many as are counted at once. */
export const goalsRequest = (websiteId: string) => ({
  path: '/v1/goals',
  query: { website_id: websiteId, sort: 'position', limit: MOST },
});

/** The path of one of them. */
export const pathOf = (kind: keyof Kinds, id: string): string => `/v1/${kind}/${encodeURIComponent(id)}`;
