/** The tracker: starts on the page that carries its script, unless the visitor asked not to be tracked. */
import { type Track, watchClicks } from './clicks.ts';
import { createTrack } from './custom-events.ts';
import { watchErrors } from './errors.ts';
import { guard, on } from './guard.ts';
import { pageUrl } from './page-url.ts';
import { addLoadTimes, createPageViews, placeOf } from './page-views.ts';
import { createSender, type IngestPath, type TrackedEvent } from './sender.ts';
import { readSettings, type TrackerSettings, wantsPrivacy } from './settings.ts';
import { randomId, readVisitor } from './visitor.ts';
import { measureVitals } from './web-vitals.ts';

declare global {
  interface Window {
    /** The function for pages. */
    tidegate?: { track: Track };
  }
  interface Document {
    /** Whether the page is prerendered and not yet visible. */
    readonly prerendering?: boolean;
  }
}

/** Watches the page from now on; returns the function for the page's own events. */
function start(settings: TrackerSettings): Track {
  const { usesHash } = settings;
  const sender = createSender(settings);
  const reportTo =
    (route: IngestPath) =>
    (fields: TrackedEvent): TrackedEvent => {
      const timestamp = Date.now();
      // A repeated beacon is recognized by the identifier of its event.
      const event = {
        eventId: randomId(),
        timestamp,
        path: pageUrl(usesHash),
        ...readVisitor(timestamp),
        ...fields,
      };
      sender.add(route, event);
      return event;
    };
  const report = reportTo('/batch');
  const reportVital = reportTo('/vitals');
  const track = createTrack(report);
  const views = createPageViews(report, usesHash);
  const first = views.enter(document.referrer);
  addLoadTimes(first);
  const reportVitals = measureVitals((metricName, metricValue) => {
    reportVital({ ...placeOf(first), metricName, metricValue });
  });
  watchErrors(reportTo('/errors'));
  watchClicks(report, track);

  const leave = () => {
    reportVitals();
    views.exit();
    sender.leave();
  };
  on(window, 'pagehide', leave);
  on(document, 'visibilitychange', () => {
    if (document.visibilityState === 'hidden') leave();
  });
  // The page returns from the cache as it was left: nothing is loaded, but it is seen again.
  on<PageTransitionEvent>(window, 'pageshow', ({ persisted }) => {
    if (persisted) views.enter('');
  });
  return track;
}

guard(() => {
  // Uses the getter itself: an element of the page with this name would hide the document's property.
  const script: unknown = Reflect.get(Document.prototype, 'currentScript', document);
  const settings = readSettings(script as HTMLScriptElement);
  if (typeof window.tidegate?.track === 'function') return;
  const api = { track: (() => {}) as Track };
  window.tidegate = api;
  if (!settings || wantsPrivacy(navigator)) return;
  const begin = guard(() => {
    api.track = start(settings);
  });
  if (document.prerendering) document.addEventListener('prerenderingchange', begin, { once: true });
  else begin();
})();
