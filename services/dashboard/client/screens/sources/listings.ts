/** What the screen of sources asks: totals of the sessions, and the list of each of its tabs, with what reached a goal. */
import type { Listing, ListingColumn } from '../../drill/listing.ts';
import { narrowedFields } from '../../drill/narrowed-fields.ts';
import type { Total } from '../../drill/total.ts';
import type { DimensionName } from '../../website/dimensions.ts';
import type { Question, Scene } from '../../website/scene.ts';

export const TABS = ['channels', 'sources', 'referrers', 'campaigns', 'entries'] as const;
export type Tab = (typeof TABS)[number];

/** What a link may say of its campaign; the first is shown unless the address names another one. */
export const CAMPAIGN_PARTS = ['campaign', 'source', 'medium', 'term', 'content'] as const;
export type CampaignPart = (typeof CAMPAIGN_PARTS)[number];

const NAMES: Readonly<Record<Exclude<Tab, 'campaigns'>, readonly [string, ListingColumn]>> = {
  channels: [
    'session_channels',
    { key: 'name', kind: 'text', names: 'channel', dimension: 'channel', missing: '' },
  ],
  sources: [
    'session_sources',
    { key: 'name', kind: 'text', names: 'source', dimension: 'source', missing: 'Direct' },
  ],
  referrers: [
    'session_referrers',
    { key: 'name', kind: 'text', names: 'source', dimension: 'referrer', missing: 'Direct' },
  ],
  entries: ['session_entry_pages', { key: 'name', kind: 'text', dimension: 'entry_path' }],
};

const campaign = (part: CampaignPart): readonly [string, ListingColumn] => {
  const dimension: DimensionName = `utm_${part}`;
  return [`session_utm_${part}s`, { key: 'name', kind: 'text', dimension }];
};

/** `goalId`: the goal whose conversions stand in the list; undefined: none. */
export function sourceListing(tab: Tab, part: CampaignPart, goalId: string | undefined): Listing {
  const [dataset, name] = tab === 'campaigns' ? campaign(part) : NAMES[tab];
  const ofGoal: readonly ListingColumn[] = [
    { key: 'conversions', kind: 'count' },
    { key: 'revenue', kind: 'decimal' },
  ];
  return {
    dataset,
    sort: '-sessions',
    searched: ['name'],
    ...(goalId !== undefined && { arguments: { goalId } }),
    columns: [
      name,
      { key: 'sessions', kind: 'count' },
      { key: 'visitors', kind: 'count' },
      { key: 'bounce_rate', kind: 'percent' },
      { key: 'median_session_duration', kind: 'duration' },
      ...(goalId === undefined ? [] : ofGoal),
      { key: 'percentage', kind: 'percent' },
    ],
  };
}

const SESSIONS: readonly Total[] = [
  { dataset: 'summary_metrics', key: 'sessions', kind: 'count' },
  { dataset: 'summary_metrics', key: 'visitors', kind: 'count' },
  { dataset: 'summary_metrics', key: 'bounce_rate', kind: 'percent', needs: 'sessions' },
  { dataset: 'summary_metrics', key: 'median_session_duration', kind: 'duration', needs: 'sessions' },
];
const OF_GOAL: readonly Total[] = [
  { dataset: 'goals', key: 'conversions', kind: 'count' },
  {
    ...{ dataset: 'goals', key: 'conversion_rate', kind: 'percent' },
    ...{ needs: 'visitors', needsOf: 'summary_metrics' },
  },
  { dataset: 'goals', key: 'revenue', kind: 'decimal' },
];

export const totalsOf = (goalId: string | undefined): readonly Total[] =>
  goalId === undefined ? SESSIONS : [...SESSIONS, ...OF_GOAL];

/** The goal is asked for by its row, which tells its name too. */
export function totalsQuestion(scene: Scene, goalId: string | undefined): Question {
  const ofGoal = goalId === undefined ? [] : [{ name: 'goals', goalId }];
  return { id: 'totals', parameters: ['summary_metrics', ...ofGoal], ...narrowedFields(scene) };
}
