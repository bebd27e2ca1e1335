/** The memory of the engine that keeps events: as set, never more than a small machine can give, and what the engine has in the end. */
import { totalmem } from 'node:os';
import { expect } from 'chai';
import { engineMegabytes, shareOf } from '../../../../gateway/process/stores/engine-memory.ts';
import { openEvents } from '../../../../gateway/process/stores/open-events.ts';
import { systemClock } from '../../../../services/shared/ports/clock.ts';
import { createLogWatch } from '../../../support/log-watch.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';

/** As a process without a limit is told. */
const NO_LIMIT = 2 ** 64;

const NO_EVENTS = {
  reach: { organizationId: 'org_a', websiteIds: [], organizationEvents: false, range: null },
};

describe('the memory of the engine of events', () => {
  it('is what is set on a machine that has it twice', () => {
    for (const limit of [0, NO_LIMIT]) expect(shareOf(1_000, limit, 25e9)).to.equal(1_000);
    expect(shareOf(1_000, 2e9, 25e9)).to.equal(1_000);
  });

  it('is half of what a small machine has, or of the limit of a container', () => {
    for (const limit of [0, NO_LIMIT]) expect(shareOf(1_000, limit, 1e9)).to.equal(500);
    expect(shareOf(1_000, 512e6, 25e9)).to.equal(256);
  });

  it('reaches the engine', async () => {
    const directory = createTempDirectory();
    const closers: (() => unknown)[] = [];
    const columns = { diskMb: 1_000, memoryMb: 1_000, buildMemoryMb: 512, coldAfterDays: null };
    const { events } = await openEvents(
      { mongodbUri: null, columns, eventStore: { engineMb: 200, eventIdWindow: 1, answersMb: 0 } },
      { path: directory.file('events.duckdb'), clock: systemClock, logger: createLogWatch().logger },
      closers as never,
    );
    const sql = "SELECT current_setting('memory_limit') AS memory";
    const rows = await events.run({ engine: 'duckdb', sql, params: {} }, NO_EVENTS);
    for (const close of closers) await close();
    directory.remove();
    expect(engineMegabytes(200)).to.equal(Math.min(200, Math.floor(totalmem() / 2e6)));
    expect(rows).to.deep.equal([{ memory: '190.7 MiB' }]);
  });
});
