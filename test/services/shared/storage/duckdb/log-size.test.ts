/** How large the log beside the file grows where the engine alone writes it: what lies in it lies in memory too. */
import { statSync } from 'node:fs';
import { expect } from 'chai';
import { openEngine } from '../../../../../services/shared/storage/duckdb/engine.ts';
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
    const engine = await openEngine({ path, memoryLimit: '512MB', threads: 1, readers: 0 });
    const sizes: number[] = [];
    for (let group = 0; group < GROUPS; group++) {
      const ids = Array.from({ length: GROUP_EVENTS }, (_, index) => `${group} ${index}`);
      const events = ids.map((event_id) => eventRecord({ event_id, stack: event_id + STACK }));
      await engine.insert(events, BigInt(group + 1));
      sizes.push(statSync(`${path}.wal`, { throwIfNoEntry: false })?.size ?? 0);
    }
    engine.close();
    directory.remove();
    expect(Math.max(...sizes)).to.be.within(8_000_000, MOST_BYTES);
  });
});
