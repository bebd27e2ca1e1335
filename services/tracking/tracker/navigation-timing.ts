/** When the page itself came, in whole milliseconds since the visitor asked for it. */

type Timing = PerformanceNavigationTiming & { readonly activationStart?: number };

/** Milliseconds from the page's start, which a page made ready before it is shown has later, to a mark; none are negative. */
export function sinceStart(mark: number): number {
  return Math.max(0, Math.round(mark - (navigationTiming()?.activationStart ?? 0)));
}

/** What the browser measured; undefined where it measures nothing. */
export function navigationTiming(): Timing | undefined {
  return performance.getEntriesByType('navigation')[0] as Timing | undefined;
}
