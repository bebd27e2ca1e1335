/** What the page of a share draws by its own means: totals, the line over time, and lists in groups. What else is shared stands there as a plain table. */
import type { NameKind } from '../website/dimensions.ts';

/** The dataset of the totals, and that of the line over time. */
export const TOTALS = 'summary_metrics';
export const SERIES = 'summary';

export interface ShareList {
  readonly dataset: keyof typeof LISTS;
  readonly kind: NameKind;
  /** Columns of the two numbers, the one that the list is ordered by first. */
  readonly columns: readonly [string, string];
  /** What the first number counts. */
  readonly unit: 'pageviews' | 'sessions' | 'events';
  /** The row that the list leaves out, because it is no answer to its question. */
  readonly leavesOut?: string;
}

const VIEWS = ['pageviews', 'visitors'] as const;
const OF_EDGE = { group: 'pages', unit: 'sessions' } as const;
/** What sessions came by, as the dashboard shows it. */
const CAME = { columns: ['sessions', 'visitors'], unit: 'sessions' } as const;
const CAMPAIGN = { ...CAME, group: 'campaigns', leavesOut: 'Unknown' } as const;
/** What single pageviews say, the later ones of a session too: shown where a share has it, and offered to no other. */
const VIEW_CAMPAIGN = { group: 'viewCampaigns', leavesOut: 'Unknown', isOld: true } as const;

/** By dataset: the group, and what differs from a list of texts by pageviews. */
const LISTS = {
  top_pages: { group: 'pages' },
  entry_pages: OF_EDGE,
  exit_pages: OF_EDGE,
  session_channels: { ...CAME, group: 'sources', kind: 'channel' },
  session_sources: { ...CAME, group: 'sources', kind: 'source' },
  session_referrers: { ...CAME, group: 'sources', kind: 'source' },
  traffic_sources: { group: 'viewSources', kind: 'channel', isOld: true },
  top_referrers: { group: 'viewSources', leavesOut: 'Direct', isOld: true },
  countries: { group: 'places', kind: 'country' },
  regions: { group: 'places', kind: 'place' },
  cities: { group: 'places', kind: 'place' },
  browser_name: { group: 'devices' },
  os_name: { group: 'devices' },
  device_types: { group: 'devices', kind: 'device' },
  screen_resolutions: { group: 'devices' },
  language: { group: 'devices', kind: 'language' },
  session_utm_campaigns: CAMPAIGN,
  session_utm_sources: CAMPAIGN,
  session_utm_mediums: CAMPAIGN,
  session_utm_terms: CAMPAIGN,
  session_utm_contents: CAMPAIGN,
  utm_campaigns: VIEW_CAMPAIGN,
  utm_sources: VIEW_CAMPAIGN,
  utm_mediums: VIEW_CAMPAIGN,
  utm_terms: VIEW_CAMPAIGN,
  utm_content: VIEW_CAMPAIGN,
  custom_events: { group: 'events', columns: ['total_events', 'unique_users'], unit: 'events' },
} as const satisfies Record<string, Partial<Omit<ShareList, 'dataset'>> & { group: string; isOld?: true }>;

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
  const list: ShareList = { kind: 'text', columns: VIEWS, unit: 'pageviews', ...own, dataset };
  const last = groups.at(-1);
  if (last?.key === group) last.lists.push(list);
  else groups.push({ key: group, lists: [list] });
  return groups;
}, []);

/** Every dataset that the page draws by its own means. */
export const DRAWN: readonly string[] = [TOTALS, SERIES, ...Object.keys(LISTS)];

/** Whether a new share is offered this: what a list of sessions answers better is left to shares that have it. */
export const isOffered = (dataset: string): boolean =>
  DRAWN.includes(dataset) && !('isOld' in (LISTS[dataset as keyof typeof LISTS] ?? {}));
