/**
 * The events of a partition that its segments do not cover, kept in a table. Those within positions that were settled
 * before they were read are stable; the others are looked at again by each find, since an append that fails takes its
 * events back.
 */
import { ApiError } from '../../errors/api-error.ts';
import type { DayChanges } from '../answers/day-changes.ts';
import type { NumberedArrival, TailTable, TailTables } from '../duckdb/columns/tail-tables.ts';
import type { Partition } from './partition.ts';
import { isWithin, type Positions, union } from './positions.ts';
import type { Arrival, ArrivalSource } from './sources.ts';
import type { WriterReading } from './writer-watch.ts';

/** How many events a tail may hold: with more, queries wait until they are built into segments. */
export const MOST_TAIL_EVENTS = 500_000;

export interface TailPorts {
  readonly partition: Partition;
  readonly arrivals: Pick<ArrivalSource, 'read'>;
  readonly tables: Pick<TailTables, 'create'>;
  /** Told of events that came or went, once queries see it. */
  readonly changes: DayChanges;
  /** Ends reads. */
  readonly signal: AbortSignal;
}

/** What lay beyond the stable events at one time. */
export interface Found {
  readonly arrivals: readonly Arrival[];
  /** Writers that were left out. */
  readonly without: ReadonlySet<number>;
  /** What the writers told before. */
  readonly reading: WriterReading;
}

interface Row {
  readonly row: number;
  readonly writer: number;
  readonly sequence: number;
}

export class Tail {
  readonly #ports: TailPorts;
  #table: TailTable;
  /** Events within these are stable, or in segments. */
  #stable: Positions;
  /** The rows that are not stable, by the ids of their events. */
  #volatile = new Map<string, Row>();
  /** Silent writers whose leftovers were read while they were silent, with what they told last. */
  #rested: ReadonlyMap<number, number>;
  #rows = 0;

  private constructor(ports: TailPorts, table: TailTable, covered: Positions, reading: WriterReading) {
    this.#ports = ports;
    this.#table = table;
    this.#stable = union(covered, reading.positions);
    this.#rested = reading.silent;
  }

  /** Reads everything beyond `covered`; `reading` ended before. */
  static async begin(ports: TailPorts, covered: Positions, reading: WriterReading): Promise<Tail> {
    const table = await ports.tables.create();
    const tail = new Tail(ports, table, covered, reading);
    try {
      const { partition, arrivals, signal } = ports;
      const all = { beyond: covered, without: new Set<number>() };
      for await (const some of arrivals.read(partition, all, signal)) {
        requireBounded(table.rows + some.length);
        await tail.#insert(some.filter(({ id }) => !tail.#volatile.has(id)));
      }
      return tail;
    } catch (fault) {
      await table.drop();
      throw fault;
    }
  }

  get table(): TailTable {
    return this.#table;
  }

  /** Reads what lies beyond the stable events, from now on; `reading` ended before. Changes nothing. */
  async find(reading: WriterReading): Promise<Found> {
    const { partition, arrivals, signal } = this.#ports;
    const without = new Set(
      [...reading.silent].flatMap(([writer, told]) => (this.#rested.get(writer) === told ? [writer] : [])),
    );
    const found: Arrival[] = [];
    for await (const some of arrivals.read(partition, { beyond: this.#stable, without }, signal)) {
      found.push(...some);
      requireBounded(this.#table.rows + found.length);
    }
    return { arrivals: found, without, reading };
  }

  /** Takes over what was found, but nothing that is within `covered`. */
  async apply({ arrivals, without, reading }: Found, covered: Positions): Promise<void> {
    this.#stable = union(this.#stable, reading.positions);
    this.#rested = reading.silent;
    const before = this.#volatile;
    this.#volatile = new Map();
    const gone: number[] = [];
    const fresh = new Map<string, Arrival>();
    for (const arrival of arrivals) {
      const known = before.get(arrival.id);
      if (known?.writer !== arrival.writer || known.sequence !== arrival.sequence) {
        fresh.set(arrival.id, arrival);
        continue;
      }
      before.delete(arrival.id);
      this.#watch(arrival.id, known);
    }
    for (const [id, known] of before) {
      if (without.has(known.writer) && !fresh.has(id)) this.#watch(id, known);
      else gone.push(known.row);
    }
    await this.#table.remove(gone);
    if (gone.length > 0) this.#ports.changes.noteAll();
    await this.#insert([...fresh.values()].filter((arrival) => !isWithin(arrival, covered)));
  }

  /** The events within `covered` leave; since queries in progress may read the table, into another one. */
  async leave(covered: Positions): Promise<void> {
    this.#stable = union(this.#stable, covered);
    for (const [id, row] of this.#volatile) if (isWithin(row, covered)) this.#volatile.delete(id);
    if (this.#table.rows > 0) this.#table = await this.#table.beyond(covered);
  }

  async #insert(arrivals: readonly Arrival[]): Promise<void> {
    const numbered = arrivals.map((arrival): NumberedArrival => ({ ...arrival, row: ++this.#rows }));
    await this.#table.insert(numbered);
    if (arrivals.length > 0) this.#ports.changes.note(arrivals.map(({ event }) => event.timestamp));
    for (const { id, ...row } of numbered) this.#watch(id, row);
  }

  /** Remembers a row that is not stable yet. */
  #watch(id: string, { row, writer, sequence }: Row): void {
    if (!isWithin({ writer, sequence }, this.#stable)) this.#volatile.set(id, { row, writer, sequence });
  }
}

function requireBounded(events: number): void {
  if (events <= MOST_TAIL_EVENTS) return;
  throw new ApiError('SERVICE_UNAVAILABLE', {
    cause: new Error(`more than ${MOST_TAIL_EVENTS} events wait to be built into segments`),
    text: 'The events are being prepared for queries; try again shortly.',
  });
}
