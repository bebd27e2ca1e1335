/** Holds `tidegate segments list` to what it says of the segments of a database, in text and as JSON. */
import { expect } from 'chai';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import { SegmentWorkshop } from '../../support/columns/segment-workshop.ts';
import { eventRecord } from '../../support/event-record.ts';
import { useMongodb } from '../../support/mongodb/use-mongodb.ts';
import { runCli } from '../../support/run-cli.ts';

const SHOP = { organizationId: 'org_a', websiteId: 'web_a' };
const WITHOUT_WEBSITE = { organizationId: 'org_a', websiteId: null };
const OTHER = { organizationId: 'org_b', websiteId: 'web_b' };

/** So many events, one a second from the first instant on. */
function events(count: number, overrides: Partial<EventRecord>): EventRecord[] {
  return Array.from({ length: count }, (_, i) =>
    eventRecord({ event_id: `e${i}`, timestamp: i * 1_000, ...overrides }),
  );
}

describe('tidegate segments list', function () {
  this.timeout(60_000);
  const server = useMongodb();
  let uri: string;
  let shop: SegmentWorkshop;
  beforeEach(async () => {
    uri = server.newUri();
    shop = await SegmentWorkshop.open(uri, { sliceEvents: 10, spanEvents: 20 });
  });
  afterEach(() => shop.close());

  const list = (...args: string[]) => runCli(['segments', 'list', ...args], { MONGODB_URI: uri });
  async function json(...args: string[]) {
    const { code, out, error } = await list('--json', ...args);
    expect([code, error]).to.deep.equal([0, '']);
    return JSON.parse(out).data;
  }

  /** Three partitions of 50, 5 and 3 events. */
  async function fill(): Promise<void> {
    await shop.store(events(50, { website_id: 'web_a' }));
    await shop.store(events(5, { website_id: null }));
    await shop.store(events(3, { organization_id: 'org_b', website_id: 'web_b' }));
    for (const partition of [SHOP, WITHOUT_WEBSITE, OTHER])
      await shop.bench.builder.buildPartition(partition);
  }

  it('says that there are none, also of what it is narrowed to', async () => {
    expect(await list()).to.deep.equal({ code: 0, out: 'There are no segments.\n', error: '' });
    const { out } = await list('--organization', 'org_a', '--website', 'web_a');
    expect(out).to.equal('There are no segments of the website web_a of the organization org_a.\n');
    const { partitions, totals } = await json();
    expect(partitions).to.deep.equal([]);
    expect(totals).to.include({ partitions: 0, events: 0, bytesPerEvent: null });
  });

  it('has what the sets have of each partition, and their sums', async () => {
    await fill();
    await shop.bench.sets.addFresh([{ partition: SHOP, events: 7 }]);
    const { partitions, totals } = await json();
    expect(partitions.map((p: typeof SHOP) => [p.organizationId, p.websiteId])).to.deep.equal([
      ['org_a', null],
      ['org_a', 'web_a'],
      ['org_b', 'web_b'],
    ]);
    const { segments } = await shop.set(SHOP);
    const bytes = segments.reduce((sum, segment) => sum + segment.bytes, 0);
    expect(segments.length).to.be.above(1);
    expect(partitions[1]).to.deep.equal({
      ...SHOP,
      isBuilt: true,
      segments: segments.length,
      events: 50,
      coldEvents: 0,
      bytes,
      bytesPerEvent: Math.round(bytes / 5) / 10,
      from: 0,
      to: 49_000,
      freshEvents: 7,
      rebuild: null,
    });
    expect(totals).to.include({ partitions: 3, events: 58, freshEvents: 7, rebuilds: 0 });
    expect(totals.bytes).to.equal(partitions.reduce((sum: number, p: { bytes: number }) => sum + p.bytes, 0));
  });

  it('narrows to an organization, a website, or both', async () => {
    await fill();
    const found = async (...args: string[]) =>
      (await json(...args)).partitions.map(({ events }: { events: number }) => events);
    expect(await found('--organization', 'org_a')).to.deep.equal([5, 50]);
    expect(await found('--website', 'web_b')).to.deep.equal([3]);
    expect(await found('--website', 'web_b', '--organization', 'org_a')).to.deep.equal([]);
  });

  it('shows how far an interrupted rebuild has come, and what was never built', async () => {
    await fill();
    await shop.bench.sets.addFresh([
      { partition: { organizationId: 'org_c', websiteId: 'web_c' }, events: 1_234 },
    ]);
    const ended = new AbortController();
    let changes = 0;
    const { builder } = await shop.openAnother({
      sliceEvents: 10,
      spanEvents: 20,
      told: (step) => {
        // The note that it is to be rebuilt, and its first span.
        if (step === 'visible' && ++changes === 2) ended.abort(new Error('enough'));
      },
    });
    await builder.rebuildPartition(SHOP, ended.signal).catch(() => undefined);
    const { partitions, totals } = await json('--website', 'web_a');
    expect(partitions[0].rebuild).to.include({ until: 20_000, segments: 1 });
    expect([partitions[0].events, totals.rebuilds]).to.deep.equal([50, 1]);
    const lines = (await list()).out.split('\n');
    expect(lines[0]).to.match(
      /^ORGANIZATION {2}WEBSITE +SEGMENTS +EVENTS +COLD +BYTES +BYTES\/EVENT +FIRST +LAST +FRESH +REBUILD$/,
    );
    expect(lines[1]).to.match(/^org_a +- +1 +5 +0 /);
    expect(lines[2])
      .to.match(/^org_a +web_a +\d+ +50 +0 +[\d,]+ +[\d.,]+ /)
      .and.to.match(
        / 1970-01-01T00:00:00\.000Z +1970-01-01T00:00:49\.000Z +\d+ +up to 1970-01-01T00:00:20\.000Z$/,
      );
    expect(lines[4]).to.match(/^org_c +web_c +not built +0 +0 +0 +- +- +- +1,234 +-$/);
    expect(lines[5])
      .to.match(/^total +4 +\d+ +58 /)
      .and.to.match(/ 1,234 +1$/);
    expect(lines.slice(6)).to.deep.equal(['']);
  });
});

describe('tidegate segments list, without MongoDB', () => {
  it('is refused, and says where segments exist', async () => {
    const { code, out, error } = await runCli(['segments', 'list'], {});
    expect([code, out]).to.deep.equal([1, '']);
    expect(error).to.equal(
      'MONGODB_URI is not set: segments exist only where events are stored in MongoDB\n',
    );
  });
});
