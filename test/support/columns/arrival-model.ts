/**
 * A seeded run of everything that may happen to the events of a partition, with a plain list beside it: which events were
 * acknowledged, which are stored, which were erased.
 */
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import type { Partition } from '../../../services/shared/storage/columns/partition.ts';
import { eventRecord } from '../event-record.ts';
import type { LoggedWriter } from './arrival-log.ts';
import type { ColumnEvents } from './column-events.ts';

export const PARTITION: Partition = { organizationId: 'org_a', websiteId: 'web_a' };

const VISITORS = ['anna', 'bert', 'carl'];
/** A writer beats before it acknowledges when its latest beat is this old, in milliseconds. */
const BEATS_AFTER_MS = 30_000;

interface Group {
  readonly sequence: number;
  readonly ids: readonly string[];
  readonly events: readonly string[];
  hasEnded: boolean;
}

interface ModelWriter {
  readonly logged: LoggedWriter;
  readonly groups: Group[];
  beatAt: number;
  isDead: boolean;
}

/** Numbers in [0, below) that depend on the seed alone. */
export function seededNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * below);
  };
}

export class ArrivalModel {
  readonly #columns: ColumnEvents;
  readonly #random: (below: number) => number;
  readonly #writers: ModelWriter[] = [];
  readonly #visitorOf = new Map<string, string>();
  #events = 0;
  #now = 0;
  /** Must be seen. */
  readonly acknowledged = new Set<string>();
  /** May be seen. */
  readonly stored = new Set<string>();
  /** How many were ever acknowledged. */
  acknowledgements = 0;
  /** What happened, for a failure's message. */
  readonly history: string[] = [];

  constructor(columns: ColumnEvents, random: (below: number) => number) {
    this.#columns = columns;
    this.#random = random;
  }

  /** One thing more happens. */
  async step(): Promise<void> {
    const acts: readonly [number, string, () => void | Promise<void>][] = [
      [6, 'append', () => this.#append()],
      [8, 'acknowledge', () => this.#acknowledge()],
      [2, 'fail', () => this.#fail()],
      [4, 'settle', () => this.#settle()],
      [1, 'kill', () => this.#kill()],
      [1, 'adopt', () => this.#adopt()],
      [1, 'close', () => this.#close()],
      [2, 'pause', () => this.#pause()],
      [1, 'build', () => this.#build()],
      [1, 'erase', () => this.#erase()],
    ];
    let at = this.#random(acts.reduce((sum, [weight]) => sum + weight, 0));
    for (const [weight, name, act] of acts) {
      at -= weight;
      if (at >= 0) continue;
      this.history.push(name);
      return act();
    }
  }

  #pick<T>(list: readonly T[]): T | undefined {
    return list[this.#random(list.length)];
  }

  #living(): ModelWriter[] {
    return this.#writers.filter(({ isDead }) => !isDead);
  }

  #append(): void {
    const living = this.#living();
    let writer = this.#pick(living);
    if (!writer || (living.length < 3 && this.#random(4) === 0)) {
      writer = { logged: this.#columns.log.begin(), groups: [], beatAt: this.#now, isDead: false };
      this.#writers.push(writer);
    }
    const records = Array.from({ length: 1 + this.#random(5) }, () => this.#record());
    const sequence = (writer.groups.at(-1)?.sequence ?? 0) + 1;
    const ids = this.#columns.log.store(writer.logged, sequence, records);
    const events = records.map(({ event_id }) => String(event_id));
    for (const event of events) this.stored.add(event);
    writer.groups.push({ sequence, ids, events, hasEnded: false });
  }

  #record(): EventRecord {
    const event_id = `e${++this.#events}`;
    const anonymous_id = this.#pick(VISITORS) ?? '';
    this.#visitorOf.set(event_id, anonymous_id);
    const timestamp = Date.UTC(2026, 0, 1) + this.#random(1_000_000);
    return eventRecord({ event_id, anonymous_id, website_id: PARTITION.websiteId, timestamp });
  }

  #openGroup(writers: readonly ModelWriter[]): [ModelWriter, Group] | null {
    const open = writers.flatMap((writer) =>
      writer.groups.filter(({ hasEnded }) => !hasEnded).map((group): [ModelWriter, Group] => [writer, group]),
    );
    return this.#pick(open) ?? null;
  }

  #acknowledge(): void {
    const [writer, group] = this.#openGroup(this.#living()) ?? [];
    if (!writer || !group) return;
    if (this.#now - writer.beatAt > BEATS_AFTER_MS) this.#beat(writer);
    group.hasEnded = true;
    this.#admit(group);
  }

  /** An append that failed takes its events back before its group is settled. */
  #fail(): void {
    const [writer, group] = this.#openGroup(this.#living()) ?? [];
    if (!writer || !group) return;
    this.#columns.log.remove(new Set(group.ids));
    for (const event of group.events) this.stored.delete(event);
    group.hasEnded = true;
    if (this.#now - writer.beatAt > BEATS_AFTER_MS) this.#beat(writer);
  }

  #settle(): void {
    const writer = this.#pick(this.#living());
    if (!writer) return;
    const open = writer.groups.find(({ hasEnded }) => !hasEnded);
    writer.logged.settled = (open?.sequence ?? (writer.groups.at(-1)?.sequence ?? 0) + 1) - 1;
    this.#beat(writer);
  }

  #beat(writer: ModelWriter): void {
    writer.logged.beats++;
    writer.beatAt = this.#now;
  }

  #kill(): void {
    const writer = this.#pick(this.#living());
    if (writer) writer.isDead = true;
  }

  /** Another writer finds the event of a dead one stored, says so, and acknowledges it. */
  #adopt(): void {
    const [writer, group] = this.#openGroup(this.#writers.filter(({ isDead }) => isDead)) ?? [];
    if (!writer || !group || writer.logged.closed) return;
    writer.logged.recheck++;
    this.#admit(group);
  }

  #admit({ events }: Group): void {
    const stored = events.filter((event) => this.stored.has(event));
    this.acknowledgements += stored.length;
    for (const event of stored) this.acknowledged.add(event);
  }

  /** Closed is who ended cleanly, and who is dead for long. */
  #close(): void {
    const writer = this.#pick(this.#writers);
    if (!writer || writer.logged.closed) return;
    const isClean = writer.groups.every(({ hasEnded }) => hasEnded);
    if (!isClean && !writer.isDead) return;
    writer.isDead = true;
    writer.logged.closed = true;
  }

  /** Long enough, at times, for a writer to count as silent. */
  #pause(): void {
    const ms = this.#random(50_000);
    this.#now += ms;
    this.#columns.advance(ms);
  }

  async #build(): Promise<void> {
    await this.#columns.shelf.build(PARTITION);
  }

  /** The documents first; what segments hold of them goes with the change of the set. */
  async #erase(): Promise<void> {
    const { log, shelf } = this.#columns;
    const set = shelf.setOf(PARTITION);
    const visitor = this.#pick(VISITORS);
    const isGone = (event: string) => this.#visitorOf.get(event) === visitor;
    const gone = log.of(PARTITION).filter(({ event }) => isGone(String(event.event_id)));
    log.remove(new Set(gone.map(({ id }) => id)));
    if (set.version > 0) await shelf.rewrite(PARTITION, set.erasures + 1);
    for (const event of [...this.stored].filter(isGone)) {
      this.stored.delete(event);
      this.acknowledged.delete(event);
    }
  }
}
