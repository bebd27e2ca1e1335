/**
 * Turns for custom queries: one per organization at a time, few on the machine, first for the organization that used the
 * least time lately.
 */
import { ApiError } from '../../shared/errors/api-error.ts';
import { QUEUE_FULL_HEADER, QUEUE_OF_ORGANIZATION } from '../../shared/http/queue-full-header.ts';
import { type Turn, TurnLine } from '../../shared/turns/turn-line.ts';
import { pastLong, RecentUse } from './recent-use.ts';

export interface TurnLimits {
  /** How many queries run at once, over all organizations. */
  readonly running: number;
  readonly waitingPerOrganization: number;
  readonly maxWaitMs: number;
}

/** A waiting or running query. */
interface Query extends Turn {
  readonly organizationId: string;
  /** Ends it, whatever it does. */
  readonly ended: AbortController;
  /** When its process was ready; null before. */
  beganAtMs: number | null;
}

/** Seconds after which a refused client should come back. */
const RETRY_AFTER = { 'Retry-After': '5' };

/** How long a query waits before it may end another one that has run as long. */
const PATIENCE_MS = 5_000;
/** How often a query that waits longer checks again for one to end. */
const LOOK_AGAIN_MS = 500;

/** An organization whose long queries took more than this lately is heavy: heavy ones share all turns but one. */
const HEAVY_MS = 2_000;
/** Likewise an organization whose queries took more in all: each is over soon, but they never stop. */
const BUSY_MS = 30_000;

/** Time, which tests move. */
export interface TurnClock {
  /** Milliseconds; never runs backwards. */
  now(): number;
  /** Runs something later, unless the returned function is called before. */
  after(milliseconds: number, act: () => void): () => void;
}

const MACHINE_CLOCK: TurnClock = {
  now: () => performance.now(),
  after(milliseconds, act) {
    const timer = setTimeout(act, milliseconds);
    return () => clearTimeout(timer);
  },
};

/** As this process knows them: queries in other processes count there. */
export class Turns {
  readonly #limits: TurnLimits;
  readonly #clock: TurnClock;
  readonly #use: RecentUse;
  /** Of those that may run, the one whose organization used the least goes first. */
  readonly #line = new TurnLine<Query>({
    mayStart: ({ organizationId }) => this.#mayRun(organizationId),
    shareOf: ({ organizationId }) => this.#usedMs(organizationId),
  });

  constructor(limits: TurnLimits, clock: TurnClock = MACHINE_CLOCK) {
    this.#limits = limits;
    this.#clock = clock;
    this.#use = new RecentUse(() => clock.now());
  }

  get running(): number {
    return this.#line.running.size;
  }

  get waiting(): number {
    return this.#line.waiting.length;
  }

  /**
   * Waits for a turn; resolves to a function that ends it. `ended` belongs to the query: it is aborted with TIMEOUT when
   * long queries of its organization took the most and another query has waited for long.
   * @throws ApiError SERVICE_UNAVAILABLE when too many wait, or the wait was too long; the signal's reason
   */
  take(organizationId: string, ended: AbortController): Promise<() => void> {
    ended.signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const query: Query = {
        organizationId,
        ended,
        beganAtMs: null,
        start: () => resolve(this.#endOf(query)),
      };
      if (this.#line.enter(query)) return;
      const before = this.#line.waiting.filter((other) => other.organizationId === organizationId).length;
      if (before < this.#limits.waitingPerOrganization) this.#wait(query, reject);
      else {
        reject(
          unavailable(`${before} custom queries of this organization wait already; try again shortly.`, {
            [QUEUE_FULL_HEADER]: QUEUE_OF_ORGANIZATION,
          }),
        );
      }
    });
  }

  /** The organization's query runs from now on: the time before was the start of its process. */
  began(organizationId: string): void {
    const running = this.#runningOf(organizationId);
    if (running) running.beganAtMs = this.#clock.now();
  }

  /** Whether long queries of the organization, running ones included, took so much lately that one turn is kept from it. */
  isHeavy(organizationId: string): boolean {
    return this.#longMs(organizationId) > HEAVY_MS;
  }

  /**
   * The class of its queries, by what they took lately; null: light. Two of one class share all turns but one, unless
   * they are light.
   */
  kindOf(organizationId: string): 'heavy' | 'busy' | null {
    if (this.isHeavy(organizationId)) return 'heavy';
    return this.#usedMs(organizationId) > BUSY_MS ? 'busy' : null;
  }

  /**
   * Waits until its turn comes, its client leaves or it waited too long; meanwhile it checks whether to end another
   * query.
   */
  #wait(query: Query, reject: (reason: unknown) => void): void {
    const { organizationId, ended, start } = query;
    const { signal } = ended;
    const { maxWaitMs } = this.#limits;
    const leave = (reason: unknown) => {
      settle();
      this.#line.leave(query);
      reject(reason);
    };
    const abort = () => leave(signal.reason);
    const late = this.#clock.after(maxWaitMs, () =>
      leave(unavailable(`No turn within ${maxWaitMs / 1_000} s; try again shortly.`)),
    );
    const look = () => {
      impatient = this.#clock.after(LOOK_AGAIN_MS, look);
      // A running one may have become heavy by now, or a waiting one light.
      this.#line.startWaiting();
      if (this.#line.waiting.includes(query)) this.#endHeaviestFor(query);
    };
    let impatient = this.#clock.after(Math.min(PATIENCE_MS, maxWaitMs / 2), look);
    const settle = () => {
      late();
      impatient();
      this.#use.waitsNoMore(organizationId);
      signal.removeEventListener('abort', abort);
    };
    const begin = (): void => {
      settle();
      start();
    };
    query.start = begin;
    signal.addEventListener('abort', abort, { once: true });
    this.#line.wait(query);
    this.#use.waits(organizationId);
  }

  #mayRun(organizationId: string): boolean {
    if (this.#runningOf(organizationId)) return false;
    const { running } = this.#limits;
    if (this.#line.running.size >= running) return false;
    if (running === 1) return true;
    const kind = this.kindOf(organizationId);
    if (kind === null) return true;
    let alike = 0;
    for (const other of this.#line.running) if (this.kindOf(other.organizationId) === kind) alike++;
    return alike < running - 1;
  }

  /** Milliseconds that queries of an organization ran lately, running ones included; starting a process is not charged. */
  #usedMs(organizationId: string): number {
    return this.#use.of(organizationId) + this.#ranMs(this.#runningOf(organizationId));
  }

  /** Milliseconds that its long queries took lately beyond the short part, running ones included. */
  #longMs(organizationId: string): number {
    return this.#use.longOf(organizationId) + pastLong(this.#ranMs(this.#runningOf(organizationId)));
  }

  #ranMs(running: Query | undefined): number {
    const beganAtMs = running?.beganAtMs ?? null;
    return beganAtMs === null ? 0 : this.#clock.now() - beganAtMs;
  }

  /** Never more than one query of an organization runs. */
  #runningOf(organizationId: string): Query | undefined {
    for (const query of this.#line.running) if (query.organizationId === organizationId) return query;
    return undefined;
  }

  /** Ends the turn of a query, once. */
  #endOf(query: Query): () => void {
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#use.add(query.organizationId, this.#ranMs(query));
      this.#line.end(query);
    };
  }

  /**
   * Ends the running query of the organization whose long queries took the most, if it has run longer than {@link
   * PATIENCE_MS}, since a short query is over soon anyway. It must have taken more than twice as much as the
   * organization that waits, so that two alike do not end each other's queries in turn. Short queries do not count: a
   * query that others slow down is not to blame.
   */
  #endHeaviestFor({ organizationId }: Query): void {
    if (this.#runningOf(organizationId) || this.#isFirstServed(organizationId)) return;
    let heaviest: Query | null = null;
    let mostMs = 2 * this.#longMs(organizationId);
    for (const running of this.#line.running) {
      const longMs = this.#longMs(running.organizationId);
      if (running.ended.signal.aborted || this.#ranMs(running) < PATIENCE_MS || longMs <= mostMs) continue;
      heaviest = running;
      mostMs = longMs;
    }
    if (heaviest !== null) heaviest.ended.abort(endedForOthers(this.#ranMs(heaviest)));
  }

  /** Whether a turn is about to become free for it: a query is being ended, and nobody is ahead in line. */
  #isFirstServed(organizationId: string): boolean {
    let ending = 0;
    for (const { ended } of this.#line.running) if (ended.signal.aborted) ending++;
    if (ending === 0) return false;
    const usedMs = this.#usedMs(organizationId);
    const before = new Set<string>();
    for (const other of this.#line.waiting) {
      if (other.organizationId === organizationId) break;
      if (!this.#runningOf(other.organizationId) && this.#usedMs(other.organizationId) <= usedMs) {
        before.add(other.organizationId);
      }
    }
    return before.size < ending;
  }
}

function unavailable(text: string, headers: Readonly<Record<string, string>> = {}): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', { text, headers: { ...RETRY_AFTER, ...headers } });
}

function endedForOthers(ranMs: number): ApiError {
  return new ApiError('TIMEOUT', {
    text: `The query was ended after ${Math.round(ranMs / 1_000)} s: another organization waited for a turn, and long queries of this one took the most time lately. Ask for fewer days, join less, or try again later.`,
  });
}
