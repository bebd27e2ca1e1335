/** Counters in memory whose quotas are also in a file: windows end soon anyway, a month must outlive a restart. */
import type { Logger } from 'pino';
import { ApiError } from '../../errors/api-error.ts';
import type { Clock } from '../../ports/clock.ts';
import {
  type CounterStore,
  type LimitDecision,
  type LimitState,
  type LimitUse,
  LONGEST_PERIOD_MS,
  neededOf,
} from '../../ports/counter-store.ts';
import type { MemoryCounterStore } from '../memory/memory-counter-store.ts';
import { periodEndMs } from '../window-length.ts';
import { type QuotaCount, QuotaFile } from './quota-file.ts';

export interface DurableCounterStoreOptions {
  /** Decides; nothing else counts in it. */
  readonly memory: MemoryCounterStore;
  /** The file; it is created with the first quota that counts. */
  readonly path: string;
  /** What stands in the file for a subject or name that holds an address. */
  readonly seal: (text: string) => string;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
}

/** How often what was counted is brought to the disk, in milliseconds: what a loss of power takes at most. */
const SETTLE_MS = 1_000;
/** How long after a fault the file is opened again, in milliseconds. */
const REOPEN_MS = 5_000;
/**
 * How soon a file that another process has locked is tried again, in milliseconds: by a timer, so that no request waits. And
 * how often, until that counts as a fault.
 */
const LOCKED_MS = 100;
const LOCKED_TRIES = 10;
/** How many counts are remembered that the file did not take. */
const MOST_OWED = 100_000;
/** How many of them are written at a time: some milliseconds. */
const PAID_AT_ONCE = 200;

/**
 * A request is in the file before it is admitted, so what anybody was answered stays counted when the process is killed.
 * Requests without a quota do not touch the file. While it fails, quotas count in memory and are written later; those
 * that are `closed` refuse with 503, and such a request counts nowhere. A short lock of another process is no fault: what is
 * counted meanwhile is written as soon as the file is free.
 */
export class DurableCounterStore implements CounterStore {
  readonly #options: DurableCounterStoreOptions;
  readonly #memory: MemoryCounterStore;
  readonly #owed = new Map<string, QuotaCount>();
  #file: QuotaFile | null = null;
  #isFailing = false;
  #triedAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | null = null;
  /** Tries again soon; null while nothing is known of a lock. */
  #retry: NodeJS.Timeout | null = null;
  /** How often in a row the file was locked. */
  #locked = 0;
  #isClosed = false;

  constructor(options: DurableCounterStoreOptions) {
    this.#options = options;
    this.#memory = options.memory;
  }

  /** @throws ApiError SERVICE_UNAVAILABLE when the file fails and a quota is `closed` */
  decide(subject: string, uses: readonly LimitUse[]): LimitDecision {
    let hasQuota = false;
    for (let index = 0; index < uses.length && !hasQuota; index++) {
      hasQuota = uses[index]?.period !== undefined;
    }
    if (!hasQuota) return this.#memory.decide(subject, uses);
    const isClosed = uses.some(refusesWithoutFile);
    for (const use of uses) if (!this.#recall(subject, use) && isClosed) throw refusal();
    const exceeded = uses.filter((use) => this.#exceeds(subject, use));
    const isRefused = exceeded.some(({ shadow }) => !shadow);
    const taken = uses.filter(
      ({ period, cost, shadow }) => period !== undefined && cost > 0 && !(shadow && exceeded.length > 0),
    );
    const costs = taken.map(({ cost }) => cost);
    if (isRefused) {
      const decision = this.#memory.decide(subject, uses);
      // A window ended since.
      if (decision.admitted && !this.#write(subject, taken, costs)) this.#owe(subject, taken, costs);
      return decision;
    }
    if (!this.#write(subject, taken, costs)) {
      if (isClosed) throw refusal();
      this.#owe(subject, taken, costs);
    }
    const decision = this.#memory.decide(subject, uses);
    // Another process had filled the quota, as the write showed.
    if (!decision.admitted)
      this.#write(
        subject,
        taken,
        costs.map((cost) => -cost),
      );
    return decision;
  }

  /** Never throws: what the file does not take of work that was done is owed to it. */
  charge(subject: string, use: LimitUse, amount: number): LimitState {
    this.#recall(subject, use);
    if (use.period !== undefined && !this.#write(subject, [use], [amount]))
      this.#owe(subject, [use], [amount]);
    return this.#memory.charge(subject, use, amount);
  }

  peek(subject: string, use: LimitUse): LimitState {
    return this.#memory.peek(subject, use);
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    // The last chance to write what is owed.
    this.#stopWaiting();
    this.#triedAtMs = Number.NEGATIVE_INFINITY;
    this.#locked = LOCKED_TRIES;
    this.#settle(MOST_OWED);
    this.#isClosed = true;
    this.#drop();
    await this.#memory.close();
  }

  #exceeds(subject: string, use: LimitUse): boolean {
    const needed = neededOf(use);
    return needed > 0 && this.#memory.peek(subject, use).remaining < needed;
  }

  /** Reads a quota of which this process knows nothing: it is new, or the process is. False when the file fails. */
  #recall(subject: string, use: LimitUse): boolean {
    if (use.period === undefined || this.#memory.peek(subject, use).remaining < use.limit) return true;
    const count = this.#attempt((file) => file.count(this.#countOf(subject, use, 0)));
    if (count !== null && count > 0) this.#adopt(subject, use, count);
    return count !== null;
  }

  /** Adds to the quotas, before memory does; false when the file fails, and then it has none of them. */
  #write(subject: string, uses: readonly LimitUse[], amounts: readonly number[]): boolean {
    const counts = uses.map((use, index) => {
      const count = this.#countOf(subject, use, amounts[index] as number);
      const owed = this.#owed.size === 0 ? undefined : this.#owed.get(keyOf(count));
      return owed === undefined ? count : { ...count, amount: count.amount + owed.amount };
    });
    const sums = this.#attempt((file) => file.add(counts));
    if (sums === null) return false;
    for (const [index, use] of uses.entries()) {
      if (this.#owed.size > 0) this.#owed.delete(keyOf(counts[index] as QuotaCount));
      const before = (sums[index] ?? 0) - (amounts[index] as number);
      // Another process counts in the same file.
      const used = use.limit - this.#memory.peek(subject, use).remaining;
      if (before > used && used < use.limit) this.#adopt(subject, use, before);
    }
    return true;
  }

  /** Remembers what the file did not take. */
  #owe(subject: string, uses: readonly LimitUse[], amounts: readonly number[]): void {
    for (const [index, use] of uses.entries()) {
      const count = this.#countOf(subject, use, amounts[index] as number);
      const key = keyOf(count);
      const owed = this.#owed.get(key);
      if (owed === undefined && this.#owed.size >= MOST_OWED) continue;
      this.#owed.set(key, { ...count, amount: count.amount + (owed?.amount ?? 0) });
    }
  }

  /** Writes up to `most` of what is owed, and brings what was written to the disk. */
  #settle(most: number): void {
    if (this.#file === null && this.#owed.size === 0) return;
    const nowMs = this.#options.clock.now();
    this.#attempt((file) => {
      const paid: [string, QuotaCount][] = [];
      for (const entry of this.#owed) {
        if (paid.length === most) break;
        if (entry[1].endsAtMs <= nowMs) this.#owed.delete(entry[0]);
        else paid.push(entry);
      }
      file.add(paid.map(([, count]) => count));
      for (const [key] of paid) this.#owed.delete(key);
      file.settle(nowMs);
      return true;
    });
  }

  #countOf(subject: string, { name, period = 'day' }: LimitUse, amount: number): QuotaCount {
    const endsAtMs = periodEndMs(period, this.#options.clock.now());
    const isOfAddress = holdsAddress(subject) || holdsAddress(name);
    return {
      ...{ subject: this.#named(subject), name: this.#named(name), endsAtMs, isOfAddress, amount },
      keptUntilMs: endsAtMs + LONGEST_PERIOD_MS[period],
    };
  }

  #adopt(subject: string, use: LimitUse, count: number): void {
    if (use.period === undefined) return;
    const { limit } = use;
    const nowMs = this.#options.clock.now();
    const resetAtMs = periodEndMs(use.period, nowMs);
    const state = { limit, remaining: limit - count, resetAtMs, violated: false };
    this.#memory.adopt(subject, [use], { admitted: true, states: [state], nowMs });
  }

  /** The result of work on the file; null when it fails. */
  #attempt<T>(work: (file: QuotaFile) => T): T | null {
    try {
      const file = this.#open();
      if (file === null) return null;
      const result = work(file);
      this.#locked = 0;
      if (this.#isFailing)
        this.#options.logger.info({ file: this.#options.path }, 'quotas are written again');
      this.#isFailing = false;
      return result;
    } catch (fault) {
      if (this.#waitsForLock(fault)) return null;
      if (!this.#isFailing) {
        this.#options.logger.warn(
          { err: fault, file: this.#options.path },
          'quotas cannot be written: until they can, they count in memory, and a restart would forget that',
        );
      }
      this.#isFailing = true;
      this.#drop();
      return null;
    }
  }

  /** Whether the fault is a lock that may soon be gone; then the file is tried again, and nothing meanwhile. */
  #waitsForLock(fault: unknown): boolean {
    if ((fault as { readonly code?: unknown }).code !== 'SQLITE_BUSY' || this.#locked >= LOCKED_TRIES)
      return false;
    this.#locked++;
    this.#drop();
    this.#retry = setTimeout(() => {
      this.#stopWaiting();
      this.#triedAtMs = Number.NEGATIVE_INFINITY;
      this.#settle(PAID_AT_ONCE);
    }, LOCKED_MS).unref();
    return true;
  }

  #stopWaiting(): void {
    if (this.#retry !== null) clearTimeout(this.#retry);
    this.#retry = null;
  }

  /** Opens the file, after a fault some seconds later; null meanwhile, and once this is closed without one. */
  #open(): QuotaFile | null {
    if (this.#file !== null || this.#isClosed) return this.#file;
    if (this.#retry !== null) return null;
    const nowMs = performance.now();
    if (nowMs - this.#triedAtMs < REOPEN_MS) return null;
    this.#triedAtMs = nowMs;
    this.#timer ??= setInterval(() => this.#settle(PAID_AT_ONCE), SETTLE_MS).unref();
    this.#file = new QuotaFile(this.#options.path);
    return this.#file;
  }

  #drop(): void {
    const file = this.#file;
    this.#file = null;
    try {
      file?.close();
    } catch {
      // What made it fail was told already.
    }
  }

  /** No address stands in the file. */
  #named(text: string): string {
    return holdsAddress(text) ? this.#options.seal(text) : text;
  }
}

function holdsAddress(text: string): boolean {
  return text.includes('address:');
}

function keyOf({ endsAtMs, subject, name }: QuotaCount): string {
  return `${endsAtMs} ${subject} ${name}`;
}

function refusesWithoutFile({ period, onStoreFailure, shadow }: LimitUse): boolean {
  return period !== undefined && onStoreFailure === 'closed' && !shadow;
}

function refusal(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    text: 'The file that counts quotas cannot be written, and this quota lets nothing pass without it.',
    headers: { 'Retry-After': `${REOPEN_MS / 1000}` },
  });
}
