/** The load of events of the query bench: arrays at a fixed pace, whether or not earlier ones are answered. */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TidegateEngine } from './query-tidegate.ts';
import { INGEST_WEBSITE } from './query-workload.ts';

export const EVENTS_PER_SECOND = 5_000;
const EVENTS_PER_REQUEST = 100;

export interface IngestLoad {
  /** Of each request so far, in milliseconds from when it was due. */
  readonly milliseconds: number[];
  /** Requests that were refused, or whose connection broke. */
  readonly failures: () => number;
  /** Sends no more, waits for the answers; events that were stored in a second. */
  stop(): Promise<number>;
}

/** Starts the load. */
export function startIngest(engine: TidegateEngine): IngestLoad {
  const milliseconds: number[] = [];
  const pending = new Set<Promise<void>>();
  const run = randomBytes(6).toString('hex');
  let failures = 0;
  let isStopped = false;
  const started = performance.now();
  const send = async (request: number, due: number) => {
    await engine.post('/track', INGEST_WEBSITE, eventsText(run, request));
    milliseconds.push(performance.now() - due);
  };
  const sending = (async () => {
    const every = (1_000 * EVENTS_PER_REQUEST) / EVENTS_PER_SECOND;
    for (let request = 0; !isStopped; request++) {
      const due = started + request * every;
      const early = due - performance.now();
      if (early > 0) await delay(early);
      const sent = send(request, due)
        .catch(() => {
          failures++;
        })
        .finally(() => pending.delete(sent));
      pending.add(sent);
    }
  })();
  return {
    milliseconds,
    failures: () => failures,
    async stop() {
      isStopped = true;
      await sending;
      await Promise.all(pending);
      return (milliseconds.length * EVENTS_PER_REQUEST * 1_000) / (performance.now() - started);
    },
  };
}

function eventsText(run: string, request: number): string {
  const events = Array.from({ length: EVENTS_PER_REQUEST }, (_, i) => {
    const number = request * EVENTS_PER_REQUEST + i;
    return {
      name: number % 3 === 0 ? 'button_clicked' : 'screen_view',
      eventId: `${run}-${number}`,
      anonymousId: `anon_7c2a9f54-1b7e-4c1d-9a53-${number % 5_000}`,
      sessionId: `sess_5e0b7c9a-${number % 9_000}`,
      path: `https://www.example.com/articles/${number % 400}`,
      referrer: 'https://www.google.com/',
      properties: { plan: 'pro', amount: number },
    };
  });
  return JSON.stringify(events);
}
