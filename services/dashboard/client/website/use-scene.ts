/** The scene that the address says, and how each part of it is changed. */
import { useAddress } from '../address.ts';
import { timezone } from '../texts/format.ts';
import { dayIn } from './calendar.ts';
import {
  type Granularity,
  granularitiesOf,
  granularityOf,
  type Range,
  rangeOf,
  rangeParameters,
} from './range.ts';
import type { Scene } from './scene.ts';
import { type Comparison, comparisonOf, comparisonParameters } from './scene-comparison.ts';
import { type Filter, filtersOf, filtersText } from './scene-filters.ts';

/** A scene that somebody looks at, and how each part of it is changed. */
export interface SceneView extends Scene {
  /** The date in the organization's time zone. */
  readonly today: string;
  readonly granularities: readonly Granularity[];
  /** Another range; the granularity that suits it is found anew, unless one is named. */
  showRange(range: Range, granularity?: Granularity): void;
  showGranularity(granularity: Granularity): void;
  showFilters(filters: readonly Filter[]): void;
  showComparison(comparison: Comparison | undefined): void;
}

export function useScene(websiteId: string): SceneView {
  const { parameters, change } = useAddress();
  const zone = timezone.value;
  const today = dayIn(zone, Date.now());
  const range = rangeOf(parameters);
  return {
    websiteId,
    timezone: zone,
    range,
    today,
    granularity: granularityOf(parameters.by, range, today),
    granularities: granularitiesOf(range, today),
    filters: filtersOf(parameters.filters),
    comparison: comparisonOf(parameters),
    showRange: (next, by) => change({ ...rangeParameters(next), by, page: undefined }),
    showGranularity: (by) => change({ by }),
    showFilters: (next) => change({ filters: filtersText(next), page: undefined }),
    showComparison: (next) => change(comparisonParameters(next)),
  };
}
