/** Arrivals in memory: writers that store groups of events, settle, fall silent, fail and end, as those of a database do. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import { type Partition, partitionId } from '../../../services/shared/storage/columns/partition.ts';
import { isWithin, type Positions } from '../../../services/shared/storage/columns/positions.ts';
import type { Arrival, ArrivalSource, Writers } from '../../../services/shared/storage/columns/sources.ts';

export interface LoggedWriter {
  readonly number: number;
  settled: number;
  beats: number;
  recheck: number;
  closed: boolean;
}

interface Logged extends Arrival {
  readonly partition: string;
}

export class ArrivalLog implements ArrivalSource {
  readonly writerList: LoggedWriter[] = [];
  #logged: Logged[] = [];
  #ids = 0;
  /** Events of a batch: few, so that reads are interrupted by what a test does meanwhile. */
  batch = 3;
  /** Events that were read so far. */
  eventsRead = 0;
  /** When set, reads fail with it. */
  fault: Error | null = null;

  /** A further writer. */
  begin(): LoggedWriter {
    const writer = { number: this.writerList.length + 1, settled: 0, beats: 0, recheck: 0, closed: false };
    this.writerList.push(writer);
    return writer;
  }

  /** Stores events of a group; returns their ids. */
  store(writer: LoggedWriter, sequence: number, events: readonly EventRecord[]): string[] {
    return events.map((event) => {
      const id = `id_${++this.#ids}`;
      const partition = partitionId({ organizationId: event.organization_id, websiteId: event.website_id });
      this.#logged.push({ id, partition, writer: writer.number, sequence, event });
      return id;
    });
  }

  /** Removes the events of these ids. */
  remove(ids: ReadonlySet<string>): void {
    this.#logged = this.#logged.filter(({ id }) => !ids.has(id));
  }

  /** What is stored of a partition, by stamp. */
  of(partition: Partition): Arrival[] {
    return this.#sorted(partitionId(partition));
  }

  async writers(): Promise<Writers> {
    await nextTurn();
    if (this.fault) throw this.fault;
    const open = this.writerList.filter(({ closed }) => !closed).map((writer) => ({ ...writer }));
    const sequences = new Map(open.map(({ number, settled }) => [number, settled]));
    return { positions: { sequences, floor: this.writerList.length }, open };
  }

  /** Reads in batches, each of what is there when its turn comes. */
  async *read(
    partition: Partition,
    { beyond, without }: { readonly beyond: Positions; readonly without: ReadonlySet<number> },
  ): AsyncGenerator<readonly Arrival[]> {
    let last: Arrival | null = null;
    for (;;) {
      await nextTurn();
      if (this.fault) throw this.fault;
      const after: Arrival | null = last;
      const batch = this.#sorted(partitionId(partition))
        .filter((arrival) => after === null || order(arrival, after) > 0)
        .filter((arrival) => !without.has(arrival.writer) && !isWithin(arrival, beyond))
        .slice(0, this.batch);
      last = batch.at(-1) ?? null;
      if (last === null) return;
      this.eventsRead += batch.length;
      yield batch;
    }
  }

  #sorted(id: string): Logged[] {
    return this.#logged.filter(({ partition }) => partition === id).sort(order);
  }
}

function order(a: Arrival, b: Arrival): number {
  return a.writer - b.writer || a.sequence - b.sequence || Number(a.id.slice(3)) - Number(b.id.slice(3));
}
