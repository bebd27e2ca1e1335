/** What the screen of events asks: all custom events, one of them, or the links that led out. */
import type { Listing } from '../../drill/listing.ts';
import { narrowedFields } from '../../drill/narrowed-fields.ts';
import type { Series } from '../../drill/series.ts';
import type { Total } from '../../drill/total.ts';
import { type DatasetRow, textOf } from '../../website/batch.ts';
import { type DimensionName, isDimension } from '../../website/dimensions.ts';
import type { Question, Scene } from '../../website/scene.ts';

export const TABS = ['events', 'outbound'] as const;

/** Rows of lists that stand below each other. */
const FEW_ROWS = 20;

export const EVENTS: Listing = {
  dataset: 'custom_events',
  sort: '-total_events',
  searched: ['name'],
  columns: [
    { key: 'name', kind: 'text' },
    { key: 'total_events', kind: 'count' },
    { key: 'unique_users', kind: 'count' },
    { key: 'unique_sessions', kind: 'count' },
    { key: 'percentage', kind: 'percent' },
    { key: 'first_occurrence', kind: 'instant' },
    { key: 'last_occurrence', kind: 'instant' },
  ],
};

export const OUTBOUND_LINKS: Listing = {
  dataset: 'outbound_links',
  sort: '-total_clicks',
  searched: ['href', 'text'],
  columns: [
    { key: 'href', kind: 'text', dimension: 'href' },
    { key: 'text', kind: 'text' },
    { key: 'total_clicks', kind: 'count' },
    { key: 'unique_users', kind: 'count' },
    { key: 'unique_sessions', kind: 'count' },
    { key: 'percentage', kind: 'percent' },
    { key: 'last_clicked', kind: 'instant' },
  ],
};

export const OUTBOUND_HOSTS: Listing = {
  dataset: 'outbound_domains',
  sort: '-total_clicks',
  rows: FEW_ROWS,
  columns: [
    { key: 'domain', kind: 'text', dimension: 'href_host' },
    { key: 'total_clicks', kind: 'count' },
    { key: 'unique_users', kind: 'count' },
    { key: 'unique_links', kind: 'count' },
    { key: 'percentage', kind: 'percent' },
  ],
};

/** The lists about one event. */
export interface OpenedListings {
  readonly paths: Listing;
  readonly properties: Listing;
  readonly latest: Listing;
}

/** The events of one name alone; undefined: all. */
export const ofEvent = (name: string | undefined): readonly object[] =>
  name === undefined ? [] : [{ field: 'event_name', op: 'eq', value: name }];

export function openedListings(name: string): OpenedListings {
  const shared = { where: ofEvent(name), rows: FEW_ROWS };
  return {
    paths: {
      ...shared,
      dataset: 'custom_events_by_path',
      sort: '-total_events',
      columns: [
        { key: 'name', kind: 'text', dimension: 'path' },
        { key: 'total_events', kind: 'count' },
        { key: 'unique_users', kind: 'count' },
      ],
    },
    properties: {
      ...shared,
      dataset: 'custom_event_properties',
      sort: '-count',
      searched: ['property_key', 'property_value'],
      columns: [
        { key: 'property_key', kind: 'text' },
        { key: 'property_value', kind: 'text', dimension: propertyOf, missing: '' },
        { key: 'count', kind: 'count' },
      ],
    },
    latest: {
      ...shared,
      dataset: 'custom_events_recent',
      isUncompared: true,
      sort: '-timestamp',
      columns: [
        { key: 'timestamp', kind: 'instant' },
        { key: 'path', kind: 'text', dimension: 'path' },
        { key: 'anonymous_id', kind: 'text', dimension: 'visitor' },
        { key: 'properties', kind: 'text', isUnsorted: true },
      ],
    },
  };
}

/** The dimension of a property's value; undefined: the key is no name of one. */
function propertyOf(row: DatasetRow): DimensionName | undefined {
  const name = `properties.${textOf(row, 'property_key')}`;
  return isDimension(name) && textOf(row, 'property_value') !== '' ? name : undefined;
}

const total = (key: string): Total => ({ dataset: 'custom_events_summary', key, kind: 'count' });
export const TOTALS: readonly Total[] = [
  total('total_events'),
  total('unique_users'),
  total('unique_sessions'),
  total('unique_pages'),
];
export const TOTALS_OF_ALL: readonly Total[] = [...TOTALS, total('unique_event_types')];

export const SERIES: Series = {
  dataset: 'custom_events_trends',
  columns: [
    { key: 'total_events', kind: 'count' },
    { key: 'unique_users', kind: 'count' },
    { key: 'unique_sessions', kind: 'count' },
  ],
};

/** `name`: of the event alone; absent: of all. */
export const totalsQuestion = (scene: Scene, name?: string): Question => ({
  id: 'totals',
  parameters: ['custom_events_summary'],
  ...narrowedFields(scene, ofEvent(name)),
});

export const seriesQuestion = (scene: Scene, name?: string): Question => ({
  id: 'series',
  parameters: ['custom_events_trends'],
  ...narrowedFields(scene, ofEvent(name)),
  granularity: scene.granularity,
});
