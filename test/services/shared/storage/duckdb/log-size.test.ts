/** How large the log beside the file grows: what lies in it lies in memory too. */
import { statSync } from 'node:fs';
import { expect } from 'chai';
import { createDuckDbEventStore } from '../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { createTempDirectory } from '../../../../support/temp-directory.ts';

/** What sixteen groups of them take, 40 MB, is more than the log may have. */
const STACK = 'x'.repeat(2_500);
const GROUPS = 16;
const GROUP_EVENTS = 1_000;
/** The 16 MB at which it is written into the file, and the group that exceeds them. */
const MOST_BYTES = 20_000_000;

describe('the log of the event store', () => {
  it('is written into the file before it holds 20 MB', async function () {
    this.timeout(30_000);
    const directory = createTempDirectory();
    const path = directory.file('events.duckdb');
    const store = await createDuckDbEventStore({ path, threads: 1 });
    const sizes: number[] = [];
    for (let group = 0; group < GROUPS; group++) {
      const ids = Array.from({ length: GROUP_EVENTS }, (_, index) => `${group} ${index}`);
      await store.append(ids.map((event_id) => eventRecord({ event_id, stack: event_id + STACK })));
      sizes.push(statSync(`${path}.wal`, { throwIfNoEntry: false })?.size ?? 0);
    }
    await store.close();
    directory.remove();
    expect(Math.max(...sizes)).to.be.within(1_000_000, MOST_BYTES);
  });
});
