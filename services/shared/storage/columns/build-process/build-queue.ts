/** Which partition is built next: those that a query waits for first, then the oldest; failed ones later and later. */
import { type Partition, partitionId } from '../partition.ts';

/** The wait before a build that failed is tried again, in milliseconds; it doubles with each failure. */
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/** The longest wait while a query waits for the partition. */
const LONGEST_AWAITED_MS = 4_000;

/** The wait before looking again at a partition that another process builds, in milliseconds. */
const BUSY_MS = 1_000;

/** A partition that is to be built. */
export interface Job {
  readonly partition: Partition;
  /** Segments whose damage is to be noted first. */
  readonly damaged: Set<string>;
  /** Called when it is built: queries wait for it. */
  readonly awaiting: Set<() => void>;
}

interface Queued extends Job {
  isRunning: boolean;
  /** How often in a row it failed, and with which words at last. */
  failures: number;
  fault: string | null;
  /** Not before this, by the monotonic clock. */
  notBefore: number;
}

/** Instants are those of a monotonic clock, in milliseconds. */
export class BuildQueue {
  /** By partition, in the order in which they were added. */
  readonly #jobs = new Map<string, Queued>();

  /** Those that wait for their turn. */
  get waiting(): number {
    return [...this.#jobs.values()].filter(({ isRunning }) => !isRunning).length;
  }

  /** The job of the partition, which is queued from now on. */
  add(partition: Partition): Job {
    const id = partitionId(partition);
    const known = this.#jobs.get(id);
    if (known) return known;
    const job: Queued = {
      partition,
      damaged: new Set(),
      awaiting: new Set(),
      failures: 0,
      fault: null,
      isRunning: false,
      notBefore: 0,
    };
    this.#jobs.set(id, job);
    return job;
  }

  /** The job of the partition, for which a query waits from now on until it calls `leave`, or `built` is called. */
  await(partition: Partition, built: () => void, now: number): { leave(): void } {
    const job = this.add(partition);
    const queued = this.#jobs.get(partitionId(partition));
    if (queued) queued.notBefore = Math.min(queued.notBefore, now + FIRST_WAIT_MS);
    job.awaiting.add(built);
    return { leave: () => void job.awaiting.delete(built) };
  }

  /** Begins the next job; null: none is due. */
  begin(now: number): Job | null {
    const due = [...this.#jobs.values()].filter(({ isRunning, notBefore }) => !isRunning && notBefore <= now);
    const job = due.find(({ awaiting }) => awaiting.size > 0) ?? due[0];
    if (job === undefined) return null;
    job.isRunning = true;
    return job;
  }

  /** When the next job is due; null: there is none. */
  get dueAt(): number | null {
    const waiting = [...this.#jobs.values()].filter(({ isRunning }) => !isRunning);
    return waiting.length === 0 ? null : Math.min(...waiting.map(({ notBefore }) => notBefore));
  }

  /** It is done, unless damage was found meanwhile; queries that wait for it go on. */
  end(job: Job): void {
    const queued = this.#running(job);
    queued.failures = 0;
    queued.fault = null;
    for (const built of job.awaiting) built();
    if (job.damaged.size === 0) this.#jobs.delete(partitionId(job.partition));
  }

  /** Another process is at it. */
  delay(job: Job, now: number): void {
    this.#running(job).notBefore = now + BUSY_MS;
  }

  /** It failed, and is tried again. Whether that is news: other words than before. */
  fail(job: Job, fault: string, now: number): boolean {
    const queued = this.#running(job);
    const isNews = queued.fault !== fault;
    queued.fault = fault;
    const longest = job.awaiting.size > 0 ? LONGEST_AWAITED_MS : LONGEST_WAIT_MS;
    queued.notBefore = now + Math.min(FIRST_WAIT_MS * 2 ** queued.failures, longest);
    queued.failures++;
    return isNews;
  }

  #running(job: Job): Queued {
    const queued = this.#jobs.get(partitionId(job.partition));
    if (queued === undefined || queued !== job) throw new Error('the job is not in the queue');
    queued.isRunning = false;
    return queued;
  }
}
