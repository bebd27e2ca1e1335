/**
 * Sends events together: a few seconds after they happened, or as a beacon when the page is left. Failed requests are
 * retried.
 */
import { guard } from './guard.ts';
import type { TrackerSettings } from './settings.ts';

/** An event as sent; until then, its creator may still change it. */
export type TrackedEvent = Record<string, unknown>;

/** Routes of the API that accept events without a key. */
export type IngestPath = '/batch' | '/vitals' | '/errors';

export interface Sender {
  add(path: IngestPath, event: TrackedEvent): void;
  /** Sends waiting events as beacons, which outlive the page. */
  leave(): void;
}

/** How long events wait for others, in milliseconds; each failure doubles it. */
const WAIT_MS = 2_000;
/** How many failures in a row are allowed before events are given up; then the count starts over. */
const MOST_FAILURES = 6;
/** How many times that wait events wait, at most, for the load times of a loading page. */
const MOST_WAITS_FOR_LOAD = 5;
const LONGEST_QUEUE = 100;
const LARGEST_REQUEST = 25;
/** Browsers let 64 KB outlive a page, and a character has at most 3 bytes. */
const LONGEST_KEPT_BODY = 20_000;

export function createSender({ apiUrl, clientId }: TrackerSettings): Sender {
  const queues = new Map<IngestPath, TrackedEvent[]>();
  let timer: number | undefined;
  let failures = 0;
  let waits = 0;

  function schedule(): void {
    if (timer !== undefined) return;
    timer = window.setTimeout(
      guard(() => {
        timer = undefined;
        if (document.readyState !== 'complete' && waits++ < MOST_WAITS_FOR_LOAD) schedule();
        else sendAll(false);
      }),
      WAIT_MS * 2 ** failures,
    );
  }

  function sendAll(isLeaving: boolean): void {
    for (const [path, queue] of queues) {
      while (queue.length > 0) send(path, queue.splice(0, LARGEST_REQUEST), isLeaving);
    }
  }

  function send(path: IngestPath, events: TrackedEvent[], isLeaving: boolean): void {
    const url = `${apiUrl}${path}?client_id=${encodeURIComponent(clientId)}`;
    // Text is sent as text/plain, for which browsers send no preflight.
    const body = JSON.stringify(events);
    if (isLeaving && navigator.sendBeacon(url, body)) return;
    const sendAgain = () => {
      if (++failures > MOST_FAILURES) failures = 0;
      else for (const event of events) add(path, event);
    };
    fetch(url, {
      method: 'POST',
      body,
      keepalive: body.length < LONGEST_KEPT_BODY,
      credentials: 'omit',
    }).then(({ status }) => {
      if (status === 429 || status >= 500) return sendAgain();
      failures = 0;
      // One event may spoil the others, and a wrong clock each of them: all get a chance alone, at the server's time.
      if (status === 400 && events.some(({ timestamp }) => timestamp)) {
        for (const event of events) send(path, [{ ...event, timestamp: undefined }], false);
      }
    }, sendAgain);
  }

  function add(path: IngestPath, event: TrackedEvent): void {
    const queue = queues.get(path) ?? [];
    queues.set(path, queue);
    if (queue.length < LONGEST_QUEUE) queue.push(event);
    schedule();
  }

  return { add, leave: () => sendAll(true) };
}
