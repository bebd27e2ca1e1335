/**
 * Carries clean-ups out, at once or in the background, until each is done: one that a crash interrupts is finished after
 * it.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Cleanup } from '../../shared/model/cleanup.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { cleanOrganization } from './clean-organization.ts';
import { cleanProfile } from './clean-profile.ts';
import { cleanVisitor } from './clean-visitor.ts';
import { cleanWebsite } from './clean-website.ts';
import type { CleanupWork, Removed } from './cleanup-work.ts';

export interface CleanupPorts extends Omit<CleanupWork, 'signal'> {
  readonly clock: Clock;
  readonly log: {
    info(fields: object, text: string): void;
    warn(fields: object, text: string): void;
  };
}

export interface Cleanups {
  /**
   * Finishes what an earlier process left; returns how many clean-ups failed. `othersRun`: other processes ingest
   * events, so each clean-up waits until those admitted earlier are stored ({@link SETTLES_AFTER_MS} after it was
   * requested); without it no admitted event can still be in flight.
   */
  finishLeft(options?: { readonly othersRun?: boolean }): Promise<number>;
  /** Works in the background from now on, until closed. */
  start(): void;
  /** Reports a new clean-up; without {@link start} it waits. */
  wake(): void;
  /**
   * Carries out a stored clean-up now. When it throws, the background continues with it.
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  carryOut(cleanup: Cleanup): Promise<Removed>;
  /** Stops the work between two steps; the next start does the rest. */
  close(): Promise<void>;
}

/**
 * How long after its request the clean-up of a website or an organization runs once more, in milliseconds. Until then
 * admitted events may still arrive: a website is cached for some seconds for requests without a key, and a request of
 * ingest takes up to 15 s.
 */
export const SETTLES_AFTER_MS = 20_000;
/**
 * How often the list is read when nothing reports a new clean-up, in milliseconds: the command line of another process
 * may add one.
 */
const LOOKS_EVERY_MS = 60_000;
/** The wait after the first fault, which doubles up to the longest, in milliseconds. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** What this process knows about an unfinished clean-up. */
interface Progress {
  readonly faults: number;
  readonly dueAtMs: number;
}

/** In milliseconds; tests use shorter times. */
export interface CleanupTimes {
  readonly settlesAfterMs?: number;
  readonly firstWaitMs?: number;
}

export function createCleanups(
  { clock, log, ...ports }: CleanupPorts,
  { settlesAfterMs = SETTLES_AFTER_MS, firstWaitMs = FIRST_WAIT_MS }: CleanupTimes = {},
): Cleanups {
  const ended = new AbortController();
  const work: CleanupWork = { ...ports, signal: ended.signal };
  const progress = new Map<string, Progress>();
  /** The clean-ups that are running. */
  const inHand = new Map<string, Promise<Removed>>();
  let started = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | null = null;
  let wokenAgain = false;

  function carryOutOnce(cleanup: Cleanup, isLast: boolean): Promise<Removed> {
    const known = inHand.get(cleanup.id);
    if (known !== undefined) return known;
    const done = carriedOut(cleanup, isLast).finally(() => inHand.delete(cleanup.id));
    inHand.set(cleanup.id, done);
    return done;
  }

  async function carriedOut(cleanup: Cleanup, isLast: boolean): Promise<Removed> {
    const { id, kind, organizationId, websiteId } = cleanup;
    const fields = { cleanup: id, kind, organizationId, websiteId };
    log.info(fields, 'a clean-up begins');
    try {
      const removed = await clean(cleanup, work);
      if (isLast) await ports.documents.cleanups.remove(organizationId, id);
      log.info({ ...fields, removed }, isLast ? 'a clean-up is done' : 'a clean-up is done once');
      if (isLast) progress.delete(id);
      else progress.set(id, { faults: 0, dueAtMs: settledAtMs(cleanup) });
      return removed;
    } catch (fault) {
      if (ended.signal.aborted) throw fault;
      const faults = (progress.get(id)?.faults ?? 0) + 1;
      const waitMs = Math.min(firstWaitMs * 2 ** (faults - 1), LONGEST_WAIT_MS);
      progress.set(id, { faults, dueAtMs: clock.now() + waitMs });
      log.warn({ ...fields, err: fault, waitMs }, 'a clean-up failed and is tried again');
      throw fault;
    }
  }

  /** Visitors and people have no second pass: what they send afterwards is new. */
  function settledAtMs({ kind, createdAt }: Cleanup): number {
    return kind === 'visitor' || kind === 'profile'
      ? Number.NEGATIVE_INFINITY
      : Date.parse(createdAt) + settlesAfterMs;
  }

  /** Carries out what is due; returns how long until the next one, in milliseconds. */
  async function pass(): Promise<number> {
    const pending = await ports.documents.allCleanups();
    for (const id of progress.keys()) {
      if (!pending.some((cleanup) => cleanup.id === id)) progress.delete(id);
    }
    for (const cleanup of pending) {
      if (ended.signal.aborted) return LOOKS_EVERY_MS;
      const now = clock.now();
      if (inHand.has(cleanup.id) || (progress.get(cleanup.id)?.dueAtMs ?? 0) > now) continue;
      // A fault is logged and waits for its retry; the others continue.
      await carryOutOnce(cleanup, settledAtMs(cleanup) <= now).catch(() => undefined);
    }
    const waits = [...progress.values()].map(({ dueAtMs }) => Math.max(dueAtMs - clock.now(), 1));
    return Math.min(LOOKS_EVERY_MS, ...waits);
  }

  async function run(): Promise<void> {
    let waitMs = firstWaitMs;
    do {
      wokenAgain = false;
      waitMs = await pass().catch((fault: unknown) => {
        log.warn({ err: fault }, 'the list of clean-ups cannot be read');
        return firstWaitMs;
      });
    } while (wokenAgain && !ended.signal.aborted);
    running = null;
    if (ended.signal.aborted) return;
    timer = setTimeout(wake, waitMs);
    timer.unref();
  }

  function wake(): void {
    if (!started || ended.signal.aborted) return;
    wokenAgain = true;
    if (running !== null) return;
    clearTimeout(timer);
    running = run();
  }

  return {
    async finishLeft({ othersRun = false } = {}) {
      let left = 0;
      for (const cleanup of await ports.documents.allCleanups()) {
        const waitMs = othersRun ? settledAtMs(cleanup) - clock.now() : 0;
        if (waitMs > 0) await delay(waitMs, undefined, { signal: ended.signal }).catch(() => undefined);
        await carryOutOnce(cleanup, true).catch(() => {
          left++;
        });
      }
      return left;
    },
    start() {
      started = true;
      wake();
    },
    wake,
    async carryOut(cleanup) {
      try {
        return await carryOutOnce(cleanup, settledAtMs(cleanup) <= clock.now());
      } catch (fault) {
        wake();
        throw fault;
      }
    },
    async close() {
      ended.abort(new Error('the process ends'));
      clearTimeout(timer);
      await running;
      await Promise.allSettled(inHand.values());
    },
  };
}

function clean(cleanup: Cleanup, work: CleanupWork): Promise<Removed> {
  switch (cleanup.kind) {
    case 'website':
      return cleanWebsite(cleanup, work);
    case 'organization':
      return cleanOrganization(cleanup, work);
    case 'visitor':
      return cleanVisitor(cleanup, work);
    case 'profile':
      return cleanProfile(cleanup, work);
  }
}
