/** Follows one partition: which segments there are, and what arrived since; each query sees a state of both that fits. */
import { ApiError } from '../../errors/api-error.ts';
import { DayChanges, type InstantRange } from '../answers/day-changes.ts';
import type { TailTable, TailTables } from '../duckdb/columns/tail-tables.ts';
import { untilAborted } from '../single-flight.ts';
import type { Partition } from './partition.ts';
import { contains } from './positions.ts';
import { isReadable, type SegmentSet } from './segment-set.ts';
import { SharedRuns } from './shared-runs.ts';
import type { ArrivalSource, SegmentBuilds, SegmentSource } from './sources.ts';
import { type Found, Tail } from './tail.ts';
import type { WriterReading, WriterWatch } from './writer-watch.ts';

/** A tail of more events than this asks to be built into segments, again after this many milliseconds. */
export const LONG_TAIL_EVENTS = 50_000;
const ASK_AGAIN_MS = 10_000;

/** When it is worth another try, in seconds. */
const RETRY_SECONDS = 10;

export interface PartitionPorts {
  readonly arrivals: ArrivalSource;
  readonly segments: Pick<SegmentSource, 'read'>;
  readonly builds: SegmentBuilds;
  readonly watch: WriterWatch;
  readonly tables: TailTables;
  /** Milliseconds that never run backwards. */
  readonly now: () => number;
  /** Ends every read. */
  readonly signal: AbortSignal;
  /** How long a query waits for the first segments, in milliseconds. */
  readonly firstWaitMs: number;
}

/** What a query reads; every event is in exactly one of the two. */
export interface PartitionView {
  readonly set: SegmentSet;
  /** Null: it has no events. */
  readonly tail: TailTable | null;
  /** The same number as before: no event of the range that was asked for has changed since. */
  readonly latest: number;
  /** The query has ended. */
  release(): void;
}

/** What is known of a partition. */
interface State {
  readonly set: SegmentSet;
  readonly tail: Tail;
  /** The table of the tail. */
  readonly table: TailTable;
}

export class PartitionReader {
  readonly partition: Partition;
  readonly #ports: PartitionPorts;
  readonly #syncs = new SharedRuns(() => this.#sync());
  readonly #changes = new DayChanges();
  /** Null: nothing was built yet, or everything is to be read anew. */
  #state: State | null = null;
  /** What the writers told, before the latest sync. */
  #reading: WriterReading | null = null;
  /** How many queries read a table; one that was left is dropped once nobody reads it. */
  readonly #users = new Map<TailTable, number>();
  #askedAt = Number.NEGATIVE_INFINITY;
  /** When a query last asked. */
  lookedAt: number;

  constructor(partition: Partition, ports: PartitionPorts) {
    this.partition = partition;
    this.#ports = ports;
    this.lookedAt = ports.now();
  }

  /** Events held in memory. */
  get rows(): number {
    return this.#state?.table.rows ?? 0;
  }

  /** How many syncs began. */
  get syncs(): number {
    return this.#syncs.begun;
  }

  /**
   * The partition with every event that was acknowledged before the call, of which the query reads those of the range.
   * Waits for the first segments where there are none, for a while: the build goes on. @throws ApiError SERVICE_UNAVAILABLE, or the signal's reason
   */
  async look(signal: AbortSignal, range: InstantRange = null): Promise<PartitionView> {
    for (;;) {
      this.lookedAt = this.#ports.now();
      await untilAborted(this.#syncs.ask(), signal);
      if (this.#state) return this.#hold(this.#state, range);
      await this.#waitForFirst(signal);
    }
  }

  async #waitForFirst(signal: AbortSignal): Promise<void> {
    const { builds, signal: closing, firstWaitMs } = this.#ports;
    const late = new AbortController();
    const until = AbortSignal.any([signal, closing, late.signal]);
    until.throwIfAborted();
    const timer = setTimeout(() => late.abort(notBuiltYet()), firstWaitMs);
    try {
      await untilAborted(builds.first(this.partition, until), until);
    } finally {
      clearTimeout(timer);
    }
  }

  /** Lets queries find little new; does nothing during a sync. Faults are left to queries. */
  async follow(): Promise<void> {
    if (!this.#syncs.isRunning) await this.#syncs.ask().catch(() => undefined);
  }

  /** Gives the memory back; the next query reads the tail anew. Returns whether it did: not during a sync. */
  forget(): boolean {
    if (this.#syncs.isRunning) return false;
    this.#setState(null);
    return true;
  }

  #hold({ set, table }: State, range: InstantRange): PartitionView {
    this.#users.set(table, (this.#users.get(table) ?? 0) + 1);
    let isHeld = true;
    const release = () => {
      if (isHeld) this.#release(table);
      isHeld = false;
    };
    const latest = this.#changes.latestIn(range);
    return { set, tail: table.rows > 0 ? table : null, latest, release };
  }

  #release(table: TailTable): void {
    const users = (this.#users.get(table) ?? 0) - 1;
    if (users > 0) this.#users.set(table, users);
    else {
      this.#users.delete(table);
      this.#dropUnused(table);
    }
  }

  #setState(state: State | null): void {
    const former = this.#state?.table;
    this.#state = state;
    if (former) this.#dropUnused(former);
  }

  /** Drops a table that is not the present one, unless a query reads it. */
  #dropUnused(table: TailTable): void {
    if (this.#state?.table === table || this.#users.has(table)) return;
    // The whole engine may have been closed meanwhile.
    table.drop().catch(() => undefined);
  }

  async #sync(): Promise<void> {
    const { segments, watch } = this.#ports;
    const former = this.#state;
    const [reading, read, found] = await Promise.all([
      watch.read(),
      segments.read(this.partition, former?.set.version),
      this.#reading ? former?.tail.find(this.#reading) : undefined,
    ]);
    this.#reading = reading;
    const set = read === 'unchanged' ? former?.set : read;
    try {
      // Segments of other columns are made anew first.
      if (!set?.segments.every(isReadable)) this.#setState(null);
      else if (former && found && follows(set, former.set)) await this.#advance(former, found, set, reading);
      else await this.#readAnew(set, reading);
    } catch (fault) {
      // Whatever was half done, the next sync reads anew.
      this.#setState(null);
      throw fault;
    }
    this.#askForBuild();
  }

  async #advance(
    { tail, set: former }: State,
    found: Found,
    set: SegmentSet,
    now: WriterReading,
  ): Promise<void> {
    // A writer that was left out may have stored events since it told something again.
    const isStale = [...found.without].some(
      (writer) => now.silent.get(writer) !== found.reading.silent.get(writer),
    );
    await tail.apply(isStale ? await tail.find(now) : found, set.covered);
    if (!contains(former.covered, set.covered)) await tail.leave(set.covered);
    this.#setState({ set, tail, table: tail.table });
    // Segments may hold events that were never in the tail.
    if (set.version !== former.version) this.#changes.noteAll();
  }

  async #readAnew(set: SegmentSet, reading: WriterReading): Promise<void> {
    const { arrivals, tables, signal } = this.#ports;
    this.#setState(null);
    const tail = await Tail.begin(
      { partition: this.partition, arrivals, tables, changes: this.#changes, signal },
      set.covered,
      reading,
    );
    this.#setState({ set, tail, table: tail.table });
    this.#changes.noteAll();
  }

  #askForBuild(): void {
    const { now, builds } = this.#ports;
    if (this.rows < LONG_TAIL_EVENTS || now() - this.#askedAt < ASK_AGAIN_MS) return;
    this.#askedAt = now();
    builds.ask(this.partition);
  }
}

function notBuiltYet(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    text: 'These events are being made ready for queries, which takes about a minute for a million of them; try again shortly.',
    headers: { 'Retry-After': `${RETRY_SECONDS}` },
  });
}

/** Whether what is held beyond the segments of `former` includes what lies beyond those of `set`. */
function follows(set: SegmentSet, former: SegmentSet): boolean {
  return set.erasures === former.erasures && contains(set.covered, former.covered);
}
