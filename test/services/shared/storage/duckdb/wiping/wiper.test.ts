/** A wipe beside queries that last longer than its steps: it waits for them, and ends. */
import { expect } from 'chai';
import { COMPACTION } from '../../../../../../services/shared/storage/duckdb/compaction/compactor.ts';
import { type Engine, openEngine } from '../../../../../../services/shared/storage/duckdb/engine.ts';
import { Wiper } from '../../../../../../services/shared/storage/duckdb/wiping/wiper.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { contentOf } from '../../../../../support/file-content.ts';
import { createTempDirectory, type TempDirectory } from '../../../../../support/temp-directory.ts';
import { createTestClock } from '../../../../../support/test-clock.ts';

const MARK = 'kournikova-';
const LOOK_EVERY_MS = 77;

describe('a wipe', () => {
  let directory: TempDirectory;
  let path: string;
  let engine: Engine;
  const clock = createTestClock();

  beforeEach(async () => {
    directory = createTempDirectory();
    path = directory.file('events.duckdb');
    engine = await openEngine({ path, memoryLimit: '256MB', threads: 1, readers: 1 });
  });
  afterEach(() => {
    for (const reader of engine.readers) reader.closeSync();
    engine.close();
    directory.remove();
  });

  const found = () => [path, `${path}.wal`].some((file) => contentOf(file).includes(MARK));

  it('waits for each query that sees the file as it was before, and ends', async () => {
    const events = Array.from({ length: 2_000 }, (_, i) => {
      const isMarked = i % 10 === 3;
      return eventRecord({
        event_id: `${i}`,
        anonymous_id: isMarked ? 'gone' : 'kept',
        title: `${isMarked ? MARK : 'other-'}${(i * 7_919) % 1_000_003}`,
      });
    });
    await engine.insert(events, 1n);
    await engine.checkpoint();
    expect(found()).to.equal(true);
    await engine.erase(
      { organizationId: 'org_a', websiteId: null, anonymousId: 'gone' },
      10_000,
      clock.now(),
    );

    const [reader] = engine.readers;
    if (!reader) throw new Error('the engine has one reader');
    let isRead = false;
    let waits = 0;
    /** A query runs until the wipe waits for it, and the next one begins a step later. */
    const rest = async (ms: number) => {
      const isWaiting = ms === LOOK_EVERY_MS;
      if (isWaiting) waits++;
      if (isRead && isWaiting) await reader.run('COMMIT');
      if (!isRead) {
        await reader.run('BEGIN');
        await reader.runAndReadAll('SELECT count(*) FROM events');
      }
      isRead = !(isRead && isWaiting);
      return true;
    };
    const options = { ...COMPACTION, restFactor: 0, settleMs: 0, lookEveryMs: LOOK_EVERY_MS };
    const wiper = new Wiper((action) => action(engine), options, clock, rest);
    expect(await wiper.wipe()).to.include({ isDone: true, events: 1_800 });
    expect(waits, 'for groups to be released, and after the filler came and went').to.equal(3);
    await reader.run('COMMIT');
    expect(found()).to.equal(false);
    expect(await wiper.wipe()).to.equal(null);
  });

  it('has no append acknowledged before it is committed', async () => {
    const [reader] = engine.readers;
    if (!reader) throw new Error('the engine has one reader');
    const options = { ...COMPACTION, restFactor: 0, settleMs: 0, wipeEveryMs: 0, lookEveryMs: 1 };
    const wiper = new Wiper(
      (action) => action(engine),
      options,
      clock,
      async () => true,
    );
    await engine.insert([eventRecord({ event_id: 'kept-0' })], 1n);
    let isOver = false;
    let appended = 1;
    const appending = (async () => {
      for (; !isOver; appended++) {
        await engine.insert([eventRecord({ event_id: `kept-${appended}` })], BigInt(appended + 1));
        // Nobody else sees what is not committed yet.
        const seen = await reader.runAndReadAll(
          "SELECT count(*) FROM events WHERE organization_id = 'org_a'",
        );
        expect(Number(seen.getRows()[0]?.[0]), 'committed').to.equal(appended + 1);
      }
    })();
    const gone = { organizationId: 'org_gone', websiteId: null, anonymousId: null };
    const wiping = (async () => {
      for (let wipes = 0; wipes < 5; wipes++) {
        await engine.withConnection((connection) =>
          connection.run(
            "INSERT INTO events BY NAME SELECT * REPLACE ('org_gone' AS organization_id) FROM events LIMIT 3",
          ),
        );
        await engine.erase(gone, 10_000, clock.now());
        expect(await wiper.wipe()).to.include({ isDone: true });
      }
    })().finally(() => {
      isOver = true;
    });
    await Promise.all([appending, wiping]);
    expect(appended).to.be.greaterThan(5);
  });

  it('gives up beside a query that never ends, keeps what is to be wiped, and wipes it an hour later', async () => {
    const events = Array.from({ length: 200 }, (_, i) =>
      eventRecord({ event_id: `${i}`, anonymous_id: i % 10 === 3 ? 'gone' : 'kept', title: `${MARK}${i}` }),
    );
    await engine.insert(events, 1n);
    await engine.checkpoint();
    const erased = { organizationId: 'org_a', websiteId: null, anonymousId: 'gone' };
    await engine.erase(erased, 10_000, clock.now());

    let pauses = 0;
    const rest = async (ms: number) => {
      if (ms === LOOK_EVERY_MS) pauses++;
      return true;
    };
    const options = { ...COMPACTION, restFactor: 0, settleMs: 0, lookEveryMs: LOOK_EVERY_MS };
    const wiper = new Wiper((action) => action(engine), options, clock, rest);
    const { tryCheckpoint } = engine;
    engine.tryCheckpoint = async () => false;
    expect(await wiper.wipe()).to.include({ isDone: false, events: 0 });
    expect(pauses).to.equal(39);
    expect(await wiper.wipe(), 'not at once').to.equal(null);

    engine.tryCheckpoint = tryCheckpoint;
    clock.advance(options.wipeEveryMs);
    expect(await wiper.wipe()).to.include({ isDone: true, events: 180 });
    expect(await wiper.wipe()).to.equal(null);
  });
});
