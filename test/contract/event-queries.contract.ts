/** What every event store gives to queries, run on every adapter. */
import { expect } from 'chai';
import type { CompiledQuery, RawRow } from '../../services/shared/ports/event-store.ts';
import { EVENT_COLUMNS } from '../../services/shared/storage/event-columns.ts';
import { eventRecord } from '../support/event-record.ts';
import { everythingOf, type ReadableEvents } from '../support/readable-events.ts';
import { rejection } from '../support/rejection.ts';
import { fullEventRecord } from './event-store.contract.ts';

export interface EventQueryFixture {
  /** Without a reach it reads everything of `org_a` on the website `web_a`, or on none. */
  readonly store: ReadableEvents;
  close(): Promise<void>;
}

const COUNT = sql('SELECT count(*) AS events FROM events');
const COUNTED =
  'SELECT count(*) AS n FROM range(10000000) a, range(10000000) b, (SELECT count(*) FROM events)';
/** A query that runs for minutes unless it is stopped. */
const ENDLESS = sql(`${COUNTED} WHERE a.range * b.range = 7`);

function sql(text: string, params: CompiledQuery['params'] = {}): CompiledQuery {
  return { engine: 'duckdb', sql: text, params };
}

/** `event_id` of the events whose `event_name` is one of `names`, ascending. */
function eventsNamed(names: readonly string[]): CompiledQuery {
  return sql('SELECT event_id FROM events WHERE list_contains($names, event_name) ORDER BY event_id', {
    names,
  });
}

/** `event_id` of the events at one of these instants, ascending. */
function eventsAt(instants: readonly number[]): CompiledQuery {
  return sql(
    'SELECT event_id FROM events WHERE epoch_ms(timestamp) IN (SELECT unnest($instants)) ORDER BY event_id',
    { instants },
  );
}

/** Declares the tests of what every store gives to queries, for the adapter `name`. */
export function eventQueryContract(name: string, create: () => Promise<EventQueryFixture>): void {
  describe(`${name} keeps the contract of EventStore.run`, () => {
    let fixture: EventQueryFixture;
    let store: ReadableEvents;

    beforeEach(async () => {
      fixture = await create();
      store = fixture.store;
    });
    afterEach(() => fixture.close());

    const ids = (rows: readonly RawRow[]) => rows.map((row) => row.event_id);

    it('gives an event to queries as soon as its append resolves', async () => {
      const event = { ...fullEventRecord(), organization_id: 'org_a', website_id: 'web_a' };
      await store.append([event]);
      expect(await store.run(COUNT)).to.deep.equal([{ events: 1 }]);
      const columns = EVENT_COLUMNS.map(({ name: column }) => `"${column}"`).join(', ');
      expect(await store.run(sql(`SELECT ${columns} FROM events`))).to.deep.equal([event]);
    });

    it('refuses a query after the end with SERVICE_UNAVAILABLE', async () => {
      await store.close();
      expect(await rejection(store.run(COUNT))).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    });

    it('passes text, numbers, null and booleans by name, as values and never as part of the query', async () => {
      const [row] = await store.run(
        sql('SELECT $text AS text, $whole AS whole, $nothing AS nothing, $yes AS yes', {
          text: 'a "quoted" \'text\' 😀',
          whole: 42,
          nothing: null,
          yes: true,
        }),
      );
      expect(row).to.deep.equal({ text: 'a "quoted" \'text\' 😀', whole: 42, nothing: null, yes: true });
    });

    it('passes lists of texts and of instants, empty ones included', async () => {
      await store.append([
        eventRecord({ event_id: '1', event_name: 'a', timestamp: 1_700_000_000_000 }),
        eventRecord({ event_id: '2', event_name: "it's", timestamp: 1_700_000_000_001 }),
        eventRecord({ event_id: '3', event_name: 'c', timestamp: 1_700_000_000_002 }),
      ]);
      expect(ids(await store.run(eventsNamed(["it's", 'c', 'none'])))).to.deep.equal(['2', '3']);
      expect(ids(await store.run(eventsNamed([])))).to.deep.equal([]);
      const instants = [1_700_000_000_000, 1_700_000_000_002];
      expect(ids(await store.run(eventsAt(instants)))).to.deep.equal(['1', '3']);
      expect(ids(await store.run(eventsAt([])))).to.deep.equal([]);
    });

    it('ends a running query with the reason of its signal, and goes on answering', async () => {
      const abort = new AbortController();
      const running = rejection(store.run(ENDLESS, { signal: abort.signal }));
      await store.append([eventRecord()]);
      const reason = new Error('the client left');
      abort.abort(reason);
      expect(await running).to.equal(reason);
      expect(await store.run(COUNT)).to.deep.equal([{ events: 1 }]);
    });

    it('does not start a query whose signal is aborted already', async () => {
      const reason = new Error('gone');
      expect(await rejection(store.run(ENDLESS, { signal: AbortSignal.abort(reason) }))).to.equal(reason);
    });

    it('runs more queries than it has connections, each with its own answer', async () => {
      await store.append([
        eventRecord({ event_id: '1', event_name: 'a' }),
        eventRecord({ event_id: '2', event_name: 'b' }),
      ]);
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => store.run(eventsNamed([i % 2 === 0 ? 'a' : 'b']))),
      );
      expect(answers.map((rows) => ids(rows)[0])).to.deep.equal(
        answers.map((_, i) => (i % 2 === 0 ? '1' : '2')),
      );
    });

    it('drops waiting queries whose signals abort, and the others still run', async () => {
      const hogs = new AbortController();
      // Of a party each: identical queries of one may share a run.
      const running = Array.from({ length: 8 }, (_, i) =>
        rejection(store.run(ENDLESS, { signal: hogs.signal, reach: everythingOf(`org_${i}`) })),
      );
      const impatient = new AbortController();
      const dropped = rejection(store.run(COUNT, { signal: impatient.signal }));
      const patient = store.run(COUNT);
      impatient.abort(new Error('waited too long'));
      expect(await dropped).to.have.property('message', 'waited too long');
      hogs.abort(new Error('enough'));
      expect(await patient).to.deep.equal([{ events: 0 }]);
      expect((await Promise.all(running)).map((error) => (error as Error).message)).to.deep.equal(
        Array(8).fill('enough'),
      );
    });
  });
}
