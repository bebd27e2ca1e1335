/** The owner of the engine: what was under way when a fault ends the engine is waited for before the file is opened again. */
import { expect } from 'chai';
import { systemClock } from '../../../../../services/shared/ports/clock.ts';
import { type Engine, openEngine } from '../../../../../services/shared/storage/duckdb/engine.ts';
import { EngineOwner } from '../../../../../services/shared/storage/duckdb/engine-owner.ts';
import { QueryPool } from '../../../../../services/shared/storage/duckdb/query-pool.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';
import { until } from '../../../../support/until.ts';

const FATAL = new Error('FATAL Error: a fault of the engine');

describe('the owner of the engine', () => {
  let directory: TempDirectory;
  let engine: Engine;
  let queries: QueryPool;
  let owner: EngineOwner;
  const open = () =>
    openEngine({ path: directory.file('e.duckdb'), memoryLimit: '256MB', threads: 1, readers: 1 });

  beforeEach(async () => {
    directory = createTempDirectory();
    engine = await open();
    queries = new QueryPool(engine.readers, 10);
    owner = new EngineOwner(engine, { open, queries, clock: systemClock, lastCommit: 0n });
  });
  afterEach(async () => {
    await queries.close();
    await owner.close();
    directory.remove();
  });

  const stored = () => queries.run({ engine: 'duckdb', sql: 'SELECT event_id FROM events', params: {} });

  it('lets an append that has begun end when a query meets a fault, and stores the next one', async () => {
    const insert = engine.insert.bind(engine);
    let [hasBegun, go] = [false, () => {}];
    const gate = new Promise<void>((resolve) => {
      go = resolve;
    });
    engine.insert = async (events, at) => {
      hasBegun = true;
      await gate;
      return insert(events, at);
    };
    const first = owner.commit([eventRecord({ event_id: 'first' })]);
    await until('the append begins', () => hasBegun);
    owner.notice(FATAL);
    const second = owner.commit([eventRecord({ event_id: 'second' })]);
    setTimeout(go, 200);
    await Promise.all([first, second]);
    expect(owner.reopened).to.equal(1);
    expect((await stored()).map(({ event_id }) => event_id)).to.have.members(['first', 'second']);
  });

  it('stores once what was on disk when the fault came, and tells of what was not', async () => {
    const insert = engine.insert.bind(engine);
    engine.insert = async (events, at) => {
      await insert(events, at);
      throw FATAL;
    };
    await owner.commit([eventRecord({ event_id: 'on disk' })]);
    const reopened = await owner.usable();
    reopened.insert = () => Promise.reject(FATAL);
    expect(await owner.commit([eventRecord()]).catch((fault: unknown) => fault)).to.equal(FATAL);
    expect(owner.reopened).to.equal(2);
    expect((await stored()).map(({ event_id }) => event_id)).to.deep.equal(['on disk']);
  });

  it('lets maintain at once only who finds no other maintenance, running or waiting, and an open file', async () => {
    const nothing = async () => 'done';
    const tryNow = () => owner.tryMaintain(nothing);
    let end: () => void = () => undefined;
    const running = owner.maintain(
      () =>
        new Promise<void>((resolve) => {
          end = resolve;
        }),
    );
    const failing = owner.maintain(() => Promise.reject(new Error('no'))).catch(() => undefined);
    expect(tryNow()).to.equal(null);
    await new Promise(setImmediate);
    end();
    await running;
    expect(tryNow(), 'while one waits').to.equal(null);
    await failing;
    expect(await tryNow(), 'after one that failed').to.equal('done');
    owner.notice(FATAL);
    expect(tryNow(), 'while the file is opened again').to.equal(null);
    await owner.usable();
    expect(await tryNow()).to.equal('done');
  });
});
