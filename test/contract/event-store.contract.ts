/** What every event store guarantees, run on every adapter. */
import { expect } from 'chai';
import { type EventRecord, NUMBER_COLUMNS, TEXT_COLUMNS } from '../../services/shared/model/event-record.ts';
import type { CompiledQuery, RawRow } from '../../services/shared/ports/event-store.ts';
import { eventRecord } from '../support/event-record.ts';
import { everythingOf, type ReadableEvents } from '../support/readable-events.ts';
import { rejection } from '../support/rejection.ts';
import type { TestClock } from '../support/test-clock.ts';
import { eventErasureContract } from './event-erasure.contract.ts';
import { eventIdContract } from './event-ids.contract.ts';
import { personContract } from './person.contract.ts';
import { profileEventsContract } from './profile-events.contract.ts';

/** What a test needs to ask of a store in the words of its engine. */
export interface EventStoreFixture {
  readonly store: ReadableEvents;
  /** The store's clock. */
  readonly clock: TestClock;
  /** Every column of every event, `event_id` ascending. */
  readonly allEvents: CompiledQuery;
  /** One row: `events`, the number of events. */
  readonly countEvents: CompiledQuery;
  /** One row of `text`, `whole`, `nothing` and `yes`: parameters 'a "quoted" \'text\' 😀', 42, null and true. */
  readonly echo: CompiledQuery;
  /** `event_id` of the events whose `event_name` is one of `names`, ascending. */
  eventsNamed(names: readonly string[]): CompiledQuery;
  /** `event_id` of the events at one of these instants, ascending. */
  eventsAt(instants: readonly number[]): CompiledQuery;
  /** A query that runs for minutes unless it is stopped. */
  readonly endless: CompiledQuery;
  /** Closes the store and opens it again over the same data. */
  reopen(): Promise<ReadableEvents>;
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
export function eventStoreContract(name: string, create: () => Promise<EventStoreFixture>): void {
  describe(`${name} keeps the contract of EventStore`, () => {
    let fixture: EventStoreFixture;
    let store: ReadableEvents;

    beforeEach(async () => {
      fixture = await create();
      store = fixture.store;
    });
    afterEach(() => fixture.close());

    const ids = (rows: readonly RawRow[]) => rows.map((row) => row.event_id);

    it('shows an event to queries as soon as its append resolves', async () => {
      await store.append([eventRecord({ event_id: 'one' })]);
      expect(await store.run(fixture.countEvents)).to.deep.equal([{ events: 1 }]);
    });

    it('returns every column of a full event as it was stored, the instant in epoch milliseconds', async () => {
      await store.append([fullEventRecord()]);
      expect(await store.run(fixture.allEvents)).to.deep.equal([fullEventRecord()]);
    });

    it('returns null for every column that an event does not have', async () => {
      await store.append([eventRecord({ event_id: 'sparse' })]);
      expect(await store.run(fixture.allEvents)).to.deep.equal([eventRecord({ event_id: 'sparse' })]);
    });

    it('keeps difficult texts unchanged: emoji, quotes, controls, SQL, JSON, a million characters', async () => {
      const events = DIFFICULT_TEXTS.map((text, i) =>
        eventRecord({ event_id: String(i), title: text, stack: text }),
      );
      await store.append(events);
      const rows = await store.run(fixture.allEvents);
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
      expect((await store.run(fixture.allEvents)).map((row) => row.timestamp)).to.deep.equal(instants);
    });

    it('keeps whole numbers up to 2^53 - 1 exactly', async () => {
      await store.append([eventRecord({ lineno: Number.MAX_SAFE_INTEGER, page_count: 0 })]);
      const [row] = await store.run(fixture.allEvents);
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
      expect(await store.run(fixture.countEvents)).to.deep.equal([{ events: 0 }]);
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
      expect(await store.run(fixture.countEvents)).to.deep.equal([{ events: 29 }]);
    });

    it('takes an empty append as done', async () => {
      await store.append([]);
      expect(await store.run(fixture.countEvents)).to.deep.equal([{ events: 0 }]);
    });

    it('stores every event of 200 parallel appends of 1 to 5 events exactly once', async () => {
      const requests = Array.from({ length: 200 }, (_, i) =>
        Array.from({ length: (i % 5) + 1 }, (_, j) => eventRecord({ event_id: `${i}-${j}` })),
      );
      await Promise.all(requests.map((events) => store.append(events)));
      const stored = ids(await store.run(fixture.allEvents));
      expect(stored.sort()).to.deep.equal(
        requests
          .flat()
          .map((event) => event.event_id)
          .sort(),
      );
    });

    it('keeps every event when it is closed and opened again', async () => {
      await store.append([fullEventRecord(), eventRecord({ event_id: 'zz' })]);
      const reopened = await fixture.reopen();
      expect(await reopened.run(fixture.allEvents)).to.deep.equal([
        fullEventRecord(),
        eventRecord({ event_id: 'zz' }),
      ]);
    });

    it('settles what was appended before close, and refuses what comes after with SERVICE_UNAVAILABLE', async () => {
      const appends = Array.from({ length: 20 }, (_, i) =>
        store.append([eventRecord({ event_id: `e${i}` })]),
      );
      const closed = store.close();
      expect(await rejection(store.append([eventRecord()]))).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      await Promise.all([...appends, closed]);
      await store.close();
      expect(await rejection(store.run(fixture.countEvents))).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      expect(await rejection(store.ping())).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      const reopened = await fixture.reopen();
      expect(await reopened.run(fixture.countEvents)).to.deep.equal([{ events: 20 }]);
    });

    eventIdContract(() => fixture);
    eventErasureContract(() => fixture);
    profileEventsContract(() => fixture);
    personContract(() => fixture);

    describe('run', () => {
      it('passes text, numbers, null and booleans by name, as values and never as part of the query', async () => {
        const [row] = await store.run(fixture.echo);
        expect(row).to.deep.equal({ text: 'a "quoted" \'text\' 😀', whole: 42, nothing: null, yes: true });
      });

      it('passes lists of texts and of instants, empty ones included', async () => {
        await store.append([
          eventRecord({ event_id: '1', event_name: 'a', timestamp: 1_700_000_000_000 }),
          eventRecord({ event_id: '2', event_name: "it's", timestamp: 1_700_000_000_001 }),
          eventRecord({ event_id: '3', event_name: 'c', timestamp: 1_700_000_000_002 }),
        ]);
        expect(ids(await store.run(fixture.eventsNamed(["it's", 'c', 'none'])))).to.deep.equal(['2', '3']);
        expect(ids(await store.run(fixture.eventsNamed([])))).to.deep.equal([]);
        const instants = [1_700_000_000_000, 1_700_000_000_002];
        expect(ids(await store.run(fixture.eventsAt(instants)))).to.deep.equal(['1', '3']);
        expect(ids(await store.run(fixture.eventsAt([])))).to.deep.equal([]);
      });

      it('ends a running query with the reason of its signal, and goes on answering', async () => {
        const abort = new AbortController();
        const running = rejection(store.run(fixture.endless, { signal: abort.signal }));
        await store.append([eventRecord()]);
        const reason = new Error('the client left');
        abort.abort(reason);
        expect(await running).to.equal(reason);
        expect(await store.run(fixture.countEvents)).to.deep.equal([{ events: 1 }]);
      });

      it('does not start a query whose signal is aborted already', async () => {
        const reason = new Error('gone');
        expect(await rejection(store.run(fixture.endless, { signal: AbortSignal.abort(reason) }))).to.equal(
          reason,
        );
      });

      it('runs more queries than it has connections, each with its own answer', async () => {
        await store.append([
          eventRecord({ event_id: '1', event_name: 'a' }),
          eventRecord({ event_id: '2', event_name: 'b' }),
        ]);
        const answers = await Promise.all(
          Array.from({ length: 40 }, (_, i) => store.run(fixture.eventsNamed([i % 2 === 0 ? 'a' : 'b']))),
        );
        expect(answers.map((rows) => ids(rows)[0])).to.deep.equal(
          answers.map((_, i) => (i % 2 === 0 ? '1' : '2')),
        );
      });

      it('drops waiting queries whose signals abort, and the others still run', async () => {
        const hogs = new AbortController();
        // Of a party each: identical queries of one may share a run.
        const running = Array.from({ length: 8 }, (_, i) =>
          rejection(store.run(fixture.endless, { signal: hogs.signal, reach: everythingOf(`org_${i}`) })),
        );
        const impatient = new AbortController();
        const dropped = rejection(store.run(fixture.countEvents, { signal: impatient.signal }));
        const patient = store.run(fixture.countEvents);
        impatient.abort(new Error('waited too long'));
        expect(await dropped).to.have.property('message', 'waited too long');
        hogs.abort(new Error('enough'));
        expect(await patient).to.deep.equal([{ events: 0 }]);
        expect((await Promise.all(running)).map((error) => (error as Error).message)).to.deep.equal(
          Array(8).fill('enough'),
        );
      });
    });
  });
}
