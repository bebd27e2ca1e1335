/** The panels of a website's overview and the lists in each: which dataset, by which columns, and what a row's name is. */

/** What the names of a list are, so that they are shown in the reader's language where they have one. */
export type NameKind = 'text' | 'country' | 'place' | 'language' | 'device';

export interface List {
  /** Its dataset; in the address it stands for the tab, too. */
  readonly dataset: string;
  readonly kind: NameKind;
  /** Columns of the two numbers, the one that the list is ordered by first. */
  readonly columns: readonly [string, string];
  /** The row that the list leaves out, because it is no answer to its question. */
  readonly leavesOut?: 'Direct' | 'Unknown';
}

export interface Panel {
  /** Its name in the address and in the texts. */
  readonly key: 'pages' | 'referrers' | 'places' | 'devices' | 'campaigns' | 'events';
  readonly lists: readonly [List, ...List[]];
}

const PAGEVIEWS = ['pageviews', 'visitors'] as const;
const list = (dataset: string, kind: NameKind = 'text', leavesOut?: List['leavesOut']): List => ({
  dataset,
  kind,
  columns: PAGEVIEWS,
  leavesOut,
});
const campaign = (dataset: string): List => list(dataset, 'text', 'Unknown');

/** What the map shows, too. */
export const COUNTRIES = list('countries', 'country');

export const PANELS: readonly Panel[] = [
  { key: 'pages', lists: [list('top_pages'), list('entry_pages'), list('exit_pages')] },
  { key: 'referrers', lists: [list('top_referrers', 'text', 'Direct')] },
  { key: 'places', lists: [COUNTRIES, list('regions', 'place'), list('cities', 'place')] },
  {
    key: 'devices',
    lists: [
      list('browser_name'),
      list('os_name'),
      list('device_types', 'device'),
      list('screen_resolutions'),
      list('language', 'language'),
    ],
  },
  {
    key: 'campaigns',
    lists: [
      campaign('utm_sources'),
      campaign('utm_mediums'),
      campaign('utm_campaigns'),
      campaign('utm_terms'),
      campaign('utm_content'),
    ],
  },
  {
    key: 'events',
    lists: [{ dataset: 'custom_events', kind: 'text', columns: ['total_events', 'unique_users'] }],
  },
];

/** The list of a panel that an address opens, else its first. */
export function listOf(panel: Panel, dataset: string | undefined): List {
  return panel.lists.find((each) => each.dataset === dataset) ?? panel.lists[0];
}
