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

  /** A checkpoint beside a log of as many megabytes at the start, over an engine that answers so; `answer` null: other maintenance runs. */
  function over(answer: (() => Promise<boolean>) | null, atStart = 0) {
    let tries = 0;
    writeFileSync(`${path}.wal`, '');
    truncateSync(`${path}.wal`, atStart * MEGABYTE);
    const checkpoint = new IdleCheckpoint({
      path,
      tryMaintain: (action) => {
        tries++;
        return answer === null ? null : action({ tryCheckpoint: answer } as unknown as Engine);
      },
    });
    return {
      /** How often it was tried while the log had these sizes, in megabytes, one after the other. */
      async triedAt(...megabytes: readonly number[]): Promise<number> {
        tries = 0;
        for (const size of megabytes) {
          truncateSync(`${path}.wal`, size * MEGABYTE);
          await checkpoint.begin();
        }
        return tries;
      },
    };
  }

  it('is tried again when the log has grown as much again, where the engine refuses or is in use', async () => {
    for (const answer of [async () => false, null]) {
      const { triedAt } = over(answer);
      expect(await triedAt(1, 3, 4, 5, 7, 7)).to.equal(1);
      expect(await triedAt(8, 9, 11)).to.equal(1);
      expect(await triedAt(12)).to.equal(1);
      // The engine has written it by itself.
      expect(await triedAt(1, 4)).to.equal(1);
    }
  });

  it('is tried again when the log is four times as large, where the engine fails, or where it lay there at the start', async () => {
    const { triedAt } = over(async () => Promise.reject(new Error('No space left on device')));
    expect(await triedAt(1, 4, 5, 7, 15)).to.equal(1);
    expect(await triedAt(16, 17, 40, 63)).to.equal(1);
    expect(await triedAt(64)).to.equal(1);
    expect(await triedAt(66, 70)).to.equal(0);
    expect(await triedAt(1, 4)).to.equal(1);
    const later = over(async () => true, 20);
    // Its torn end is cut off: that is not the engine writing it.
    expect(await later.triedAt(20, 19, 39, 79)).to.equal(0);
    expect(await later.triedAt(80)).to.equal(1);
    expect(await later.triedAt(0, 4)).to.equal(1);
  });

  it('does nothing where there is no log, or where the system does not tell its size', () => {
    const tryMaintain = () => Promise.reject(new Error('asked all the same'));
    expect(new IdleCheckpoint({ path, tryMaintain }).begin()).to.equal(null);
    writeFileSync(directory.file('file'), '');
    expect(new IdleCheckpoint({ path: directory.file('file/events'), tryMaintain }).begin()).to.equal(null);
  });
});
