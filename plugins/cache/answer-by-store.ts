/** Answers requests by kept answers: fresh ones, stale ones that are asked for anew, and one question for many who ask at once. */
import { LRUCache } from 'lru-cache';
import { atMost } from '../../services/shared/caches/at-most.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { namesEntityTag } from '../../services/shared/http/entity-tag.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import { withEdit } from '../kit/header-edits.ts';
import type { BackendHeaders } from '../kit/kept-answer.ts';
import type { GatewayRequest, GatewayResponse, Next } from '../kit/request-context.ts';
import type { AnswerStore, StoredAnswer } from './answer-store.ts';
import type { RequestWish } from './cache-control.ts';
import { withHeaders } from './cache-key.ts';
import { type Flight, Flights } from './flights.ts';
import { type Asked, Recording, type RecordingLimits } from './recording.ts';

export const OUTCOMES = ['hit', 'stale', 'miss', 'pass'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** How long a request waits for the answers of others in all, in milliseconds; then it asks by itself. */
const PATIENCE_MS = 5_000;
const RIGHTS_CHANGED = 'The rights of the caller changed while the request waited; send it again.';
/** How long nobody waits for an answer that was not kept, in milliseconds. */
const ALONE_MS = 10_000;

/** What a 304 tells besides its status (RFC 9110, 15.4.5). */
const TOLD_BY_304 = ['cache-control', 'content-location', 'date', 'etag', 'expires', 'vary', 'age'];
const NOTHING = Buffer.alloc(0);

export interface AnswerParts {
  readonly store: AnswerStore;
  readonly limits: RecordingLimits;
  readonly clock: Clock;
  /** What a request is asked for at this moment. */
  askedOf(req: GatewayRequest): Asked;
  count(outcome: Outcome): void;
}

/** Hands the request on, with the kept answer that the proxy sends, or with a recorder of the one that it gets. */
export type AnswerByStore = (
  req: GatewayRequest,
  res: GatewayResponse,
  next: Next,
  wish: RequestWish,
) => void;

interface Wait {
  readonly key: string;
  /** By `performance.now()`. */
  readonly untilMs: number;
}

export function createAnswerByStore({ store, limits, clock, askedOf, count }: AnswerParts): AnswerByStore {
  const flights = new Flights();
  /** Until when the answers of a key are each asked for alone. */
  const aloneUntilMs = new LRUCache<string, number>(atMost(store.mostNotes));

  /** Sets the kept answer on the request; false: it is too old for it. */
  function useKept(asked: Asked, stored: StoredAnswer, maxAge: number): boolean {
    const { context, headers } = asked.req;
    const { freshSeconds, staleSeconds, ageSeconds } = stored.lifetime;
    const age = ageSeconds + Math.max(0, Math.floor((clock.now() - stored.storedAtMs) / 1000));
    const isFresh = age < freshSeconds;
    if (age > maxAge || (!isFresh && age >= freshSeconds + staleSeconds)) return false;
    const isKnown = stored.etag !== null && namesEntityTagOf(headers, stored.etag);
    const all: BackendHeaders = { ...stored.answer.headers, age: `${age}` };
    context.replay = isKnown
      ? { status: 304, headers: pick(all, TOLD_BY_304), body: NOTHING }
      : { ...stored.answer, headers: all };
    if (!isFresh && !stored.isRenewed) {
      stored.isRenewed = true;
      // The connection may be gone when it is needed.
      void context.address;
      askUnconditionally(asked.req);
      context.renewal = new Recording(asked, store, limits, () => {
        stored.isRenewed = false;
      });
    }
    count(isFresh ? 'hit' : 'stale');
    return true;
  }

  function recordAs(asked: Asked, flight: Flight, res: GatewayResponse): void {
    const recording = new Recording(asked, store, limits, (landing) => {
      if (landing === 'alone') aloneUntilMs.set(flight.key, clock.now() + ALONE_MS);
      res.off('close', left);
      flight.land(landing);
    });
    const left = (): void => recording.fail();
    // The gateway's own answers, and clients that leave, tell the recorder nothing.
    res.once('close', left);
    asked.req.context.recorder = recording;
  }

  /** Waits for the one that asks already, at most until then; false: nobody does. */
  function waited(asked: Asked, res: GatewayResponse, next: Next, wish: RequestWish, wait: Wait): boolean {
    const { req } = asked;
    const patienceMs = wait.untilMs - performance.now();
    const flight = patienceMs > 0 ? flights.find(wait.key) : null;
    if (flight === null) return false;
    const isGone = (): boolean => res.closed || req.socket.destroyed;
    const leave = flight.wait(patienceMs, (turn) => {
      res.off('close', leave);
      if (isGone()) {
        turn?.land('left');
        return;
      }
      judgeAnew(req, res, asked.askedAtMs, clock.now(), (fault) => {
        const again = fault === undefined && !isGone() ? askedOf(req) : null;
        // The policies before this one judged by the rights that it had.
        if (again !== null && again.key === asked.key) answer(again, res, next, wish, turn, wait.untilMs);
        else {
          turn?.land('left');
          if (!isGone()) next(fault ?? new ApiError('SERVICE_UNAVAILABLE', { text: RIGHTS_CHANGED }));
        }
      });
    });
    res.once('close', leave);
    return true;
  }

  function answer(
    asked: Asked,
    res: GatewayResponse,
    next: Next,
    wish: RequestWish,
    turn: Flight | null,
    untilMs: number,
  ): void {
    const { key } = asked;
    const whole = withHeaders(key, asked.sent, store.variesOf(key));
    const own = turn?.key === whole ? turn : null;
    // Another answer told meanwhile which headers it depends on.
    if (own === null) turn?.land('left');
    const stored = wish.way === 'kept' ? store.get(whole) : null;
    if (stored !== null && useKept(asked, stored, wish.maxAge)) {
      own?.land('kept');
      next();
      return;
    }
    if (wish.onlyKept) {
      next(
        new ApiError('TIMEOUT', { text: 'No answer is kept for this request, and it asked for no other.' }),
      );
      return;
    }
    const isAlone = (aloneUntilMs.get(whole) ?? 0) > clock.now();
    const mayWait = own === null && wish.way === 'kept' && !isAlone;
    if (mayWait && waited(asked, res, next, wish, { key: whole, untilMs })) return;
    count('miss');
    // Of what is for one request each, a client may still learn that nothing changed.
    if (own !== null || !isAlone || !isConditional(asked.req)) {
      askUnconditionally(asked.req);
      recordAs(asked, own ?? flights.begin(whole), res);
    }
    next();
  }

  return function answerByStore(req, res, next, wish) {
    answer(askedOf(req), res, next, wish, null, performance.now() + PATIENCE_MS);
  };
}

/** Judges the caller again after a wait, since its credential may have ended meanwhile. */
function judgeAnew(
  req: GatewayRequest,
  res: GatewayResponse,
  beganAtMs: number,
  nowMs: number,
  done: (fault?: unknown) => void,
): void {
  const { context } = req;
  const { judge } = context;
  if (judge === null || beganAtMs === nowMs) {
    done();
    return;
  }
  context.principal = null;
  judge(req, res, (fault?: unknown) => done(fault ?? context.refusal ?? undefined));
}

/** Headers by which a backend answers 304, which nobody else could use. */
const CONDITIONS = ['if-none-match', 'if-modified-since'];

function isConditional({ headers }: GatewayRequest): boolean {
  return CONDITIONS.some((name) => headers[name] !== undefined);
}

/** Has the backend send the whole answer; the kept one then answers the conditions of the next. */
function askUnconditionally(req: GatewayRequest): void {
  if (isConditional(req)) req.context.requestEdits = withEdit(req.context.requestEdits, [dropConditions]);
}

function dropConditions(headers: string[]): void {
  for (let index = headers.length - 2; index >= 0; index -= 2) {
    if (CONDITIONS.includes((headers[index] as string).toLowerCase())) headers.splice(index, 2);
  }
}

function namesEntityTagOf(headers: GatewayRequest['headers'], etag: string): boolean {
  const asked = headers['if-none-match'];
  return asked !== undefined && namesEntityTag(asked, etag);
}

function pick(headers: BackendHeaders, names: readonly string[]): BackendHeaders {
  return Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  );
}
