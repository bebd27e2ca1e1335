/** Several organizations share the connections for queries: none of them keeps another one from running. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDuckDbEventStore } from '../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { everythingOf } from '../../../../support/readable-events.ts';

const ENDLESS = 'SELECT count(*) AS n FROM range(1000000000000) a, range(1000000) b';
const SHORT = 'SELECT 1 AS alive';
let endless = 0;
/** Each one a query of its own: identical ones would share a run. */
const endlessQuery = () => duckdb(`${ENDLESS} WHERE ${++endless} > 0`);
const duckdb = (sql: string) => ({ engine: 'duckdb' as const, sql, params: {} });

describe('connections for queries', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tidegate-fairness-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const open = (options: { concurrentQueries?: number; maxWaitingQueries?: number } = {}) =>
    createDuckDbEventStore({ path: join(directory, 'events.duckdb'), threads: 2, ...options });

  for (const concurrentQueries of [2, 3]) {
    it(`of ${concurrentQueries}, one is left to others however many queries an organization has`, async () => {
      const store = await open({ concurrentQueries });
      const leaving = new AbortController();
      const busy = Array.from({ length: 10 }, () =>
        store
          .run(endlessQuery(), { signal: leaving.signal, reach: everythingOf('org_a') })
          .catch((fault: unknown) => fault),
      );
      expect(await store.run(duckdb(SHORT), { reach: everythingOf('org_b') })).to.deep.equal([{ alive: 1 }]);
      await store.ping();
      leaving.abort(new Error('left'));
      for (const fault of await Promise.all(busy)) expect(fault).to.have.property('message', 'left');
      expect(await store.run(duckdb(SHORT), { reach: everythingOf('org_a') })).to.deep.equal([{ alive: 1 }]);
      await store.close();
    });
  }

  it('leave half of the places that wait to others', async () => {
    const store = await open({ concurrentQueries: 1, maxWaitingQueries: 4 });
    const leaving = new AbortController();
    const run = (party: string) =>
      store
        .run(endlessQuery(), { signal: leaving.signal, reach: everythingOf(party) })
        .catch((fault: unknown) => fault);
    const busy = [run('org_a'), run('org_a'), run('org_a')];
    expect(await run('org_a')).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    busy.push(run('org_b'), run('org_b'));
    expect(await run('org_c')).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    leaving.abort(new Error('left'));
    for (const fault of await Promise.all(busy)) expect(fault).to.have.property('message', 'left');
    await store.close();
  });
});
