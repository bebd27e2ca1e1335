/** The log goes into the file between appends: small at every moment, and not again and again where the engine refuses. */
import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { createDuckDbEventStore } from '../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import type { Engine } from '../../../../../services/shared/storage/duckdb/engine.ts';
import { IdleCheckpoint } from '../../../../../services/shared/storage/duckdb/idle-checkpoint.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';

const MEGABYTE = 1_000_000;

describe('a checkpoint between appends', () => {
  let directory: TempDirectory;
  let path: string;
  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('events.duckdb');
  });
  afterEach(() => directory.remove());

  it('keeps the log of appends that come one after the other at a quarter of the bound of the engine', async function () {
    this.timeout(30_000);
    const store = await createDuckDbEventStore({ path, threads: 1 });
    const stack = 'x'.repeat(2_500);
    const sizes: number[] = [];
    for (let group = 0; group < 48; group++) {
      const ids = Array.from({ length: 200 }, (_, index) => `${group} ${index}`);
      await store.append(ids.map((event_id) => eventRecord({ event_id, stack })));
      sizes.push(statSync(`${path}.wal`, { throwIfNoEntry: false })?.size ?? 0);
    }
    const events = await store.run({ engine: 'duckdb', sql: 'SELECT count(*) AS n FROM events', params: {} });
    await store.close();
    expect(Math.max(...sizes)).to.be.within(MEGABYTE, 5 * MEGABYTE);
    expect(events).to.deep.equal([{ n: 48 * 200 }]);
  });

  /** A checkpoint of a log of that size, over an engine that answers so. */
  function over(answer: () => Promise<boolean>) {
    let tries = 0;
    const checkpoint = new IdleCheckpoint({
      path,
      use: (action) => {
        tries++;
        return action({ tryCheckpoint: answer } as unknown as Engine);
      },
    });
    writeFileSync(`${path}.wal`, '');
    return {
      tries: () => tries,
      at: async (megabytes: number) => {
        truncateSync(`${path}.wal`, megabytes * MEGABYTE);
        await checkpoint.begin();
      },
    };
  }

  for (const [name, answer] of [
    ['refuses', async () => false],
    ['fails', async () => Promise.reject(new Error('No space left on device'))],
  ] as const) {
    it(`waits until the log has grown as much again where the engine ${name}`, async () => {
      const { at, tries } = over(answer);
      for (const megabytes of [1, 3, 4, 5, 7, 7]) await at(megabytes);
      expect(tries()).to.equal(1);
      for (const megabytes of [8, 9, 11]) await at(megabytes);
      expect(tries()).to.equal(2);
      // The engine wrote the log by itself meanwhile.
      for (const megabytes of [1, 4]) await at(megabytes);
      expect(tries()).to.equal(3);
    });
  }

  it('does nothing where there is no log', () => {
    expect(new IdleCheckpoint({ path, use: () => Promise.reject(new Error()) }).begin()).to.equal(null);
  });
});
