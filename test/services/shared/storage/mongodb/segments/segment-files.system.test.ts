/** The files of segments in MongoDB: whole or not at all, and never other than they were written. */
import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { type Connection, mongo } from 'mongoose';
import { DamagedSegment } from '../../../../../../services/shared/storage/columns/segment-set.ts';
import { migrate } from '../../../../../../services/shared/storage/mongodb/migrate.ts';
import { openConnection } from '../../../../../../services/shared/storage/mongodb/open-connection.ts';
import {
  SEGMENT_CHUNK_COLLECTION,
  SEGMENT_FILE_COLLECTION,
  SegmentFiles,
} from '../../../../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { startFaultProxy } from '../../../../../support/fault-proxy.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../../../../support/temp-directory.ts';

/** More than two pieces. */
const CONTENT = randomBytes(2_500_000);

describe('the files of segments in MongoDB', () => {
  const mongodb = useMongodb();
  let connection: Connection;
  let files: SegmentFiles;
  let directory: TempDirectory;
  let uri: string;

  beforeEach(async () => {
    uri = mongodb.newUri();
    connection = await openConnection(uri, { appName: 'tidegate-test' });
    await migrate(connection);
    files = new SegmentFiles(connection.getClient().db(connection.name));
    directory = createTempDirectory();
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
    directory.remove();
  });

  const chunks = () => connection.collection(SEGMENT_CHUNK_COLLECTION);
  const listed = async () => {
    const ids: string[] = [];
    for await (const { id } of files.list()) ids.push(id);
    return ids;
  };

  async function put(content = CONTENT) {
    writeFileSync(directory.file('source'), content);
    const id = await files.put(directory.file('source'));
    return { id, bytes: content.length, sha256: createHash('sha256').update(content).digest('hex') };
  }

  /** The damage that a download meets; nothing may appear where the file was to be. */
  async function damage(of: Parameters<SegmentFiles['get']>[0]): Promise<string> {
    const fault = await rejection(files.get(of, directory.file('target')));
    expect(fault).to.be.instanceOf(DamagedSegment);
    expect((fault as DamagedSegment).segment).to.equal(of.id);
    expect(readdirSync(directory.path).filter((name) => name.startsWith('target'))).to.deep.equal([]);
    return String((fault as Error).message);
  }

  it('come back as they were put there', async () => {
    const [file, other] = [await put(), await put(Buffer.from('small'))];
    await files.get(file, directory.file('target'));
    expect(readFileSync(directory.file('target')).equals(CONTENT)).to.equal(true);
    await files.get(other, directory.file('target'));
    expect(readFileSync(directory.file('target'), 'utf8')).to.equal('small');
  });

  it('are listed with the instant of their upload, and gone once removed, pieces and all', async () => {
    const before = Math.floor(Date.now() / 1_000) * 1_000;
    const [first, second] = [await put(), await put()];
    const found: { id: string; at: number }[] = [];
    for await (const one of files.list()) found.push(one);
    expect(found.map(({ id }) => id)).to.have.members([first.id, second.id]);
    for (const { at } of found) expect(at).to.be.within(before, Date.now());
    await files.remove([first.id]);
    expect(await listed()).to.deep.equal([second.id]);
    expect(await chunks().countDocuments()).to.equal(3);
    expect(await damage(first)).to.equal(`the segment ${first.id} is missing`);
    await files.remove([first.id, second.id]);
    expect(await listed()).to.deep.equal([]);
  });

  it('that lack a piece, or have another byte or length, are damaged', async () => {
    const file = await put();
    const pieces = await chunks().find().sort({ n: 1 }).toArray();
    const [first, second, last] = pieces;
    const flipped = Buffer.from(CONTENT.subarray(0, 1_048_576));
    flipped[1_000] = (flipped[1_000] ?? 0) ^ 1;
    await chunks().updateOne({ n: 0 }, { $set: { data: new mongo.Binary(flipped) } });
    expect(await damage(file)).to.equal(`the segment ${file.id} is not as it was written`);
    await chunks().updateOne({ n: 0 }, { $set: { data: first?.data } });
    await chunks().deleteOne({ n: 2 });
    expect(await damage(file)).to.equal(`the segment ${file.id} has 2097152 bytes instead of 2500000`);
    await chunks().insertOne(last as mongo.Document);
    await chunks().deleteOne({ n: 1 });
    expect(await damage(file)).to.equal(`the segment ${file.id} lacks a piece`);
    await chunks().insertOne(second as mongo.Document);
    await files.get(file, directory.file('target'));
  });

  it('whose upload or removal ended early are listed too', async () => {
    const file = await put();
    await connection.collection(SEGMENT_FILE_COLLECTION).deleteOne({});
    expect(await damage(file)).to.contain('is missing');
    expect(await listed()).to.deep.equal([file.id]);
    await files.remove(await listed());
    expect(await chunks().countDocuments()).to.equal(0);
  });

  it('are not brought under a name that no upload gave', async () => {
    expect(await damage({ id: 'lost', bytes: 1, sha256: '' })).to.contain('no name of a file');
  });

  it('leave nothing when an upload is ended by its signal', async () => {
    writeFileSync(directory.file('source'), CONTENT);
    const ending = new AbortController();
    const reason = new Error('enough');
    const putting = files.put(directory.file('source'), ending.signal);
    ending.abort(reason);
    expect(await rejection(putting)).to.equal(reason);
    expect(await connection.collection(SEGMENT_FILE_COLLECTION).countDocuments()).to.equal(0);
  });

  it('are unavailable, not damaged, while the server does not answer', async function () {
    // Several hosts do not go through one proxy.
    if (mongodb.kind === 'given') this.skip();
    const file = await put();
    const proxy = await startFaultProxy(Number(new URL(uri).port));
    const far = await openConnection(`mongodb://127.0.0.1:${proxy.port}/${connection.name}`, {
      appName: 'tidegate-test',
    });
    try {
      const there = new SegmentFiles(far.getClient().db(far.name));
      await there.get(file, directory.file('target'));
      await proxy.set('refuse');
      const faults = [
        await rejection(there.get(file, directory.file('other'))),
        await rejection(there.put(directory.file('source'))),
      ];
      for (const fault of faults) expect(fault).to.have.property('kind', 'SERVICE_UNAVAILABLE');
      expect(existsSync(directory.file('other'))).to.equal(false);
    } finally {
      await far.destroy();
      await proxy.close();
    }
  }).timeout(60_000);
});
