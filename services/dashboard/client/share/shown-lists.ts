/** What the page of a share draws by its own means: totals, the line over time, and lists in groups. What else is shared stands there as a plain table. */

/** The dataset of the totals, and that of the line over time. */
export const TOTALS = 'summary_metrics';
export const SERIES = 'summary';

/** What the names of a list are, so that they are shown in the reader's language where they have one. */
export type NameKind = 'text' | 'country' | 'place' | 'language' | 'device' | 'source';

export interface ShareList {
  readonly dataset: keyof typeof LISTS;
  readonly kind: NameKind;
  /** Columns of the two numbers, the one that the list is ordered by first. */
  readonly columns: readonly [string, string];
  /** The row that the list leaves out, because it is no answer to its question. */
  readonly leavesOut?: string;
}

const VIEWS = ['pageviews', 'visitors'] as const;

/** By dataset: the group, and what differs from a list of texts by pageviews. */
const LISTS = {
  top_pages: { group: 'pages' },
  entry_pages: { group: 'pages' },
  exit_pages: { group: 'pages' },
  traffic_sources: { group: 'referrers', kind: 'source' },
  top_referrers: { group: 'referrers', leavesOut: 'Direct' },
  countries: { group: 'places', kind: 'country' },
  regions: { group: 'places', kind: 'place' },
  cities: { group: 'places', kind: 'place' },
  browser_name: { group: 'devices' },
  os_name: { group: 'devices' },
  device_types: { group: 'devices', kind: 'device' },
  screen_resolutions: { group: 'devices' },
  language: { group: 'devices', kind: 'language' },
  utm_sources: { group: 'campaigns', leavesOut: 'Unknown' },
  utm_mediums: { group: 'campaigns', leavesOut: 'Unknown' },
  utm_campaigns: { group: 'campaigns', leavesOut: 'Unknown' },
  utm_terms: { group: 'campaigns', leavesOut: 'Unknown' },
  utm_content: { group: 'campaigns', leavesOut: 'Unknown' },
  custom_events: { group: 'events', columns: ['total_events', 'unique_users'] },
} as const satisfies Record<string, Partial<Omit<ShareList, 'dataset'>> & { group: string }>;

export type ListGroup = (typeof LISTS)[keyof typeof LISTS]['group'];

export interface ShareGroup {
  readonly key: ListGroup;
  readonly lists: readonly ShareList[];
}

/** The groups in the order in which they are drawn. */
export const GROUPS: readonly ShareGroup[] = Object.keys(LISTS).reduce<
  { key: ListGroup; lists: ShareList[] }[]
>((groups, name) => {
  const dataset = name as keyof typeof LISTS;
  const { group, ...own } = LISTS[dataset];
  const list: ShareList = { kind: 'text', columns: VIEWS, ...own, dataset };
  const last = groups.at(-1);
  if (last?.key === group) last.lists.push(list);
  else groups.push({ key: group, lists: [list] });
  return groups;
}, []);

/** Every dataset that the page draws by its own means. */
export const DRAWN: readonly string[] = [TOTALS, SERIES, ...Object.keys(LISTS)];
