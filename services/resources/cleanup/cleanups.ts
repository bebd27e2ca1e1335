/** Carries clean-ups out, at once or in the background, until each is done: what was begun before a crash is finished after it. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Cleanup } from '../../shared/model/cleanup.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import type { DocumentStore } from '../../shared/ports/document-store.ts';
import type { EventEraser } from '../../shared/ports/event-store.ts';
import { cleanOrganization } from './clean-organization.ts';
import { cleanVisitor } from './clean-visitor.ts';
import { cleanWebsite } from './clean-website.ts';

/** What the work of a clean-up needs. */
export interface CleanupWork {
  readonly documents: DocumentStore;
  readonly events: EventEraser;
  /** Aborted when the process ends; looked at between steps. */
  readonly signal: AbortSignal;
}

/** What a clean-up removed. */
export interface Removed {
  readonly documents: number;
  readonly events: number;
}

export interface CleanupPorts extends Omit<CleanupWork, 'signal'> {
  readonly clock: Clock;
  readonly log: {
    info(fields: object, text: string): void;
    warn(fields: object, text: string): void;
  };
}

export interface Cleanups {
  /**
   * Carries out what an earlier process left, for good. How many could not be. `othersRun`: other processes take events
   * in, so each waits until what these admitted before is stored ({@link SETTLES_AFTER_MS} after it was written); without
   * it nothing that was admitted is under way any more.
   */
  finishLeft(options?: { readonly othersRun?: boolean }): Promise<number>;
  /** Works in the background from now on, until closed. */
  start(): void;
  /** A clean-up was written; without {@link start} it waits. */
  wake(): void;
  /** Carries out one that was written, now. When it throws, the background goes on with it. @throws ApiError SERVICE_UNAVAILABLE */
  carryOut(cleanup: Cleanup): Promise<Removed>;
  /** Ends the work between two steps; what is left is done at the next start. */
  close(): Promise<void>;
}

/**
 * How long after it was written a clean-up of a website or an organization is carried out once more, in milliseconds:
 * until then events may come that were admitted before, by the seconds for which a website without key is remembered
 * and by the longest that a request of ingest takes (15 s).
 */
export const SETTLES_AFTER_MS = 20_000;
/** How often the list is read though nobody woke it, in milliseconds: the command line of another process may write to it. */
const LOOKS_EVERY_MS = 60_000;
/** The wait after a fault, which doubles up to the longest, in milliseconds. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** What this process knows of a clean-up that it has not finished. */
interface Progress {
  readonly faults: number;
  readonly dueAtMs: number;
}

export function createCleanups(
  { clock, log, ...ports }: CleanupPorts,
  { settlesAfterMs = SETTLES_AFTER_MS }: { readonly settlesAfterMs?: number } = {},
): Cleanups {
  const ended = new AbortController();
  const work: CleanupWork = { ...ports, signal: ended.signal };
  const progress = new Map<string, Progress>();
  /** Those that are carried out at the moment. */
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
      const waitMs = Math.min(FIRST_WAIT_MS * 2 ** (faults - 1), LONGEST_WAIT_MS);
      progress.set(id, { faults, dueAtMs: clock.now() + waitMs });
      log.warn({ ...fields, err: fault, waitMs }, 'a clean-up failed and is tried again');
      throw fault;
    }
  }

  /** Visitors have no second time: what they send afterwards is their own new doing. */
  function settledAtMs({ kind, createdAt }: Cleanup): number {
    return kind === 'visitor' ? Number.NEGATIVE_INFINITY : Date.parse(createdAt) + settlesAfterMs;
  }

  /** Carries out what is due; how long until something is, in milliseconds. */
  async function pass(): Promise<number> {
    const pending = await ports.documents.allCleanups();
    for (const id of progress.keys()) {
      if (!pending.some((cleanup) => cleanup.id === id)) progress.delete(id);
    }
    for (const cleanup of pending) {
      if (ended.signal.aborted) return LOOKS_EVERY_MS;
      const now = clock.now();
      if (inHand.has(cleanup.id) || (progress.get(cleanup.id)?.dueAtMs ?? 0) > now) continue;
      // A fault is logged and waits for its turn; the others go on.
      await carryOutOnce(cleanup, settledAtMs(cleanup) <= now).catch(() => undefined);
    }
    const waits = [...progress.values()].map(({ dueAtMs }) => Math.max(dueAtMs - clock.now(), 1));
    return Math.min(LOOKS_EVERY_MS, ...waits);
  }

  async function run(): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    do {
      wokenAgain = false;
      waitMs = await pass().catch((fault: unknown) => {
        log.warn({ err: fault }, 'the list of clean-ups cannot be read');
        return FIRST_WAIT_MS;
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
  }
}
