/** Page views, including navigation within the page, and how each ended: time, depth, interactions. */
import { guard, on } from './guard.ts';
import { navigationTiming, sinceStart } from './navigation-timing.ts';
import { LONGEST_URL, pageKey, pageUrl } from './page-url.ts';
import type { TrackedEvent } from './sender.ts';

/** How long after navigating pages set their title, in milliseconds. */
const TITLE_AFTER_MS = 300;
const LONGEST_TITLE = 512;

/** Reports an event whose fields extend or replace those common to all; returns that event. */
type Report = (fields: TrackedEvent) => TrackedEvent;

export interface PageViews {
  /** The page is visible, again or for the first time; returns its event. */
  enter(referrer: string): TrackedEvent;
  /** The page is no longer visible; what happens until the next view counts for no view. */
  exit(): void;
}

export function createPageViews(report: Report, usesHash: boolean): PageViews {
  let view: TrackedEvent | undefined;
  let url = '';
  let startedMs = 0;
  let depth = 0;
  let interactions = 0;

  function enter(referrer: string): TrackedEvent {
    url = pageUrl(usesHash);
    startedMs = performance.now();
    depth = interactions = 0;
    const entered = report({
      type: 'screen_view',
      referrer: referrer.slice(0, LONGEST_URL),
      title: document.title.slice(0, LONGEST_TITLE),
      screen_resolution: `${screen.width}x${screen.height}`,
      viewport_size: `${innerWidth}x${innerHeight}`,
      timezone: Intl.DateTimeFormat().resolvedOptions().timeZone,
      language: navigator.language,
    });
    view = entered;
    setTimeout(
      guard(() => {
        if (view === entered) entered.title = document.title.slice(0, LONGEST_TITLE);
      }),
      TITLE_AFTER_MS,
    );
    return entered;
  }

  function exit(): void {
    if (!view) return;
    measureDepth();
    report({
      ...placeOf(view),
      type: 'page_exit',
      time_on_page: Math.round((performance.now() - startedMs) / 100) / 10,
      scroll_depth: depth,
      interaction_count: interactions,
    });
    view = undefined;
  }

  function measureDepth(): void {
    const { scrollHeight } = document.documentElement;
    const seen = Math.round(((scrollY + innerHeight) / (scrollHeight || 1)) * 100);
    depth = Math.max(depth, Math.min(100, Math.max(0, seen)));
  }

  const navigated = guard(() => {
    if (pageKey(pageUrl(usesHash)) === pageKey(url)) return;
    const before = url;
    exit();
    enter(before);
  });

  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name];
    history[name] = function (this: History, ...parameters: Parameters<History['pushState']>) {
      original.apply(this, parameters);
      navigated();
    };
  }
  on(window, 'popstate hashchange', navigated);
  on(window, 'scroll', measureDepth);
  on(window, 'pointerdown keydown', () => {
    interactions++;
  });
  return { enter, exit };
}

/** The visitor and the page of this view, for later reports, when both may have changed. */
export function placeOf({ path, anonymousId, sessionId }: TrackedEvent): TrackedEvent {
  return { path, anonymousId, sessionId };
}

/** Adds the load times of the page, in milliseconds, to its first view once they are known. */
export function addLoadTimes(view: TrackedEvent): void {
  const add = guard(() => {
    const timing = navigationTiming();
    if (!timing) return;
    view.load_time = sinceStart(timing.loadEventEnd);
    view.ttfb = sinceStart(timing.responseStart);
    view.dom_ready_time = sinceStart(timing.domContentLoadedEventEnd);
    view.render_time = Math.round(timing.domComplete - timing.domInteractive);
  });
  // The load event ends after its listeners have run.
  if (document.readyState === 'complete') add();
  else on(window, 'load', () => setTimeout(add));
}
