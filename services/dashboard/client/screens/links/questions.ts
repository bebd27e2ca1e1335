/** What the screens of links ask: the list, the clicks of all its links in one call, and everything about the clicks of one link in another. */
import type { Request } from '../../api/answer.ts';
import { type Granularity, type Range, rangeFields } from '../../website/range.ts';

/** As many links as a page of the list has, and a question about their clicks. */
export const PAGE = 50;
/** Rows of a list before all are asked for. */
export const FEW = 10;
/** As many rows as the API answers, less one that tells whether there are more. */
export const MOST = 9_999;
const TOTALS = 'link_totals';

/** The range of the list's clicks: links live long, and a list is looked at for what goes on. */
export const LIST_RANGE: Range = { preset: 'last_30d' };

/** A list of what clicks are made of; in the address and in the texts it has its own name. */
export interface TopList {
  readonly dataset: string;
  readonly name: 'countries' | 'cities' | 'types' | 'browsers' | 'hosts';
  readonly kind: 'country' | 'place' | 'device' | 'text' | 'source';
}

type Lists = readonly [TopList, ...TopList[]];

/** The panels of a link, each with its lists; the first is open. */
export const PANELS: Readonly<Record<'places' | 'devices' | 'referrers', Lists>> = {
  places: [
    { dataset: 'link_top_countries', name: 'countries', kind: 'country' },
    { dataset: 'link_top_cities', name: 'cities', kind: 'place' },
  ],
  devices: [
    { dataset: 'link_top_devices', name: 'types', kind: 'device' },
    { dataset: 'link_top_browsers', name: 'browsers', kind: 'text' },
  ],
  referrers: [{ dataset: 'link_top_referrers', name: 'hosts', kind: 'source' }],
};
export type PanelName = keyof typeof PANELS;

export type ListQuery = Readonly<Record<'search' | 'sort' | 'cursor', string | undefined>>;

export function listRequest(query: ListQuery): Request {
  return { path: '/v1/links', query: { ...query, limit: PAGE } };
}

export const pathOf = (id: string): string => `/v1/links/${encodeURIComponent(id)}`;

/** The clicks of each of these links; one without a click has no row in the answer. */
export function totalsRequest(ids: readonly string[], timezone: string): Request {
  const filters = [{ field: 'link_id', op: 'in', value: ids }];
  const body = [{ parameters: [TOTALS], ...rangeFields(LIST_RANGE), filters, limit: PAGE }];
  return { method: 'POST', path: '/v1/query', query: { timezone }, body };
}

/** What every question about one link says. */
export interface LinkScene {
  readonly linkId: string;
  readonly timezone: string;
  readonly range: Range;
  readonly granularity: Granularity;
}

function ask({ linkId, timezone }: LinkScene, body: readonly object[]): Request {
  return { method: 'POST', path: '/v1/query', query: { link_id: linkId, timezone }, body };
}

/** All that the screen of a link shows. */
export function clicksRequest(scene: LinkScene): Request {
  const range = rangeFields(scene.range);
  const lists = Object.values(PANELS).flatMap((panel) => panel.map(({ dataset }) => dataset));
  return ask(scene, [
    { parameters: [TOTALS, 'link_clicks_by_day'], ...range, granularity: scene.granularity },
    { parameters: lists, ...range, limit: FEW + 1 },
  ]);
}

/** The clicks over time alone, for the line that copies it. */
export function seriesRequest(scene: LinkScene): Request {
  return ask(scene, [
    { parameters: ['link_clicks_by_day'], ...rangeFields(scene.range), granularity: scene.granularity },
  ]);
}

/** One list alone, with `rows` rows and one that tells whether there are more. */
export function topRequest(scene: LinkScene, { dataset }: TopList, rows: number): Request {
  return ask(scene, [{ parameters: [dataset], ...rangeFields(scene.range), limit: rows + 1 }]);
}
