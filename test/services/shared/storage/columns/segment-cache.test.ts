/** Files of segments on disk: bounded, checked, kept while they are read, and there after a restart. */
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { SegmentCache } from '../../../../../services/shared/storage/columns/segment-cache.ts';
import { DamagedSegment, type Segment } from '../../../../../services/shared/storage/columns/segment-set.ts';
import { ArrivalLog } from '../../../../support/columns/arrival-log.ts';
import { SegmentShelf } from '../../../../support/columns/segment-shelf.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { rejection } from '../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';

describe('a cache of segments', () => {
  let directory: TempDirectory;
  let shelf: SegmentShelf;
  let segments: Segment[];
  const signal = new AbortController().signal;
  before(async () => {
    directory = createTempDirectory();
    shelf = new SegmentShelf(directory.path, new ArrivalLog());
    segments = [];
    for (const name of ['one', 'two', 'six'])
      segments.push(await shelf.write([eventRecord({ event_name: name })]));
  });
  beforeEach(() => {
    shelf.brought = 0;
  });
  after(() => directory.remove());

  const numbered = (...numbers: number[]) => numbers.map((number) => segments[number] as Segment);
  let folders = 0;
  const newFolder = () => directory.file(`cache ${++folders}`);
  const open = (folder: string, maxBytes = Number.MAX_SAFE_INTEGER) =>
    SegmentCache.open({ directory: folder, maxBytes, source: shelf });
  const bytesOf = (...numbers: number[]) => numbered(...numbers).reduce((sum, { bytes }) => sum + bytes, 0);
  const namesIn = (folder: string) => readdirSync(folder).map((name) => name.replace('.parquet', ''));

  it('brings a file once, for all who ask at the same time and later', async () => {
    const cache = await open(newFolder());
    const held = await Promise.all([1, 2, 3].map(() => cache.hold(numbered(0, 1), signal)));
    held.push(await cache.hold(numbered(1, 0), signal));
    expect(shelf.brought).to.equal(2);
    expect(held[3]?.files).to.deep.equal(held[0]?.files.toReversed());
    for (const file of held[0]?.files ?? []) expect(existsSync(file), file).to.equal(true);
    await cache.close();
  });

  it('has at most its bytes: what was not used for longest goes first', async () => {
    const folder = newFolder();
    const cache = await open(folder, bytesOf(0, 1));
    for (const number of [0, 1, 0, 2]) (await cache.hold(numbered(number), signal)).release();
    expect(cache.bytes).to.be.at.most(bytesOf(0, 1));
    expect(namesIn(folder)).to.have.members(numbered(0, 2).map(({ sha256 }) => sha256));
    await cache.close();
  });

  it('keeps what is held, even beyond its bytes, and lets it go afterwards', async () => {
    const folder = newFolder();
    const cache = await open(folder, 1);
    const first = await cache.hold(numbered(0), signal);
    const both = await cache.hold(numbered(0, 1), signal);
    for (const file of both.files) expect(existsSync(file)).to.equal(true);
    first.release();
    first.release();
    for (const file of both.files) expect(existsSync(file)).to.equal(true);
    both.release();
    expect(namesIn(folder)).to.deep.equal([]);
    expect(cache.bytes).to.equal(0);
    await cache.close();
  });

  it('finds its files after a restart, checks each once, and brings those anew that are wrong', async () => {
    const folder = newFolder();
    const before = await open(folder);
    const { files } = await before.hold(numbered(0, 1), signal);
    await before.close();
    writeFileSync(files[1] ?? '', 'other bytes');
    writeFileSync(`${folder}/half.part`, 'x');
    writeFileSync(`${folder}/${'f'.repeat(64)}.parquet.1.part`, 'x');
    const after = await open(folder);
    expect(namesIn(folder)).to.have.length(2);
    shelf.brought = 0;
    const held = await after.hold(numbered(0, 1), signal);
    expect([shelf.brought, held.files]).to.deep.equal([1, files]);
    // Of the same length as before, so that only its bytes tell.
    writeFileSync(files[0] ?? '', 'x'.repeat(bytesOf(0)));
    (await after.hold(numbered(0, 1), signal)).release();
    expect(shelf.brought, 'checked once').to.equal(1);
    expect(await after.removeDamaged(numbered(0, 1))).to.equal(true);
    expect(await after.removeDamaged(numbered(0, 1))).to.equal(false);
    (await after.hold(numbered(0, 1), signal)).release();
    expect(shelf.brought).to.equal(2);
    await after.close();
  });

  it('leaves out at its start what exceeds its bytes', async () => {
    const folder = newFolder();
    const before = await open(folder);
    (await before.hold(numbered(0, 1, 2), signal)).release();
    await before.close();
    const after = await open(folder, bytesOf(0) + 1);
    expect(after.bytes).to.be.at.most(bytesOf(0) + 1);
    expect(namesIn(folder)).to.have.length(1);
    await after.close();
  });

  it('tells of a file that is missing or wrong, and tries again at the next time', async () => {
    const folder = newFolder();
    const cache = await open(folder);
    const lost = { ...(segments[0] as Segment), id: 'lost' };
    for (let attempt = 0; attempt < 2; attempt++) {
      const fault = await rejection(cache.hold([...numbered(1), lost], signal));
      expect(fault).to.be.instanceOf(DamagedSegment);
      expect(fault).to.include({ segment: 'lost' });
    }
    (await cache.hold(numbered(0, 1), signal)).release();
    expect(cache.bytes).to.equal(bytesOf(0, 1));
    await cache.close();
  });

  it('lets go of who left, while others still wait', async () => {
    const cache = await open(newFolder());
    const leaving = new AbortController();
    const left = rejection(cache.hold(numbered(0), leaving.signal));
    const staying = cache.hold(numbered(0), signal);
    leaving.abort(new Error('left'));
    expect(await left).to.have.property('message', 'left');
    expect((await staying).files).to.have.length(1);
    expect(await rejection(cache.hold(numbered(0), leaving.signal))).to.have.property('message', 'left');
    await cache.close();
  });
});
