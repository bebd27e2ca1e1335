/** Segments in a folder: real files, and in memory which of them answer for a partition. */
import { createHash } from 'node:crypto';
import { copyFile, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import { type Partition, partitionId } from '../../../services/shared/storage/columns/partition.ts';
import {
  isWithin,
  NO_POSITIONS,
  type Positions,
} from '../../../services/shared/storage/columns/positions.ts';
import {
  DamagedSegment,
  SEGMENT_SCHEMA,
  type Segment,
  type SegmentSet,
} from '../../../services/shared/storage/columns/segment-set.ts';
import type { SegmentBuilds, SegmentSource } from '../../../services/shared/storage/columns/sources.ts';
import { selectLists, toColumnLists } from '../../../services/shared/storage/duckdb/event-table.ts';
import { EVENT_COLUMNS } from '../../../services/shared/storage/event-columns.ts';
import type { ArrivalLog } from './arrival-log.ts';

export class SegmentShelf implements SegmentSource, SegmentBuilds {
  readonly #directory: string;
  readonly #log: ArrivalLog;
  readonly #sets = new Map<string, SegmentSet>();
  #files = 0;
  /** What was asked and reported. */
  readonly asked: Partition[] = [];
  readonly reported: DamagedSegment[] = [];
  readonly #unfinished: (() => void)[] = [];
  /** Whether first segments are built at once; otherwise a test says when. */
  buildsFirst = true;
  /** How many files were brought. */
  brought = 0;

  constructor(directory: string, log: ArrivalLog) {
    this.#directory = directory;
    this.#log = log;
  }

  setOf(partition: Partition): SegmentSet {
    const none = { partition, version: 0, erasures: 0, covered: NO_POSITIONS, segments: [] };
    return this.#sets.get(partitionId(partition)) ?? none;
  }

  /** The path of a segment's file. */
  pathOf(id: string): string {
    return join(this.#directory, `${id}.parquet`);
  }

  /** Builds what arrived up to `target`; default: all that is settled. */
  async build(partition: Partition, target?: Positions): Promise<void> {
    const covered = target ?? (await this.#log.writers()).positions;
    const former = this.setOf(partition);
    const events = this.#log
      .of(partition)
      .filter((arrival) => !isWithin(arrival, former.covered) && isWithin(arrival, covered))
      .map(({ event }) => event);
    const segments = events.length > 0 ? [...former.segments, await this.write(events)] : former.segments;
    this.replace({ ...former, covered, segments });
  }

  /** Writes everything that the segments hold anew, such as after events were removed from the log. */
  async rewrite(partition: Partition, erasures: number): Promise<void> {
    const former = this.setOf(partition);
    const events = this.#log
      .of(partition)
      .filter((arrival) => isWithin(arrival, former.covered))
      .map(({ event }) => event);
    this.replace({ ...former, erasures, segments: events.length > 0 ? [await this.write(events)] : [] });
  }

  replace(set: SegmentSet): void {
    this.#sets.set(partitionId(set.partition), { ...set, version: set.version + 1 });
  }

  async read(partition: Partition, known?: number): Promise<SegmentSet | 'unchanged' | null> {
    await Promise.resolve();
    const set = this.#sets.get(partitionId(partition));
    if (!set) return null;
    return set.version === known ? 'unchanged' : set;
  }

  async get(segment: Segment, path: string): Promise<void> {
    this.brought++;
    const content = await readFile(this.pathOf(segment.id)).catch(() => null);
    if (content === null) throw new DamagedSegment(segment.id, 'is missing');
    if (sha256Of(content) !== segment.sha256)
      throw new DamagedSegment(segment.id, 'is not as it was written');
    await copyFile(this.pathOf(segment.id), path);
  }

  ask(partition: Partition): void {
    this.asked.push(partition);
  }

  async first(partition: Partition, signal: AbortSignal): Promise<void> {
    this.asked.push(partition);
    if (this.buildsFirst) return this.build(partition);
    await new Promise<void>((resolve, reject) => {
      this.#unfinished.push(resolve);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  }

  /** Tells those who wait for first segments that they are there. */
  finishFirst(): void {
    for (const tell of this.#unfinished.splice(0)) tell();
  }

  damaged(_partition: Partition, cause: DamagedSegment): void {
    this.reported.push(cause);
  }

  /** A segment of these events. */
  async write(events: readonly EventRecord[]): Promise<Segment> {
    const id = `segment_${++this.#files}`;
    const path = this.pathOf(id);
    await rm(path, { force: true });
    const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
    try {
      const connection = await instance.connect();
      await connection.run("SET TimeZone = 'UTC'");
      const lists = JSON.stringify(toColumnLists(events));
      await connection.run(`CREATE TABLE part AS ${selectLists(EVENT_COLUMNS)}`, [lists]);
      await connection.run(
        `COPY (FROM part ORDER BY "timestamp") TO '${path}' (FORMAT parquet, COMPRESSION zstd)`,
      );
      connection.closeSync();
    } finally {
      instance.closeSync();
    }
    const instants = events.map(({ timestamp }) => timestamp);
    return {
      id,
      level: 0,
      from: Math.min(...instants),
      to: Math.max(...instants),
      rows: events.length,
      bytes: (await stat(path)).size,
      sha256: sha256Of(await readFile(path)),
      schema: SEGMENT_SCHEMA,
    };
  }
}

function sha256Of(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
