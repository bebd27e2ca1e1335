/** A workshop whose events go cold: a plain list of them beside it, and what of them has documents. */
import { expect } from 'chai';
import { mongo } from 'mongoose';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import type { EventSelection } from '../../../services/shared/ports/event-store.ts';
import type { Segment } from '../../../services/shared/storage/columns/segment-set.ts';
import { eraseEvents } from '../../../services/shared/storage/mongodb/event-erasure.ts';
import { SEGMENT_CHUNK_COLLECTION } from '../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { eventRecord } from '../event-record.ts';
import { sortedTexts } from '../segment-events.ts';
import { type Bench, SegmentWorkshop } from './segment-workshop.ts';

export const COLD_PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };
export const COLD_SIZES = { sliceEvents: 10, spanEvents: 20, fanIn: 100 };
export const DAY_MS = 86_400_000;

/** Numbers from one on, before another. */
export function numbersOf(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

export class ColdWorkshop {
  readonly shop: SegmentWorkshop;
  /** All that were stored, and are not erased. */
  all: EventRecord[] = [];

  private constructor(shop: SegmentWorkshop) {
    this.shop = shop;
  }

  /** With fifty events that are built. */
  static async open(uri: string): Promise<ColdWorkshop> {
    const workshop = new ColdWorkshop(await SegmentWorkshop.open(uri, COLD_SIZES));
    await workshop.add(0, 50);
    await workshop.build();
    return workshop;
  }

  get builder() {
    return this.shop.bench.builder;
  }

  get documents() {
    return this.shop.connection.collection('events');
  }

  build(): Promise<boolean> {
    return this.builder.buildPartition(COLD_PARTITION);
  }

  /** One event a second, a third of them of ann. */
  async add(from: number, to: number, overrides: Partial<EventRecord> = {}, stamp?: null): Promise<void> {
    const events = numbersOf(from, to).map((second, i) =>
      eventRecord({
        website_id: 'web_a',
        event_id: `e${this.all.length + i}`,
        anonymous_id: i % 3 === 0 ? 'ann' : 'bob',
        timestamp: second * 1_000,
        ...overrides,
      }),
    );
    this.all.push(...events);
    await this.shop.store(events, stamp === null ? { writer: null, sequence: null } : undefined);
  }

  cool(before: number, now: number, bench: Bench = this.shop.bench) {
    return bench.builder.coolPartition(COLD_PARTITION, { before, now, leastEvents: 0.01 });
  }

  /** By a plan that is old enough. */
  async coolNow(before: number, bench: Bench = this.shop.bench) {
    await this.cool(before, 0);
    return this.cool(before, 2 * DAY_MS, bench);
  }

  state() {
    return this.shop.bench.sets.readState(COLD_PARTITION);
  }

  async cold(): Promise<Segment[]> {
    return (await this.state()).segments.filter(({ cold }) => cold !== undefined);
  }

  /** One of them. */
  async firstCold(): Promise<Segment> {
    const [first] = await this.cold();
    if (first === undefined) throw new Error('nothing is cold');
    return first;
  }

  /** The seconds of the events that have documents, ascending. */
  async seconds(): Promise<number[]> {
    const found = await this.documents.find({}).sort({ timestamp: 1 }).toArray();
    return found.map(({ timestamp }) => timestamp / 1_000);
  }

  /** Each event is in exactly one visible segment. */
  async expectAll(): Promise<void> {
    expect(sortedTexts(await this.shop.segmentEvents(COLD_PARTITION))).to.deep.equal(sortedTexts(this.all));
  }

  /** As the store does: documents first. */
  async erase(selection: EventSelection, bench: Bench = this.shop.bench): Promise<number> {
    const { connection } = this.shop;
    const erased = await eraseEvents(connection.getClient().db(connection.name), selection);
    return erased + (await bench.builder.eraseFromSegments(selection));
  }

  /** The list without a visitor. */
  without(anonymousId: string): void {
    this.all = this.all.filter((event) => event.anonymous_id !== anonymousId);
  }

  /** Flips a bit; the result flips it back. */
  async breakFile({ id }: Pick<Segment, 'id'>): Promise<() => Promise<void>> {
    const chunks = this.shop.connection.collection(SEGMENT_CHUNK_COLLECTION);
    const [chunk] = await chunks.find({ files_id: new mongo.ObjectId(id) }).toArray();
    const whole = Buffer.from(chunk?.data.buffer);
    const broken = Buffer.from(whole);
    broken.writeUInt8(broken.readUInt8(50) ^ 1, 50);
    await chunks.updateOne({ _id: chunk?._id }, { $set: { data: broken } });
    return async () => void (await chunks.updateOne({ _id: chunk?._id }, { $set: { data: whole } }));
  }
}
