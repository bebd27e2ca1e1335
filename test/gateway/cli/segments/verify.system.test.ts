/** Holds `tidegate segments verify` to every fault that a file of segments can have, each named with its place. */
import { expect } from 'chai';
import { mongo } from 'mongoose';
import {
  SEGMENT_CHUNK_COLLECTION,
  SEGMENT_FILE_COLLECTION,
} from '../../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { SegmentWorkshop } from '../../../support/columns/segment-workshop.ts';
import { eventRecord } from '../../../support/event-record.ts';
import { useMongodb } from '../../../support/mongodb/use-mongodb.ts';
import { runCli } from '../../../support/run-cli.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';

const SHOP = { organizationId: 'org_a', websiteId: 'web_a' };
const WITHOUT_WEBSITE = { organizationId: 'org_b', websiteId: null };

describe('tidegate segments verify', function () {
  this.timeout(120_000);
  const server = useMongodb();
  let uri: string;
  let shop: SegmentWorkshop;
  let data: TempDirectory;

  beforeEach(async () => {
    uri = server.newUri();
    data = createTempDirectory();
    shop = await SegmentWorkshop.open(uri, { sliceEvents: 10, spanEvents: 20, fanIn: 100 });
    const events = Array.from({ length: 50 }, (_, i) =>
      eventRecord({ website_id: 'web_a', event_id: `e${i}`, timestamp: i * 1_000 }),
    );
    await shop.store(events);
    await shop.store([eventRecord({ organization_id: 'org_b', website_id: null, timestamp: 5 })]);
    for (const partition of [SHOP, WITHOUT_WEBSITE]) await shop.bench.builder.buildPartition(partition);
  });
  afterEach(async () => {
    await shop.close();
    data.remove();
  });

  const verify = (...args: string[]) =>
    runCli(['segments', 'verify', ...args], { MONGODB_URI: uri, DATA_DIR: data.path });
  const chunks = () => shop.connection.collection(SEGMENT_CHUNK_COLLECTION);
  const fileOf = (id: string | undefined) => new mongo.ObjectId(id);

  it('says that all are as they were written, and how much that is', async () => {
    const { code, out, error } = await verify();
    expect([code, error]).to.deep.equal([0, '']);
    expect(out).to.match(
      /^All are as they were written: 4 segments of 2 partitions, 51 events, [\d,]+ bytes\.\n$/,
    );
    const { data: told } = JSON.parse((await verify('--json', '--website', 'web_a')).out);
    expect(told).to.include({ partitions: 1, segments: 3, events: 50 });
    expect(told.faults).to.deep.equal([]);
    const none = await verify('--website', 'web_x');
    expect(none).to.deep.equal({ code: 0, out: 'There are no segments of the website web_x.\n', error: '' });
  });

  it('names each file that is missing, cut short or changed, and ends with 1', async () => {
    const [missing, cut, changed] = (await shop.set(SHOP)).segments;
    await shop.connection.collection(SEGMENT_FILE_COLLECTION).deleteOne({ _id: fileOf(missing?.id) });
    await chunks().deleteMany({ files_id: fileOf(cut?.id) });
    const chunk = await chunks().findOne({ files_id: fileOf(changed?.id) });
    const bytes = Buffer.from(chunk?.data.buffer);
    bytes.writeUInt8(bytes.readUInt8(100) ^ 1, 100);
    await chunks().updateOne({ files_id: fileOf(changed?.id) }, { $set: { data: bytes } });
    const { code, out } = await verify();
    expect(code).to.equal(1);
    const lines = out.split('\n');
    expect(lines).to.have.length(5);
    const range = '1970-01-01T00:00:00.000Z to 1970-01-01T00:00:19.000Z, 20 events';
    expect(lines[0]).to.equal(
      `organization org_a, website web_a, ${range}: the segment ${missing?.id} is missing; tidegate segments rebuild makes it anew`,
    );
    expect(lines[1]).to.include(`the segment ${cut?.id} has 0 bytes instead of`);
    expect(lines[2]).to.include(`the segment ${changed?.id} is not as it was written`);
    expect(lines[3]).to.match(/^3 faults in 4 segments of 2 partitions/);
  });

  it('names files whose rows or columns are not those of their set, as JSON too', async () => {
    const state = await shop.bench.sets.readState(WITHOUT_WEBSITE);
    const [one] = state.segments;
    if (one === undefined) throw new Error('there is no segment');
    const change = (segments: (typeof one)[], version: number) =>
      shop.bench.sets.replace({ ...state, version, segments });
    await change([{ ...one, rows: 2 }], state.version + 1);
    const reason = async () => {
      const { code, out } = await verify('--json', '--organization', 'org_b');
      expect(code).to.equal(1);
      const { faults } = JSON.parse(out).data;
      expect(faults[0]).to.include({ ...WITHOUT_WEBSITE, segment: one.id, from: 5, to: 5 });
      return faults.map((fault: { reason: string }) => fault.reason);
    };
    expect(await reason()).to.deep.equal(['has 1 rows instead of 2']);
    await change([{ ...one, rows: 2, cold: 'gone' }], state.version + 2);
    expect((await verify('--organization', 'org_b')).out).to.include(
      `the segment ${one.id} has 1 rows instead of 2; it is cold: restore it from a backup\n`,
    );
    await change([{ ...one, schema: 0 }], state.version + 3);
    expect(await reason()).to.deep.equal(['has columns of version 0 instead of 1']);
    const { out } = await verify('--organization', 'org_b');
    expect(out).to.match(/^organization org_b, events without a website, /);
  });

  it('is a usage error with an option that it does not have, and refused without a server', async () => {
    expect((await verify('--all')).code).to.equal(2);
    const nowhere = {
      MONGODB_URI: 'mongodb://127.0.0.1:1/x?serverSelectionTimeoutMS=200',
      DATA_DIR: data.path,
    };
    expect((await runCli(['segments', 'verify'], nowhere)).code).to.equal(1);
    const { code, error } = await runCli(['segments', 'verify'], { DATA_DIR: data.path });
    expect([code, error]).to.deep.equal([
      1,
      'MONGODB_URI is not set: segments exist only where events are stored in MongoDB\n',
    ]);
  });
});
