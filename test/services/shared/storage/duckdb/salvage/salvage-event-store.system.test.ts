/** Salvage of event stores that were cut off, overwritten or lost commits of their log. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { EventRecord } from '../../../../../../services/shared/model/event-record.ts';
import { createDuckDbEventStore } from '../../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { commitsOf } from '../../../../../../services/shared/storage/duckdb/salvage/damaged-log.ts';
import { salvageEventStore } from '../../../../../../services/shared/storage/duckdb/salvage/salvage-event-store.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { runCli } from '../../../../../support/run-cli.ts';
import { createTempDirectory, type TempDirectory } from '../../../../../support/temp-directory.ts';

/** In the file, and behind them the commits in the log, one event each. */
const IN_FILE = 40_000;
const IN_LOG = 9;
const OPTIONS = { memoryLimit: '256MB', threads: 1 } as const;
const SUFFIX = 'damaged-now';
const EMPTY = eventRecord();

/** The event of a number: a title that does not compress, so that the file has many blocks. */
function eventOf(number: number): EventRecord {
  let title = '';
  for (let state = number + 1; title.length < 120; state = (state * 48_271) % 2_147_483_647)
    title += state.toString(36);
  return { ...EMPTY, event_id: String(number), title, timestamp: EMPTY.timestamp + number };
}

describe('salvage', () => {
  let original: TempDirectory;
  let directory: TempDirectory;
  let path: string;

  before(async () => {
    original = createTempDirectory();
    const file = original.file('events.duckdb');
    // A checkpoint behind each half.
    for (const half of [0, IN_FILE / 2]) {
      const store = await createDuckDbEventStore({ path: file, ...OPTIONS });
      for (let first = half; first < half + IN_FILE / 2; first += 10_000) {
        await store.append(Array.from({ length: 10_000 }, (_, i) => eventOf(first + i)));
      }
      await store.close();
    }
    const again = await createDuckDbEventStore({ path: file, ...OPTIONS });
    for (let i = 0; i < IN_LOG; i++) await again.append([eventOf(IN_FILE + i)]);
    // As a crash leaves it: the log beside the file.
    for (const end of ['', '.wal']) copyFileSync(`${file}${end}`, original.file(`crashed${end}`));
    await again.close();
  });
  after(() => original.remove());

  beforeEach(() => {
    directory = createTempDirectory();
    path = directory.file('events.duckdb');
    for (const end of ['', '.wal']) copyFileSync(original.file(`crashed${end}`), `${path}${end}`);
  });
  afterEach(() => directory.remove());

  /** The numbers of the stored events, each checked to be what was sent; `gaps`: titles may be missing. */
  async function storedNumbers(gaps = false): Promise<number[]> {
    const store = await createDuckDbEventStore({ path, ...OPTIONS });
    const sql = 'SELECT event_id, title, timestamp FROM events ORDER BY event_id::INTEGER';
    const rows = await store.run({ engine: 'duckdb', sql, params: {} });
    await store.append([eventOf(IN_FILE + IN_LOG)]);
    await store.close();
    for (const row of rows) {
      const sent = eventOf(Number(row.event_id));
      if (row.timestamp !== sent.timestamp || (row.title !== sent.title && !(gaps && row.title === null))) {
        expect.fail(`event ${row.event_id} is not what was sent: ${JSON.stringify(row)}`);
      }
    }
    return rows.map((row) => Number(row.event_id));
  }

  function overwrite(position: number): void {
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(64, 0xab), 0, 64, position);
    closeSync(file);
  }

  it('finds a sound store sound, and changes nothing', async () => {
    const before = readFileSync(path);
    const report = await salvageEventStore(path, SUFFIX);
    expect(report).to.deep.equal({
      outcome: 'sound',
      events: IN_FILE + IN_LOG,
      copied: IN_FILE + IN_LOG,
      withGaps: 0,
      commitsLost: 0,
      isLogLost: false,
      isOlderState: false,
      keptAs: null,
    });
    expect(readFileSync(path).equals(before)).to.equal(true);
    expect(readdirSync(directory.path).sort()).to.deep.equal(['events.duckdb', 'events.duckdb.wal']);
  });

  it('saves what a truncated file still holds, tells the counts, and keeps the old files unchanged', async () => {
    truncateSync(path, Math.floor(statSync(path).size * 0.6));
    const before = readFileSync(path);
    const report = await salvageEventStore(path, SUFFIX);
    expect(report).to.include({ outcome: 'salvaged', keptAs: `${path}.${SUFFIX}` });
    // The end of the file, which says where everything is, is lost: the first half is found through the state before.
    expect(report).to.include({ isOlderState: true, isLogLost: true, commitsLost: IN_LOG });
    expect(report.events, 'what the lost state held is not known').to.equal(null);
    expect(report.copied).to.be.within(1, IN_FILE / 2);
    expect(readFileSync(`${path}.${SUFFIX}`).equals(before)).to.equal(true);
    expect(existsSync(`${path}.${SUFFIX}.wal`)).to.equal(true);
    const numbers = await storedNumbers(true);
    expect(numbers).to.have.length(report.copied);
    expect(new Set(numbers).size).to.equal(report.copied);
  });

  it('saves all events around blocks that were overwritten, those of a lost column with gaps', async () => {
    const size = statSync(path).size;
    for (const part of [0.4, 0.6]) overwrite(Math.floor(size * part));
    const report = await salvageEventStore(path, SUFFIX);
    expect(report.outcome).to.equal('salvaged');
    expect(report.withGaps).to.be.greaterThan(0);
    expect(await storedNumbers(true)).to.have.length(report.copied);
  });

  it('saves every commit of a damaged log but the damaged one, where the store does not open', async () => {
    const log = readFileSync(`${path}.wal`);
    const middle = Math.floor(log.length / 2);
    log[middle] = (log[middle] ?? 0) ^ 0xff;
    writeFileSync(`${path}.wal`, log);
    expect(await rejection(createDuckDbEventStore({ path, ...OPTIONS }))).to.be.instanceOf(Error);
    const report = await salvageEventStore(path, SUFFIX);
    expect(report).to.include({
      outcome: 'salvaged',
      commitsLost: 1,
      copied: IN_FILE + IN_LOG - 1,
      withGaps: 0,
    });
    expect(readFileSync(`${path}.${SUFFIX}.wal`).equals(log)).to.equal(true);
    expect(await storedNumbers()).to.have.length(IN_FILE + IN_LOG - 1);
  });

  it('leaves out what later commits delete by places in the table, so that no other event goes or comes twice', async () => {
    for (const end of ['', '.wal']) rmSync(`${path}${end}`, { force: true });
    const store = await createDuckDbEventStore({ path, ...OPTIONS });
    const append = (number: number, organization_id = 'org_a') =>
      store.append([{ ...eventOf(number), organization_id }]);
    for (let number = 0; number < 4; number++) await append(number);
    await append(4, 'org_erased');
    const erased = { organizationId: 'org_erased', websiteId: null, anonymousId: null };
    expect(await store.erase(erased)).to.equal(1);
    await append(5);
    for (const end of ['', '.wal']) copyFileSync(`${path}${end}`, `${path}.crashed${end}`);
    await store.close();
    for (const end of ['', '.wal']) renameSync(`${path}.crashed${end}`, `${path}${end}`);
    const log = readFileSync(`${path}.wal`);
    const appends = commitsOf(log).filter(({ deletes }) => !deletes);
    const second = appends.at(-5);
    const middle = second ? Math.floor((second.start + second.end) / 2) : 0;
    log[middle] = (log[middle] ?? 0) ^ 0xff;
    writeFileSync(`${path}.wal`, log);
    const report = await salvageEventStore(path, SUFFIX);
    expect(report).to.include({ outcome: 'salvaged', commitsLost: 2, copied: 5 });
    // Event 1 was damaged; the erasure of event 4 is lost with it.
    expect(await storedNumbers()).to.have.members([0, 2, 3, 4, 5]);
  });

  it('saves the file when its log is no log at all', async () => {
    writeFileSync(`${path}.wal`, 'no log '.repeat(1_000));
    const report = await salvageEventStore(path, SUFFIX);
    expect(report).to.include({ outcome: 'salvaged', copied: IN_FILE, isLogLost: true });
    expect(await storedNumbers()).to.have.length(IN_FILE);
  });

  it('goes back to the state before the last checkpoint when the newest header is damaged', async () => {
    const [first, second] = [4_096, 8_192].map((at) => readFileSync(path).readBigUInt64LE(at + 8));
    overwrite((first ?? 0n) > (second ?? 0n) ? 4_096 : 8_192);
    expect(await rejection(createDuckDbEventStore({ path, ...OPTIONS }))).to.be.instanceOf(Error);
    const report = await salvageEventStore(path, SUFFIX);
    expect(report).to.include({ outcome: 'salvaged', isOlderState: true, copied: IN_FILE / 2 });
    expect(await storedNumbers()).to.have.length(IN_FILE / 2);
  });

  it('refuses a file of which nothing can be read, and changes nothing', async () => {
    writeFileSync(path, 'notes '.repeat(10_000));
    const error = (await rejection(salvageEventStore(path, SUFFIX))) as Error;
    expect(error.message).to.include(`Nothing of ${path} can be read; nothing was changed.`);
    expect(readdirSync(directory.path).sort()).to.deep.equal(['events.duckdb', 'events.duckdb.wal']);
  });

  /** A store of one checkpoint with `count` events, as a crash leaves it; the file and its log. */
  async function makeSmallStore(inFile: number, inLog: number): Promise<void> {
    for (const end of ['', '.wal']) rmSync(`${path}${end}`, { force: true });
    const made = await createDuckDbEventStore({ path, ...OPTIONS });
    if (inFile > 0) await made.append(Array.from({ length: inFile }, (_, i) => eventOf(i)));
    await made.close();
    const store = await createDuckDbEventStore({ path, ...OPTIONS });
    for (let i = 0; i < inLog; i++) await store.append([eventOf(inFile + i)]);
    for (const end of ['', '.wal']) if (inLog > 0) copyFileSync(`${path}${end}`, `${path}.crashed${end}`);
    await store.close();
    for (const end of ['', '.wal']) {
      if (inLog > 0) renameSync(`${path}.crashed${end}`, `${path}${end}`);
    }
  }

  const losses: readonly [string, number, number, () => void][] = [
    ['that is cut off', 83, 0, () => truncateSync(path, 3 * 4_096 + 100)],
    [
      'whose events are all overwritten',
      83,
      0,
      () => {
        for (let at = 3 * 4_096; at < statSync(path).size; at += 64) overwrite(at);
      },
    ],
    [
      'whose events all stood in a log that is none',
      0,
      3,
      () => writeFileSync(`${path}.wal`, 'no log '.repeat(1_000)),
    ],
  ];
  for (const [what, inFile, inLog, damage] of losses) {
    it(`refuses a store ${what}, of which it would save nothing, and changes nothing`, async () => {
      await makeSmallStore(inFile, inLog);
      damage();
      const files = readdirSync(directory.path).sort();
      const before = files.map((file) => readFileSync(join(directory.path, file)));
      const refused = await runCli(['salvage'], { DATA_DIR: directory.path });
      expect([refused.code, refused.out]).to.deep.equal([1, '']);
      expect(refused.error).to.include(`Nothing of ${path} can be read; nothing was changed.`);
      expect(readdirSync(directory.path).sort()).to.deep.equal(files);
      for (const [i, file] of files.entries()) {
        expect(readFileSync(join(directory.path, file)).equals(before[i] ?? Buffer.of()), file).to.equal(
          true,
        );
      }
    });
  }

  it('finds an empty store sound', async () => {
    await makeSmallStore(0, 0);
    expect(await salvageEventStore(path, SUFFIX)).to.include({ outcome: 'sound', events: 0, copied: 0 });
  });

  it('refuses while a process has the store open', async () => {
    const store = await createDuckDbEventStore({ path, ...OPTIONS });
    expect(await rejection(salvageEventStore(path, SUFFIX))).to.include({ name: 'OwnedElsewhereError' });
    await store.close();
  });

  it('is a command: 0 and counts when it saved, 1 when there is nothing to save', async () => {
    truncateSync(path, Math.floor(statSync(path).size * 0.6));
    const environment = { DATA_DIR: directory.path };
    const saved = await runCli(['salvage', '--json'], environment);
    expect(saved.code, saved.error).to.equal(0);
    expect(JSON.parse(saved.out).data).to.include({ outcome: 'salvaged', events: null });
    const again = await runCli(['salvage'], environment);
    expect(again.out).to.include(`${path} is sound`);
    const nowhere = await runCli(['salvage'], { DATA_DIR: join(directory.path, 'nowhere') });
    expect(nowhere.code).to.equal(1);
    expect(nowhere.error).to.include('there is no event store');
  });
});
