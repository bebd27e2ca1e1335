/** Files of segments: what goes in comes out, sorted, whole, and without what was left out. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { expect } from 'chai';
import type { EventRecord } from '../../../../../../services/shared/model/event-record.ts';
import { SegmentMaker } from '../../../../../../services/shared/storage/duckdb/segments/segment-maker.ts';
import { eventRecord } from '../../../../../support/event-record.ts';
import { readSegmentFile } from '../../../../../support/read-segment-file.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { inBatches, sortedTexts, variedEvents } from '../../../../../support/segment-events.ts';
import { createTempDirectory, type TempDirectory } from '../../../../../support/temp-directory.ts';

describe('the segment maker', () => {
  let directory: TempDirectory;
  let maker: SegmentMaker;

  beforeEach(async () => {
    directory = createTempDirectory();
    maker = await SegmentMaker.open({ directory: directory.file('segments') });
  });
  afterEach(async () => {
    await maker.close();
    directory.remove();
  });

  const filesThere = () => readdirSync(maker.directory).filter((name) => name.endsWith('.parquet'));

  async function written(events: readonly EventRecord[]): Promise<string> {
    const file = maker.newFile();
    await maker.write(inBatches(events, 5), file);
    return file;
  }

  it('writes events of every kind, sorted by their instants, and tells what the file is', async () => {
    const events = variedEvents();
    const file = maker.newFile();
    const made = await maker.write(inBatches(events, 5), file);
    const read = await readSegmentFile(file);
    expect(sortedTexts(read)).to.deep.equal(sortedTexts(events));
    const instants = events.map(({ timestamp }) => timestamp).sort((a, b) => a - b);
    expect(read.map(({ timestamp }) => timestamp)).to.deep.equal(instants);
    expect(made).to.deep.equal({
      rows: events.length,
      from: Date.UTC(1, 0, 1),
      to: 8.64e15,
      bytes: statSync(file).size,
      sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
    });
  });

  it('makes no file of nothing', async () => {
    expect(await maker.write(inBatches([]), maker.newFile())).to.equal(null);
    const file = await written([eventRecord()]);
    const without = { organizationId: 'org_a', websiteId: null, anonymousId: null };
    expect(await maker.merge([file], maker.newFile(), { without })).to.equal(null);
    expect(filesThere()).to.have.length(1);
  });

  it('merges files into one that is sorted and has every row of them once', async () => {
    const events = variedEvents();
    const files = await Promise.all([events.slice(0, 4), events.slice(4, 5), events.slice(5)].map(written));
    const file = maker.newFile();
    const made = await maker.merge(files, file);
    const read = await readSegmentFile(file);
    expect(made?.rows).to.equal(events.length);
    expect(sortedTexts(read)).to.deep.equal(sortedTexts(events));
    const instants = read.map(({ timestamp }) => timestamp);
    expect(instants).to.deep.equal([...instants].sort((a, b) => a - b));
  });

  it('leaves out exactly what a selection names, and counts it', async () => {
    const names = ['ann', 'bob', null] as const;
    const events = names.flatMap((anonymous_id) =>
      [1_000, 2_000, 3_000].map((timestamp) => eventRecord({ anonymous_id, timestamp })),
    );
    const file = await written(events);
    const selection = { organizationId: 'org_a', websiteId: null, anonymousId: 'ann', before: 3_000 };
    expect(await maker.count(file, selection)).to.equal(2);
    expect(await maker.count(file)).to.equal(9);
    const left = maker.newFile();
    expect(await maker.merge([file], left, { without: selection })).to.include({ rows: 7, from: 1_000 });
    const kept = events.filter(
      ({ anonymous_id, timestamp }) => anonymous_id !== 'ann' || timestamp === 3_000,
    );
    expect(sortedTexts(await readSegmentFile(left))).to.deep.equal(sortedTexts(kept));
    expect(await maker.count(left, selection)).to.equal(0);
  });

  it('writes and merges more than its memory holds', async () => {
    const small = await SegmentMaker.open({ directory: directory.file('small'), memoryMb: 100 });
    const count = 30_000;
    async function* large(part: number) {
      for (let from = 0; from < count; from += 1_000) {
        yield Array.from({ length: 1_000 }, (_, i) =>
          eventRecord({
            stack: randomBytes(1_500).toString('base64'),
            timestamp: (count - from - i) * 1_000 + part,
          }),
        );
      }
    }
    const files = [small.newFile(), small.newFile()];
    for (const [part, file] of files.entries())
      expect(await small.write(large(part), file)).to.include({ rows: count });
    const made = await small.merge(files, small.newFile());
    expect(made).to.include({ rows: 2 * count, from: 1_000, to: count * 1_000 + 1 });
    await small.close();
  }).timeout(120_000);

  it('ends with the reason of its signal, and leaves no file', async () => {
    const reason = new Error('enough');
    const ending = new AbortController();
    async function* endless() {
      for (;;) {
        yield [eventRecord()];
        ending.abort(reason);
      }
    }
    expect(await rejection(maker.write(endless(), maker.newFile(), ending.signal))).to.equal(reason);
    const file = await written(variedEvents());
    const options = { signal: ending.signal };
    expect(await rejection(maker.merge([file], maker.newFile(), options))).to.equal(reason);
    expect(await rejection(maker.count(file, undefined, ending.signal))).to.equal(reason);
    expect(filesThere()).to.have.length(1);
  });

  it('passes on what the events throw, and leaves no file', async () => {
    const fault = new Error('gone');
    async function* broken() {
      yield [eventRecord()];
      throw fault;
    }
    expect(await rejection(maker.write(broken(), maker.newFile()))).to.equal(fault);
    expect(filesThere()).to.deep.equal([]);
  });

  it('reads and writes nowhere but in its folder', async () => {
    const file = await written([eventRecord()]);
    const outside = directory.file('outside.parquet');
    expect(String(await rejection(maker.merge([file], outside)))).to.contain('Permission Error');
    expect(String(await rejection(maker.count('/etc/passwd')))).to.contain('Permission Error');
  });

  it('takes its folder with it', async () => {
    await written([eventRecord()]);
    const { directory: folder } = maker;
    await maker.close();
    expect(existsSync(folder)).to.equal(false);
    maker = await SegmentMaker.open({ directory: folder });
  });

  it('lets calls in progress end before it closes, and refuses further ones', async () => {
    const file = await written([eventRecord()]);
    let goOn = (): void => undefined;
    const waiting = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    async function* slow() {
      yield [eventRecord({ event_id: 'a' })];
      await waiting;
      yield [eventRecord({ event_id: 'b' })];
    }
    const making = maker.write(slow(), maker.newFile());
    const closing = maker.close();
    expect(String(await rejection(maker.count(file)))).to.include('closed');
    goOn();
    expect((await making)?.rows).to.equal(2);
    await closing;
    expect(existsSync(maker.directory)).to.equal(false);
  });
});
