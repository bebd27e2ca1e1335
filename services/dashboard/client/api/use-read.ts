/** Reads what a screen shows: keeps the last numbers while new ones come, and tries again by itself where that helps. */
import { useEffect, useReducer, useRef } from 'preact/hooks';
import { type Answer, type Request, targetOf } from './answer.ts';
import { call } from './call.ts';
import type { Fault } from './fault.ts';
import { askAndKeep, recall } from './memory.ts';

export interface Read<T> {
  /** The last answer; it stays while a new one is asked for, and when that fails. */
  readonly data: T | undefined;
  /** When it came, in milliseconds since 1970. */
  readonly at: number | undefined;
  readonly etag: string | null;
  /** Those of the last answer, if it came as a whole and of this screen. */
  readonly headers: Headers | undefined;
  /** Why the last call failed; undefined after one that did not. */
  readonly fault: Fault | undefined;
  readonly isLoading: boolean;
  /** Whether {@link data} is of an earlier screen: what was made or changed elsewhere since is not in it. */
  readonly isKept: boolean;
  /** Whether {@link data} answers an earlier request than the one asked for. */
  readonly isOld: boolean;
  /** While {@link data} is a part of what comes, the last whole answer to an earlier request. */
  readonly earlier: T | undefined;
  /** When it is asked again without anybody's doing, in milliseconds since 1970. */
  readonly repeatsAt: number | undefined;
  /** Asks again now. */
  again(): void;
  /** Takes the answer to a write as the present, so that it need not be asked for. */
  take(answer: { readonly body: T; readonly etag: string | null }): void;
}

/** Seconds between tries while the service is not reached. */
const WAITS = [5, 10, 20, 40, 60];

interface State<T> {
  key?: string;
  data?: T;
  earlier?: T;
  /** Whether `data` is a part of what comes. */
  isPart: boolean;
  at?: number;
  etag: string | null;
  headers?: Headers | undefined;
  fault?: Fault;
  isLoading: boolean;
  isKept: boolean;
  repeatsAt?: number;
  tries: number;
}

/** A call that was sent while the screen was drawn. */
interface Begun<T> {
  readonly key: string;
  readonly stop: AbortController;
  /** Undefined once it is waited for; null when it was stopped. */
  answer?: Promise<Answer<T> | null>;
}

interface ReadOptions {
  /** Repeats while the tab is seen. */
  readonly everySeconds?: number;
  /** The first call waits as long, because what it would tell is known from elsewhere. */
  readonly isLater?: boolean;
  /** The answer of an earlier screen will do, and this one is kept for later screens. */
  readonly isKept?: boolean;
  /** The request as it stands when it is sent, of a question that moves on with the time: it is no other one for that. */
  readonly timed?: () => Request;
}

/** Reads `request`, again whenever it changes; null reads nothing. */
export function useRead<T>(
  request: Request | null,
  { everySeconds, isLater = false, isKept = false, timed }: ReadOptions = {},
): Read<T> {
  const key = request && `${request.method ?? 'GET'} ${targetOf(request)} ${JSON.stringify(request.body)}`;
  const state = useRef<State<T>>({
    ...{ etag: null, isLoading: key !== null, isKept: false },
    ...{ isPart: false, tries: 0 },
  }).current;
  const [round, redraw] = useReducer((count: number) => count + 1, 0);
  const asked = useRef<() => void>(() => {});
  /** Counts what was taken: an answer to an earlier question is older. */
  const taken = useRef(0);
  const begun = useRef<Begun<T>>(null);
  const recalled = useRef<string>(null);
  /** Counts what was sent: parts of an answer that nobody waits for any more are not shown. */
  const sent = useRef(0);
  const takePart = (part: T, turn: number, signal: AbortSignal): void => {
    if (signal.aborted || turn !== sent.current) return;
    // The first part: what was whole until then is earlier now.
    if (!state.isPart) state.earlier = state.data;
    Object.assign(state, { key, data: part, at: Date.now(), isPart: true, isKept: false, fault: undefined });
    redraw(undefined);
  };
  const send = (signal: AbortSignal): Promise<Answer<T> | null> => {
    const wanted = timed?.() ?? (request as Request);
    const turn = ++sent.current;
    // What is kept is of use even when this screen is left before it comes.
    const answer = isKept
      ? askAndKeep(targetOf(wanted), () => call<T>(wanted))
      : call<T>(wanted, signal, (part) => takePart(part, turn, signal));
    return answer.catch(() => null);
  };
  const isNew = request !== null && key !== state.key && key !== begun.current?.key;
  const known = isKept && isNew ? recall(targetOf(request)) : undefined;
  if (isNew) recalled.current = known ? key : null;
  if (known && key !== null) {
    const { body, etag, at } = known;
    Object.assign(state, {
      key,
      data: body,
      etag,
      at,
      fault: undefined,
      isLoading: false,
      isKept: true,
      tries: 0,
    });
  }
  // It goes out now and not once the screen is painted: on a slow machine that is half a second later.
  if (isNew && key && !isLater && !known) {
    const stop = new AbortController();
    begun.current = { key, stop, answer: send(stop.signal) };
  }

  useEffect(() => {
    if (request === null || key === null) return;
    const ahead = begun.current?.key === key && begun.current.answer ? begun.current : null;
    const stop = ahead?.stop ?? new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let asks = 0;
    const repeatIn = (seconds: number) => {
      clearTimeout(timer);
      state.repeatsAt = Date.now() + seconds * 1000;
      timer = setTimeout(ask, seconds * 1000);
    };
    async function ask(): Promise<void> {
      clearTimeout(timer);
      // A tab that nobody sees asks for nothing; it does when it is seen again.
      if (document.hidden && (isLater || state.key === key)) return;
      Object.assign(state, { isLoading: true, repeatsAt: undefined });
      redraw(undefined);
      const turn = ++asks;
      const takenBefore = taken.current;
      const first = ahead?.answer;
      if (ahead) ahead.answer = undefined;
      const answer = await (first ?? send(stop.signal));
      // Asked again meanwhile: this answer may be of before what it was asked again for.
      if (answer === null || stop.signal.aborted || turn !== asks || takenBefore !== taken.current) return;
      state.isLoading = false;
      state.isPart = false;
      if (answer.ok) {
        state.earlier = undefined;
        Object.assign(state, { key, data: answer.body, at: Date.now(), etag: answer.etag, tries: 0 });
        state.headers = answer.headers;
        state.fault = undefined;
        state.isKept = false;
        if (everySeconds) repeatIn(everySeconds);
      } else {
        state.fault = answer.fault;
        const { kind, retryAfter } = answer.fault;
        // Once after a limit, so that two pages that meet it do not keep it used up; for ever while the service is away.
        if (kind === 'limit' && state.tries++ === 0) repeatIn((retryAfter ?? 10) + Math.random());
        if (kind === 'offline' || kind === 'unavailable') {
          repeatIn(Math.max(retryAfter ?? 0, WAITS[Math.min(state.tries++, WAITS.length - 1)] ?? 60));
        }
      }
      redraw(undefined);
    }
    const seen = () => {
      const isDue = state.repeatsAt === undefined ? state.key !== key : Date.now() >= state.repeatsAt;
      if (!document.hidden && !state.isLoading && isDue) void ask();
    };
    const online = () => {
      if (state.fault?.kind === 'offline') void ask();
    };
    asked.current = () => void ask();
    state.tries = 0;
    if (isLater && everySeconds) repeatIn(everySeconds);
    else if (recalled.current !== key) void ask();
    recalled.current = null;
    document.addEventListener('visibilitychange', seen);
    addEventListener('online', online);
    return () => {
      stop.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
      removeEventListener('online', online);
    };
  }, [key, everySeconds, isLater]);

  void round;
  // Sent while this was drawn, and not waited for yet: who looks at this frame must not take what it shows for the answer.
  const isBegun = key !== null && begun.current?.key === key && begun.current.answer !== undefined;
  return {
    data: state.data,
    at: state.at,
    etag: state.etag,
    headers: state.headers,
    fault: state.fault,
    isLoading: state.isLoading || isBegun,
    isKept: state.isKept,
    isOld: state.data !== undefined && state.key !== key,
    earlier: state.earlier,
    repeatsAt: state.repeatsAt,
    again: () => asked.current(),
    take({ body, etag }) {
      taken.current++;
      Object.assign(state, { key, data: body, etag, at: Date.now(), fault: undefined });
      Object.assign(state, { isLoading: false, isKept: false, tries: 0 });
      redraw(undefined);
    },
  };
}
