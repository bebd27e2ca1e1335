/** A disk that runs full under the event store: clear refusals, nothing acknowledged lost, and no restart to go on. */
import { readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
} from '../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { mountSmallDisk, type SmallDisk } from '../../../../support/small-disk.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

const IDS = { engine: 'duckdb', sql: 'SELECT event_id FROM events ORDER BY event_id', params: {} } as const;

describe('a full disk under DuckDbEventStore', () => {
  let disk: SmallDisk | null = null;
  let store: DuckDbEventStore | null = null;
  const clock = createTestClock();
  let next = 0;

  afterEach(async () => {
    await store?.close();
    disk?.remove();
    store = null;
    disk = null;
  });

  /** Opens a store on a disk of its own; the test is skipped where none can be mounted. */
  async function open(context: Mocha.Context, megabytes: number, logBytes?: number) {
    const small = mountSmallDisk(megabytes);
    if (small === null) return context.skip();
    disk = small;
    const path = join(small.path, 'events.duckdb');
    const options = logBytes === undefined ? {} : { logBytes };
    const opened = await createDuckDbEventStore({
      path,
      clock,
      memoryLimit: '256MB',
      threads: 1,
      ...options,
    });
    store = opened;
    return { small, opened, path };
  }

  const newIds = (count: number) => Array.from({ length: count }, () => `id ${next++}`);
  const appendIds = (opened: DuckDbEventStore, ids: readonly string[]) =>
    opened.append(ids.map((event_id) => eventRecord({ event_id, stack: event_id.repeat(200) })));

  /** Appends arrays of ten at a time until one is refused: what was acknowledged, and what was not. */
  async function appendUntilRefused(opened: DuckDbEventStore) {
    const acknowledged: string[] = [];
    for (;;) {
      const groups = Array.from({ length: 8 }, () => newIds(10));
      const outcomes = await Promise.allSettled(groups.map((ids) => appendIds(opened, ids)));
      const refused: { ids: readonly string[]; reason: unknown }[] = [];
      for (const [i, outcome] of outcomes.entries()) {
        const ids = groups[i] ?? [];
        if (outcome.status === 'fulfilled') acknowledged.push(...ids);
        else refused.push({ ids, reason: outcome.reason });
      }
      if (refused.length > 0) return { acknowledged, refused };
    }
  }

  const storedIds = async (opened: DuckDbEventStore) =>
    (await opened.run(IDS)).map((row) => String(row.event_id));

  it('refuses with SERVICE_UNAVAILABLE and Retry-After, keeps what it acknowledged, and stores again once there is room', async function () {
    const { small, opened } = await open(this, 16);
    const before = newIds(500);
    await appendIds(opened, before);
    small.fill();
    const { acknowledged, refused } = await appendUntilRefused(opened);
    acknowledged.push(...before);
    for (const { reason } of refused) {
      expect(reason).to.deep.include({ kind: 'SERVICE_UNAVAILABLE', headers: { 'Retry-After': '1' } });
    }
    expect(await storedIds(opened)).to.deep.equal([...acknowledged].sort());
    small.free();
    for (const { ids } of refused)
      expect(await appendIds(opened, ids))
        .to.have.property('repeats')
        .with.lengthOf(0);
    const expected = [...acknowledged, ...refused.flatMap(({ ids }) => ids)].sort();
    expect(await storedIds(opened)).to.deep.equal(expected);
  });

  it('opens the file again when the engine gave up over it, in the same process, with everything that was acknowledged', async function () {
    const { small, opened, path } = await open(this, 24, 2_000_000);
    const { acknowledged, refused } = await appendUntilRefused(opened);
    expect(opened.reopened, 'times it was opened again').to.be.at.least(1);
    const stored = await storedIds(opened);
    expect(new Set(stored).size, 'stored once').to.equal(stored.length);
    const missing = new Set(acknowledged);
    for (const id of stored) missing.delete(id);
    expect([...missing], 'acknowledged and not stored').to.deep.equal([]);

    // Room for the rest: with the same ids every refused event is there once, whatever became of it before.
    small.grow(96);
    clock.advance(1_000);
    for (const { ids } of refused) await appendIds(opened, ids);
    const all = [...acknowledged, ...refused.flatMap(({ ids }) => ids)].sort();
    expect(await storedIds(opened)).to.deep.equal(all);

    expect(openFiles(path), 'descriptors of the file: of one instance').to.have.length(1);
    await opened.close();
    store = await createDuckDbEventStore({ path, clock, memoryLimit: '256MB', threads: 1 });
    expect(await storedIds(store)).to.deep.equal(all);
    expect(await appendIds(store, all.slice(0, 10)))
      .to.have.property('repeats')
      .with.lengthOf(10);
  });
});

/** The descriptors of this process that are open on the file. */
function openFiles(path: string): string[] {
  return readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(join('/proc/self/fd', descriptor)) === path;
    } catch {
      return false;
    }
  });
}
