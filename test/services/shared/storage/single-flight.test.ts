/** Identical queries at the same time share one run: who shares, who does not, and that no answer is older than its question. */
import { expect } from 'chai';
import type { CompiledQuery, RawRow } from '../../../../services/shared/ports/event-store.ts';
import { createDuckDbEventStore } from '../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { SingleFlight } from '../../../../services/shared/storage/single-flight.ts';
import { eventRecord } from '../../../support/event-record.ts';
import { rejection } from '../../../support/rejection.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';

const QUERY = { engine: 'duckdb', sql: 'SELECT $a', params: { a: 1 } } as const;

type CompiledSql = Extract<CompiledQuery, { engine: 'duckdb' }>;

interface Run {
  readonly signal: AbortSignal;
  /** Its turn has come. */
  readonly begin: () => void;
  readonly end: (rows: readonly RawRow[]) => void;
  readonly fail: (fault: Error) => void;
}

/** A flight over runs that begin and end when the test says so. */
function createFlight() {
  const runs: Run[] = [];
  const flight = new SingleFlight(
    (_query, signal, _party, begin) =>
      new Promise((end, fail) => {
        runs.push({ signal, begin, end, fail });
      }),
    ({ sql, params }: CompiledSql) => JSON.stringify([sql, params]),
  );
  const run = async (index: number): Promise<Run> => {
    for (;;) {
      const found = runs[index];
      if (found) return found;
      await Promise.resolve();
    }
  };
  return { flight, runs, run };
}

describe('single flight', () => {
  it('gives identical queries of one party the rows of one run', async () => {
    const { flight, runs, run } = createFlight();
    const answers = [flight.rows(QUERY, undefined, 'org_a'), flight.rows({ ...QUERY }, undefined, 'org_a')];
    const { begin, end } = await run(0);
    begin();
    answers.push(flight.rows(QUERY, undefined, 'org_a'));
    end([{ n: 1 }]);
    expect(await Promise.all(answers)).to.deep.equal([[{ n: 1 }], [{ n: 1 }], [{ n: 1 }]]);
    expect(runs).to.have.length(1);
    expect(flight.joined).to.equal(2);
  });

  it('shares with nobody of another party, text or parameter, and with nobody who comes later', async () => {
    const { flight, runs, run } = createFlight();
    const others = [
      flight.rows(QUERY, undefined, 'org_a'),
      flight.rows(QUERY, undefined, 'org_b'),
      flight.rows(QUERY),
      flight.rows({ ...QUERY, sql: 'SELECT $a ' }, undefined, 'org_a'),
      flight.rows({ ...QUERY, params: { a: '1' } }, undefined, 'org_a'),
    ];
    for (let i = 0; i < others.length; i++) (await run(i)).end([{ n: i }]);
    expect((await Promise.all(others)).map((rows) => rows[0]?.n)).to.deep.equal([0, 1, 2, 3, 4]);
    const later = flight.rows(QUERY, undefined, 'org_a');
    (await run(5)).end([]);
    await later;
    expect(runs).to.have.length(6);
  });

  it('joins no run that began before a write was acknowledged, but one that still waits for its turn', async () => {
    const { flight, runs, run } = createFlight();
    const first = flight.rows(QUERY);
    (await run(0)).begin();
    flight.noticeWrite();
    const second = flight.rows(QUERY);
    await run(1);
    flight.noticeWrite();
    const third = flight.rows(QUERY);
    (await run(0)).end([{ n: 'old' }]);
    (await run(1)).begin();
    (await run(1)).end([{ n: 'new' }]);
    expect(await Promise.all([first, second, third])).to.deep.equal([
      [{ n: 'old' }],
      [{ n: 'new' }],
      [{ n: 'new' }],
    ]);
    expect(runs).to.have.length(2);
  });

  it('lets a caller leave at once while the others get their rows, and ends the run with the last one', async () => {
    const { flight, run } = createFlight();
    const [one, two] = [new AbortController(), new AbortController()];
    const leaving = rejection(flight.rows(QUERY, one.signal));
    const staying = flight.rows(QUERY, two.signal);
    const { signal, begin, end } = await run(0);
    begin();
    one.abort(new Error('left'));
    expect(await leaving).to.have.property('message', 'left');
    expect(signal.aborted).to.equal(false);
    end([{ n: 1 }]);
    expect(await staying).to.deep.equal([{ n: 1 }]);

    const last = new AbortController();
    const alone = rejection(flight.rows(QUERY, last.signal));
    const second = await run(1);
    last.abort(new Error('gone'));
    expect(await alone).to.have.property('message', 'gone');
    expect(second.signal.reason).to.have.property('message', 'gone');
    const fresh = flight.rows(QUERY);
    (await run(2)).end([]);
    expect(await fresh).to.deep.equal([]);
  });

  it('tells every caller of a fault', async () => {
    const { flight, run } = createFlight();
    const faults = [rejection(flight.rows(QUERY)), rejection(flight.rows(QUERY))];
    (await run(0)).fail(new Error('no memory'));
    for (const fault of await Promise.all(faults)) expect(fault).to.have.property('message', 'no memory');
  });

  it('is how the store answers: shared while it waits, and always with what was appended before', async () => {
    const directory = createTempDirectory();
    const store = await createDuckDbEventStore({
      path: directory.file('e.duckdb'),
      memoryLimit: '256MB',
      threads: 1,
    });
    const count = { engine: 'duckdb', sql: 'SELECT count(*) AS n FROM events', params: {} } as const;
    for (let appended = 1; appended <= 30; appended++) {
      const early = [store.run(count), store.run(count)];
      await store.append([eventRecord()]);
      const [rows] = await Promise.all([store.run(count), ...early]);
      expect(rows).to.deep.equal([{ n: appended }]);
    }
    expect(store.sharedQueries).to.be.at.least(30);
    await store.close();
    directory.remove();
  });
});
