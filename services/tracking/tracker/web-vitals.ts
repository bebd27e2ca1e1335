/** The web vitals of the page as it was loaded (https://web.dev/articles/vitals), complete when it is first hidden. */
import { guard } from './guard.ts';
import { navigationTiming, sinceStart } from './navigation-timing.ts';

/** Shifts belong together when they are less than the one time apart, and within the other from first to last. */
const SHIFT_GAP_MS = 1_000;
const SHIFT_WINDOW_MS = 5_000;
/** Shorter interactions do not matter; browsers report from 16 ms. */
const LEAST_INTERACTION_MS = 40;
/** Of this many interactions, the slowest one is ignored as an outlier. */
const INTERACTIONS_PER_OUTLIER = 50;

/** The fields of the observed entries; the DOM's types lack the newer kinds. */
type Entry = PerformanceEntry & { hadRecentInput?: boolean; value?: number; interactionId?: number };

/** Starts to measure; returns a function that reports each available metric once. */
export function measureVitals(report: (metricName: string, metricValue: number) => void): () => void {
  // What is painted in a hidden tab does not count.
  const isSeen = document.visibilityState === 'visible';
  const values = new Map<string, number>();
  const timing = navigationTiming();
  if (timing?.responseStart) values.set('TTFB', sinceStart(timing.responseStart));

  if (isSeen) {
    observe('paint', ({ name, startTime }) => {
      if (name === 'first-contentful-paint') values.set('FCP', sinceStart(startTime));
    });
    observe('largest-contentful-paint', ({ startTime }) => values.set('LCP', sinceStart(startTime)));
  }

  let shift = 0;
  let firstShiftMs = 0;
  let lastShiftMs = 0;
  const seesShifts = observe('layout-shift', ({ hadRecentInput, startTime, value = 0 }) => {
    if (hadRecentInput) return;
    const goesOn = startTime - lastShiftMs < SHIFT_GAP_MS && startTime - firstShiftMs < SHIFT_WINDOW_MS;
    if (!goesOn) {
      firstShiftMs = startTime;
      shift = 0;
    }
    lastShiftMs = startTime;
    shift += value;
    values.set('CLS', Math.max(values.get('CLS') ?? 0, Math.round(shift * 10_000) / 10_000));
  });
  // Only a browser that observes shifts can say that there were none; entries come later.
  if (seesShifts) values.set('CLS', 0);

  const interactions = new Map<number, number>();
  observe('event', ({ interactionId, duration }) => {
    if (!interactionId) return;
    interactions.set(interactionId, Math.max(interactions.get(interactionId) ?? 0, duration));
    const slowest = [...interactions.values()].sort((a, b) => b - a);
    values.set('INP', slowest[Math.floor(slowest.length / INTERACTIONS_PER_OUTLIER)] ?? 0);
  });

  return () => {
    for (const [name, value] of values) report(name, value);
    values.clear();
  };
}

/**
 * Calls `take` with each entry of a kind, including earlier ones; returns false, and never calls it, if the browser does
 * not know the kind.
 */
function observe(type: string, take: (entry: Entry) => void): boolean {
  const isKnown = PerformanceObserver.supportedEntryTypes.includes(type);
  if (isKnown) {
    const options = { type, buffered: true, durationThreshold: LEAST_INTERACTION_MS };
    new PerformanceObserver(guard((list) => list.getEntries().forEach(take))).observe(options);
  }
  return isKnown;
}
