/** The load times of the page itself, in whole milliseconds since the visitor requested it. */

type Timing = PerformanceNavigationTiming & { readonly activationStart?: number };

/** Milliseconds from the page's start, which is later for a prerendered page, to a mark; never negative. */
export function sinceStart(mark: number): number {
  return Math.max(0, Math.round(mark - (navigationTiming()?.activationStart ?? 0)));
}

/** The browser's measurements; undefined where it has none. */
export function navigationTiming(): Timing | undefined {
  return performance.getEntriesByType('navigation')[0] as Timing | undefined;
}
