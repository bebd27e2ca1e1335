/** What the screen of speed asks: every vital of the range, the chosen one over time, and the list of each of its tabs. */
import type { Listing, ListingColumn } from '../../drill/listing.ts';
import { narrowedFields } from '../../drill/narrowed-fields.ts';
import type { Series } from '../../drill/series.ts';
import type { Question, Scene } from '../../website/scene.ts';
import { RATINGS, type Vital } from './vitals.ts';

export const TABS = ['pages', 'devices', 'countries', 'load'] as const;
export type Tab = (typeof TABS)[number];

const LOAD: Listing = {
  dataset: 'performance',
  sort: '-pageviews',
  searched: ['name'],
  columns: [
    { key: 'name', kind: 'text', dimension: 'path' },
    { key: 'pageviews', kind: 'count' },
    { key: 'visitors', kind: 'count' },
    { key: 'p50_load_time', kind: 'milliseconds' },
    { key: 'p95_load_time', kind: 'milliseconds' },
    { key: 'p99_load_time', kind: 'milliseconds' },
    { key: 'avg_load_time', kind: 'milliseconds' },
    { key: 'avg_ttfb', kind: 'milliseconds' },
  ],
};

const ofVital = ({ name }: Vital): readonly object[] => [{ field: 'metric_name', op: 'eq', value: name }];

/** The chosen vital by a dimension of events. */
function groupedBy(vital: Vital, column: ListingColumn): Listing {
  return {
    id: column.key,
    dataset: 'web_vitals',
    groupBy: [column.key],
    where: ofVital(vital),
    sort: '-samples',
    columns: [
      column,
      { key: 'samples', kind: 'count' },
      { key: 'p75', kind: vital.kind },
      ...RATINGS.map((key): ListingColumn => ({ key, kind: 'percent' })),
    ],
  };
}

export function speedListing(tab: Tab, vital: Vital): Listing {
  if (tab === 'load') return LOAD;
  if (tab === 'devices') {
    return groupedBy(vital, { key: 'device_type', kind: 'text', names: 'device', dimension: 'device' });
  }
  if (tab === 'countries') {
    const names = { names: 'country', codeFrom: 'country' } as const;
    return groupedBy(vital, { key: 'country', kind: 'text', ...names, dimension: 'country' });
  }
  return {
    dataset: 'web_vitals_by_page',
    where: ofVital(vital),
    sort: '-samples',
    searched: ['name'],
    columns: [
      { key: 'name', kind: 'text', dimension: 'path' },
      { key: 'samples', kind: 'count' },
      { key: 'p75', kind: vital.kind },
    ],
  };
}

export const vitalsQuestion = (scene: Scene): Question => ({
  id: 'vitals',
  parameters: ['web_vitals'],
  ...narrowedFields(scene),
});

export const seriesOf = ({ kind }: Vital): Series => ({
  dataset: 'vitals_over_time',
  columns: [
    { key: 'p75', kind, needs: 'samples' },
    { key: 'samples', kind: 'count' },
    ...RATINGS.map((key) => ({ key, kind: 'percent', needs: 'samples' }) as const),
  ],
});

export const seriesQuestion = (scene: Scene, vital: Vital): Question => ({
  id: 'series',
  parameters: ['vitals_over_time'],
  ...narrowedFields(scene, ofVital(vital)),
  granularity: scene.granularity,
});
