/** The panels of a website's overview and the lists in each: which dataset, by which columns, and what a row's name is. */
import type { DimensionName, NameKind } from '../../website/dimensions.ts';

export interface List {
  /** Its dataset; in the address it stands for the tab, too. */
  readonly dataset: string;
  readonly kind: NameKind;
  /** What a click on a row filters by; absent: a row leads to a screen of its own. */
  readonly dimension?: DimensionName;
  /** Columns of the two numbers, the one that the list is ordered by first. */
  readonly columns: readonly [string, string];
  /** Column of the percent; absent: `percentage`. */
  readonly percent?: string;
  /** The row that the list leaves out, because it is no answer to its question. */
  readonly leavesOut?: 'Unknown';
}

export interface Panel {
  /** Its name in the address and in the texts. */
  readonly key: 'pages' | 'sources' | 'places' | 'devices' | 'campaigns' | 'events' | 'goals';
  readonly lists: readonly [List, ...List[]];
}

const PAGEVIEWS = ['pageviews', 'visitors'] as const;
const SESSIONS = ['sessions', 'visitors'] as const;
const list = (dataset: string, dimension: DimensionName, kind: NameKind = 'text'): List => ({
  dataset,
  kind,
  dimension,
  columns: PAGEVIEWS,
});
/** What sessions came by: what a later page of a session says does not count. */
const came = (dataset: string, dimension: DimensionName, more: Partial<List> = {}): List => ({
  dataset,
  kind: 'text',
  dimension,
  columns: SESSIONS,
  ...more,
});
const campaign = (dataset: string, dimension: DimensionName): List =>
  came(dataset, dimension, { leavesOut: 'Unknown' });

/** What the map shows, too. */
export const COUNTRIES = list('countries', 'country', 'country');

/** The first ones, in their order; their own screen has all. */
export const GOALS: List = {
  dataset: 'goals',
  kind: 'text',
  columns: ['visitors', 'conversions'],
  percent: 'conversion_rate',
};

export const PANELS: readonly Panel[] = [
  {
    key: 'pages',
    lists: [list('top_pages', 'path'), list('entry_pages', 'entry_path'), list('exit_pages', 'exit_path')],
  },
  {
    key: 'sources',
    lists: [
      came('session_channels', 'channel', { kind: 'channel' }),
      came('session_sources', 'source', { kind: 'source' }),
      came('session_referrers', 'referrer', { kind: 'source' }),
    ],
  },
  {
    key: 'places',
    lists: [COUNTRIES, list('regions', 'region', 'place'), list('cities', 'city', 'place')],
  },
  {
    key: 'devices',
    lists: [
      list('browser_name', 'browser'),
      list('os_name', 'os'),
      list('device_types', 'device', 'device'),
      list('screen_resolutions', 'screen'),
      list('language', 'language', 'language'),
    ],
  },
  {
    key: 'campaigns',
    lists: [
      campaign('session_utm_campaigns', 'utm_campaign'),
      campaign('session_utm_sources', 'utm_source'),
      campaign('session_utm_mediums', 'utm_medium'),
      campaign('session_utm_terms', 'utm_term'),
      campaign('session_utm_contents', 'utm_content'),
    ],
  },
  {
    key: 'events',
    lists: [
      {
        dataset: 'custom_events',
        kind: 'text',
        dimension: 'event',
        columns: ['total_events', 'unique_users'],
      },
    ],
  },
  { key: 'goals', lists: [GOALS] },
];

/** Those that nobody put away. */
export function shownPanels(away: { has(key: string): boolean }): readonly Panel[] {
  return PANELS.filter(({ key }) => !away.has(key));
}

/** The list of a panel that an address opens, else its first. */
export function listOf(panel: Panel, dataset: string | undefined): List {
  return panel.lists.find((each) => each.dataset === dataset) ?? panel.lists[0];
}
