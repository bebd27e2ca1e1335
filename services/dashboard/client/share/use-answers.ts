/** What the page of a share has asked and got: everything at once for a range, and lists that are opened later by themselves. */
import { useEffect, useReducer, useRef } from 'preact/hooks';
import type { Fault } from '../api/fault.ts';
import { sendOnce } from '../api/send.ts';
import type { DatasetAnswer, QueryAnswer } from '../api/wire.ts';

/** What every question is about. */
export interface Scene {
  readonly token: string;
  /** Of a share with a password. */
  readonly ticket: string | null;
  /** Fields of the request: range and granularity. */
  readonly fields: Readonly<Record<string, string>>;
  /** What is asked at first. */
  readonly datasets: readonly string[];
}

export interface Answers {
  /** The last answer; of another range while {@link isOld}. */
  of(dataset: string): DatasetAnswer | undefined;
  readonly isOld: boolean;
  readonly isLoading: boolean;
  readonly fault: Fault | undefined;
  /** When it is asked again by itself, in milliseconds since 1970. */
  readonly repeatsAt: number | undefined;
  /** When the answers came. */
  readonly at: number | undefined;
  /** Asks for one alone, so many rows of it. */
  ask(dataset: string, limit: number): void;
  again(): void;
}

/** Rows of a list before more are asked for. */
export const FEW = 10;
/** Seconds between tries while the service is not reached. */
const WAITS = [5, 10, 20, 40, 60];

interface State {
  key?: string;
  answers: ReadonlyMap<string, DatasetAnswer>;
  fault?: Fault;
  repeatsAt?: number;
  at?: number;
  pending: number;
  tries: number;
}

export function useAnswers({ token, ticket, fields, datasets }: Scene): Answers {
  const key = JSON.stringify([token, ticket, fields]);
  const state = useRef<State>({ answers: new Map(), pending: 0, tries: 0 }).current;
  const [, redraw] = useReducer((count: number) => count + 1, 0);
  const asking = useRef<(names: readonly string[], limit: number) => void>(() => {});
  const first = useRef(datasets);
  if (state.key !== key) first.current = datasets;

  useEffect(() => {
    const stop = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    function repeat(seconds: number, names: readonly string[], limit: number): void {
      state.repeatsAt = Date.now() + seconds * 1000;
      timer = setTimeout(() => void ask(names, limit), seconds * 1000);
    }
    async function ask(names: readonly string[], limit: number): Promise<void> {
      clearTimeout(timer);
      state.pending++;
      state.repeatsAt = undefined;
      redraw(undefined);
      const answer = await sendOnce<QueryAnswer>(
        {
          method: 'POST',
          path: `/public/v1/shares/${token}/query`,
          // One more tells whether there are more, and one is left out of some lists.
          body: { parameters: names, limit: limit + 2, ...fields },
        },
        {
          credentials: 'omit',
          headers: ticket === null ? {} : { 'x-share-ticket': ticket },
          signal: stop.signal,
        },
      ).catch(() => null);
      if (answer === null || stop.signal.aborted) return;
      state.pending--;
      if (answer.ok) {
        const before = state.key === key ? [...state.answers] : [];
        const got = answer.body.data.map((each) => [each.parameter, each] as const);
        Object.assign(state, { key, at: Date.now(), fault: undefined, tries: 0 });
        state.answers = new Map([...before, ...got]);
      } else {
        state.fault = answer.fault;
        const { kind, retryAfter } = answer.fault;
        // Once after a limit, so that many readers who meet it do not keep it used up; for ever while the service is away.
        if (kind === 'limit' && state.tries++ === 0) repeat((retryAfter ?? 10) + Math.random(), names, limit);
        if (kind === 'offline' || kind === 'unavailable') {
          const wait = WAITS[Math.min(state.tries++, WAITS.length - 1)] ?? 60;
          repeat(Math.max(retryAfter ?? 0, wait), names, limit);
        }
      }
      redraw(undefined);
    }
    asking.current = (names, limit) => void ask(names, limit);
    Object.assign(state, { pending: 0, tries: 0 });
    void ask(first.current, FEW);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [key]);

  return {
    of: (dataset) => state.answers.get(dataset),
    isOld: state.at !== undefined && state.key !== key,
    isLoading: state.pending > 0,
    fault: state.fault,
    repeatsAt: state.repeatsAt,
    at: state.at,
    ask: (dataset, limit) => asking.current([dataset], limit),
    again: () => asking.current(first.current, FEW),
  };
}
