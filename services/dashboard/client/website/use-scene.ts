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
  stepped,
} from './range.ts';
import type { Scene } from './scene.ts';
import { type Comparison, comparisonOf, comparisonParameters } from './scene-comparison.ts';
import { type Filter, filtersOf, filtersText, withFilter } from './scene-filters.ts';

/** A scene that somebody looks at, and how each part of it is changed. */
export interface SceneView extends Scene {
  /** The date in the organization's time zone. */
  readonly today: string;
  readonly granularities: readonly Granularity[];
  /** Another range; the granularity that suits it is found anew, unless one is named. */
  showRange(range: Range, granularity?: Granularity): void;
  /** The range of the same length before (-1) or after (1) the one that the address has now. */
  stepRange(by: -1 | 1): void;
  showGranularity(granularity: Granularity): void;
  showFilters(filters: readonly Filter[]): void;
  /** Adds to the filters that the address has now: what draws a part of a screen may hold earlier ones. */
  addFilters(added: readonly Filter[]): void;
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
    stepRange: (by) =>
      change((now) => {
        const next = stepped(rangeOf(now), by, today, Date.now());
        return next === null ? {} : { ...rangeParameters(next), by: undefined, page: undefined };
      }),
    showGranularity: (by) => change({ by }),
    showFilters: (next) => change({ filters: filtersText(next), page: undefined }),
    addFilters: (added) =>
      change(({ filters }) => ({
        filters: filtersText(added.reduce(withFilter, filtersOf(filters))),
        page: undefined,
      })),
    showComparison: (next) => change(comparisonParameters(next)),
  };
}
