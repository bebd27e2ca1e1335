/** Holds `tidegate segments rebuild` to new files of the same events, whatever was wrong with the former ones. */
import { expect } from 'chai';
import { Leases } from '../../../../services/shared/storage/mongodb/lease.ts';
import { SEGMENT_CHUNK_COLLECTION } from '../../../../services/shared/storage/mongodb/segments/segment-files.ts';
import { SegmentWorkshop } from '../../../support/columns/segment-workshop.ts';
import { eventRecord } from '../../../support/event-record.ts';
import { useMongodb } from '../../../support/mongodb/use-mongodb.ts';
import { runCli } from '../../../support/run-cli.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { until } from '../../../support/until.ts';

const SHOP = { organizationId: 'org_a', websiteId: 'web_a' };
const OTHER = { organizationId: 'org_b', websiteId: 'web_b' };

describe('tidegate segments rebuild', function () {
  this.timeout(120_000);
  const server = useMongodb();
  let uri: string;
  let shop: SegmentWorkshop;
  let data: TempDirectory;

  beforeEach(async () => {
    uri = server.newUri();
    data = createTempDirectory();
    shop = await SegmentWorkshop.open(uri, { sliceEvents: 10, spanEvents: 20 });
    const events = Array.from({ length: 50 }, (_, i) =>
      eventRecord({ website_id: 'web_a', event_id: `e${i}`, timestamp: i * 1_000 }),
    );
    await shop.store(events);
    await shop.store([eventRecord({ organization_id: 'org_b', website_id: 'web_b', timestamp: 5 })]);
    for (const partition of [SHOP, OTHER]) await shop.bench.builder.buildPartition(partition);
  });
  afterEach(async () => {
    await shop.close();
    data.remove();
  });

  const rebuild = (...args: string[]) =>
    runCli(['segments', 'rebuild', ...args], { MONGODB_URI: uri, DATA_DIR: data.path });
  const idsOf = async (partition: typeof SHOP) => (await shop.set(partition)).segments.map(({ id }) => id);

  it('replaces the files of what it is narrowed to, damaged or not, and leaves others alone', async () => {
    const [former, others] = [await idsOf(SHOP), await idsOf(OTHER)];
    await shop.connection.collection(SEGMENT_CHUNK_COLLECTION).deleteMany({});
    const { code, out } = await rebuild('--organization', 'org_a', '--website', 'web_a');
    expect(code).to.equal(0);
    expect(out).to.match(
      /^organization org_a, website web_a: 1 segments, 50 events, [\d,]+ bytes in [\d.]+ s\n$/,
    );
    expect(await idsOf(SHOP)).to.not.include.members(former);
    await shop.expectWhole(SHOP);
    expect(await idsOf(OTHER)).to.deep.equal(others);
  });

  it('rebuilds everything without a selection, takes in what arrived, and tells it as JSON', async () => {
    await shop.store([eventRecord({ organization_id: 'org_b', website_id: 'web_b', timestamp: 6 })]);
    const { code, out } = await rebuild('--json');
    expect(code).to.equal(0);
    const { partitions } = JSON.parse(out).data;
    const told = partitions.map(({ websiteId, events }: { websiteId: string; events: number }) => [
      websiteId,
      events,
    ]);
    expect(told).to.have.deep.members([
      ['web_a', 50],
      ['web_b', 2],
    ]);
    for (const partition of [SHOP, OTHER]) await shop.expectWhole(partition);
    const none = await rebuild('--website', 'web_x');
    expect(none).to.deep.equal({ code: 0, out: 'There are no segments of the website web_x.\n', error: '' });
  });

  it('waits while another process builds the partition, and says so', async () => {
    const lease = await new Leases(shop.connection).tryLease('segments org_b/web_b');
    if (lease === null) throw new Error('somebody has the lease');
    const former = await idsOf(OTHER);
    const running = rebuild('--website', 'web_b');
    // The note is written before the lease is asked for.
    const isNoted = async () => (await shop.bench.sets.readState(OTHER)).rebuild !== null;
    await until('the note of the rebuild', isNoted);
    expect(await idsOf(OTHER)).to.deep.equal(former);
    await lease.release();
    const { code, error } = await running;
    expect(code).to.equal(0);
    expect(error).to.include(
      'organization org_b, website web_b: another process builds it; waiting for its end\n',
    );
    expect(await idsOf(OTHER)).to.not.deep.equal(former);
  });

  it('is a usage error with an option that it does not have, and refused without MongoDB', async () => {
    expect((await rebuild('--all')).code).to.equal(2);
    const { code, error } = await runCli(['segments', 'rebuild'], { DATA_DIR: data.path });
    expect(code).to.equal(1);
    expect(error).to.include('MONGODB_URI is not set');
  });
});
