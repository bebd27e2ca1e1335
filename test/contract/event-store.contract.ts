/** What every event store keeps, run on every adapter. */
import { expect } from 'chai';
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS } from '../../services/shared/model/event-record.ts';
import type { EventKeeper } from '../../services/shared/ports/event-store.ts';
import { eventRecord } from '../support/event-record.ts';
import { rejection } from '../support/rejection.ts';
import type { TestClock } from '../support/test-clock.ts';
import { eventErasureContract } from './event-erasure.contract.ts';
import { eventIdContract } from './event-ids.contract.ts';
import { personContract } from './person.contract.ts';
import { profileEventsContract } from './profile-events.contract.ts';

export interface EventKeeperFixture {
  readonly store: EventKeeper;
  /** The store's clock. */
  readonly clock: TestClock;
  /** Every event that is stored, `event_id` ascending. */
  stored(): Promise<EventRecord[]>;
  /** Closes the store and opens it again over the same data. */
  reopen(): Promise<EventKeeper>;
  close(): Promise<void>;
}

/** Every column filled, none with the value of another. */
export function fullEventRecord(): EventRecord {
  const texts = Object.fromEntries(TEXT_COLUMNS.map((column) => [column, `${column} of the event`]));
  const numbers = Object.fromEntries(NUMBER_COLUMNS.map((column, i) => [column, i + 1]));
  return eventRecord({
    ...texts,
    ...numbers,
    properties: '{"plan":"pro","nested":{"a":[1,"two",null]}}',
    time_on_page: 12.75,
    metric_value: 0.0123,
    is_bot: true,
    is_keyless: true,
    timestamp: Date.UTC(2024, 1, 29, 23, 59, 59, 999),
  });
}

/** Texts that have broken stores. */
export const DIFFICULT_TEXTS = [
  '😀 emoji 👩‍👩‍👧‍👦 and 中文 and العربية',
  `quotes ' " \` and \\ backslashes \\n \\u0000`,
  'line\nbreak\r\n\ttab \u0001 control \u2028 separator',
  "$1 ? :name %s {} [] '); DROP TABLE events; --",
  '{"json": "text", "deep": [1, 2, {"x": null}]}',
  'null',
  '0123',
  ' leading and trailing ',
  'x'.repeat(1_000_000),
];

/** Declares the contract's tests for the adapter `name`. */
export function eventKeeperContract(name: string, create: () => Promise<EventKeeperFixture>): void {
  describe(`${name} keeps the contract of EventKeeper`, () => {
    let fixture: EventKeeperFixture;
    let store: EventKeeper;

    beforeEach(async () => {
      fixture = await create();
      store = fixture.store;
    });
    afterEach(() => fixture.close());

    it('has an event as soon as its append resolves', async () => {
      await store.append([eventRecord({ event_id: 'one' })]);
      expect(await fixture.stored()).to.have.length(1);
    });

    it('returns every column of a full event as it was stored, the instant in epoch milliseconds', async () => {
      await store.append([fullEventRecord()]);
      expect(await fixture.stored()).to.deep.equal([fullEventRecord()]);
    });

    it('returns null for every column that an event does not have', async () => {
      await store.append([eventRecord({ event_id: 'sparse' })]);
      expect(await fixture.stored()).to.deep.equal([eventRecord({ event_id: 'sparse' })]);
    });

    it('keeps difficult texts unchanged: emoji, quotes, controls, SQL, JSON, a million characters', async () => {
      const events = DIFFICULT_TEXTS.map((text, i) =>
        eventRecord({ event_id: String(i), title: text, stack: text }),
      );
      await store.append(events);
      const rows = await fixture.stored();
      expect(rows.map((row) => row.title)).to.deep.equal(DIFFICULT_TEXTS);
      expect(rows.map((row) => row.stack)).to.deep.equal(DIFFICULT_TEXTS);
    });

    it('keeps instants to the millisecond, from 2000 on', async () => {
      const instants = [
        Date.UTC(2000, 0, 1),
        Date.UTC(2026, 2, 29, 1, 30, 0, 1),
        Date.UTC(2099, 11, 31, 23, 59, 59, 999),
      ];
      await store.append(instants.map((timestamp, i) => eventRecord({ timestamp, event_id: String(i) })));
      expect((await fixture.stored()).map((row) => row.timestamp)).to.deep.equal(instants);
    });

    it('keeps whole numbers up to 2^53 - 1 exactly', async () => {
      await store.append([eventRecord({ lineno: Number.MAX_SAFE_INTEGER, page_count: 0 })]);
      const [row] = await fixture.stored();
      expect(row).to.include({ lineno: Number.MAX_SAFE_INTEGER, page_count: 0 });
    });

    it('stores nothing of an append of which one event cannot be stored', async () => {
      for (const impossible of [
        { timestamp: Number.NaN },
        { event_name: null as unknown as string },
        { title: 7 as unknown as string },
        { lineno: 1.5 },
        { load_time: Number.POSITIVE_INFINITY },
      ]) {
        const events = [eventRecord({ event_id: 'good' }), eventRecord(impossible)];
        expect(await rejection(store.append(events))).to.include({ kind: 'INTERNAL_ERROR' });
      }
      expect(await fixture.stored()).to.have.length(0);
    });

    it('lets an append that cannot be stored fail alone among parallel ones', async () => {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, (_, i) =>
          store.append([
            i === 13
              ? eventRecord({ event_name: null as unknown as string })
              : eventRecord({ event_id: String(i) }),
          ]),
        ),
      );
      expect(outcomes.flatMap((outcome, i) => (outcome.status === 'rejected' ? [i] : []))).to.deep.equal([
        13,
      ]);
      expect(await fixture.stored()).to.have.length(29);
    });

    it('takes an empty append as done', async () => {
      await store.append([]);
      expect(await fixture.stored()).to.have.length(0);
    });

    it('stores every event of 200 parallel appends of 1 to 5 events exactly once', async () => {
      const requests = Array.from({ length: 200 }, (_, i) =>
        Array.from({ length: (i % 5) + 1 }, (_, j) => eventRecord({ event_id: `${i}-${j}` })),
      );
      await Promise.all(requests.map((events) => store.append(events)));
      const stored = (await fixture.stored()).map(({ event_id }) => event_id);
      expect(stored.sort()).to.deep.equal(
        requests
          .flat()
          .map((event) => event.event_id)
          .sort(),
      );
    });

    it('keeps every event when it is closed and opened again', async () => {
      await store.append([fullEventRecord(), eventRecord({ event_id: 'zz' })]);
      await fixture.reopen();
      expect(await fixture.stored()).to.deep.equal([fullEventRecord(), eventRecord({ event_id: 'zz' })]);
    });

    it('settles what was appended before close, and refuses what comes after with SERVICE_UNAVAILABLE', async () => {
      const appends = Array.from({ length: 20 }, (_, i) =>
        store.append([eventRecord({ event_id: `e${i}` })]),
      );
      const closed = store.close();
      expect(await rejection(store.append([eventRecord()]))).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      await Promise.all([...appends, closed]);
      await store.close();
      expect(await rejection(store.ping())).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      await fixture.reopen();
      expect(await fixture.stored()).to.have.length(20);
    });

    eventIdContract(() => fixture);
    eventErasureContract(() => fixture);
    profileEventsContract(() => fixture);
    personContract(() => fixture);
  });
}
