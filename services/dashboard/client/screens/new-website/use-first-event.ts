/** Looks for the first event of a website until it is there: one request a look, while the tab is seen, and not for ever. */
import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Request } from '../../api/answer.ts';
import { call } from '../../api/call.ts';
import type { Fault } from '../../api/fault.ts';
import type { QueryAnswer } from '../../api/wire.ts';
import { waitAfter } from './waits.ts';

/** `waiting`: it looks again by itself. `stopped`: nobody saw an event for long. `failed`: looking again would not help. */
export interface FirstEvent {
  readonly state: 'waiting' | 'received' | 'stopped' | 'failed';
  readonly fault: Fault | undefined;
  /** Looks again now, and from now on. */
  again(): void;
}

/** Before anything that ingest takes, and after: events may be an hour ahead. */
const EVER = '2000-01-01T00:00:00Z';
const AHEAD_MS = 2 * 3_600_000;

function lookFor(websiteId: string): Request {
  const endDate = new Date(Date.now() + AHEAD_MS).toISOString();
  const body = { websiteId, parameters: ['summary_metrics'], startDate: EVER, endDate };
  return { method: 'POST', path: '/v1/query', body };
}

export function useFirstEvent(websiteId: string): FirstEvent {
  const current = useRef<{ state: FirstEvent['state']; fault: Fault | undefined }>({
    state: 'waiting',
    fault: undefined,
  }).current;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const begin = useRef<() => void>(() => {});

  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let dueAt = 0;
    let looks = 0;
    let isLooking = false;

    function show(state: FirstEvent['state'], fault?: Fault): void {
      Object.assign(current, { state, fault });
      redraw(undefined);
    }
    function lookIn(seconds: number): void {
      clearTimeout(timer);
      dueAt = Date.now() + seconds * 1000;
      timer = setTimeout(look, seconds * 1000);
    }
    async function look(): Promise<void> {
      // A tab that nobody sees asks for nothing; it does when it is seen again.
      if (document.hidden || isLooking) return;
      isLooking = true;
      const answer = await call<QueryAnswer>(lookFor(websiteId), stop.signal).catch(() => null);
      isLooking = false;
      if (answer === null || stop.signal.aborted) return;
      looks++;
      const wait = waitAfter(looks);
      if (answer.ok) {
        const total = answer.body.data[0]?.data[0]?.total_events;
        if (Number(total) > 0) return show('received');
        if (wait === null) return show('stopped');
        show('waiting');
        return lookIn(wait);
      }
      const { kind, retryAfter } = answer.fault;
      const mayPass = kind === 'limit' || kind === 'offline' || kind === 'unavailable';
      if (!mayPass || wait === null) return show('failed', answer.fault);
      show('waiting', answer.fault);
      lookIn(Math.max(wait, retryAfter ?? 0));
    }
    const seen = () => {
      if (current.state === 'waiting' && Date.now() >= dueAt) void look();
    };
    begin.current = () => {
      looks = 0;
      show('waiting');
      void look();
    };
    begin.current();
    document.addEventListener('visibilitychange', seen);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [websiteId]);

  return { ...current, again: () => begin.current() };
}
