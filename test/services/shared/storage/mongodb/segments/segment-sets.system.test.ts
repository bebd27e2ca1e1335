/** Segment sets in MongoDB: one change at a time wins, and readers get no more than they need. */
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import type { SetState } from '../../../../../../services/shared/storage/columns/segment-set.ts';
import { migrate } from '../../../../../../services/shared/storage/mongodb/migrate.ts';
import { openConnection } from '../../../../../../services/shared/storage/mongodb/open-connection.ts';
import { SegmentSets } from '../../../../../../services/shared/storage/mongodb/segments/segment-sets.ts';
import { emptyState } from '../../../../../../services/shared/storage/mongodb/segments/set-document.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';

const PARTITION = { organizationId: 'org_a', websiteId: 'web_a' };
const OTHER = { organizationId: 'org_a', websiteId: null };
const FOREIGN = { organizationId: 'org_b', websiteId: 'web_b' };

const SEGMENT = {
  id: 'seg',
  level: 0,
  from: -1,
  to: 8.64e15,
  rows: 4,
  bytes: 5,
  sha256: 'abc',
  schema: 1,
};

describe('segment sets in MongoDB', () => {
  const mongodb = useMongodb();
  let connection: Connection;
  let sets: SegmentSets;

  beforeEach(async () => {
    connection = await openConnection(mongodb.newUri(), { appName: 'tidegate-test' });
    await migrate(connection);
    sets = new SegmentSets(connection.getClient().db(connection.name));
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  const BUILT: SetState = {
    partition: PARTITION,
    version: 1,
    erasures: 2,
    covered: {
      floor: 3,
      sequences: new Map([
        [4, 5],
        [7, 0],
      ]),
    },
    segments: [SEGMENT],
    rebuild: {
      id: 'rebuild',
      target: { floor: 1, sequences: new Map([[2, 9]]) },
      until: 1_000,
      segments: [{ ...SEGMENT, id: 'new' }],
      replaces: ['seg'],
    },
    cold: { before: 500, within: { floor: 2, sequences: new Map([[4, 1]]) } },
    plan: { within: { floor: 3, sequences: new Map() }, at: 77 },
  };

  async function listed(organizationId?: string) {
    const found: string[] = [];
    for await (const { state, fresh } of sets.list(organizationId))
      found.push(`${state.partition.organizationId} ${state.partition.websiteId} ${state.version} ${fresh}`);
    return found;
  }

  it('come back whole', async () => {
    expect(await sets.readState(PARTITION)).to.deep.equal(emptyState(PARTITION));
    expect(await sets.replace(BUILT)).to.equal(true);
    expect(await sets.readState(PARTITION)).to.deep.equal(BUILT);
    const { rebuild, cold, plan, ...visible } = BUILT;
    expect(await sets.read(PARTITION)).to.deep.equal(visible);
    expect(await sets.readState(OTHER)).to.deep.equal(emptyState(OTHER));
  });

  it('are read only when their version differs from the known one', async () => {
    expect(await sets.read(PARTITION)).to.equal(null);
    expect(await sets.read(PARTITION, 0)).to.equal(null);
    await sets.replace(BUILT);
    expect(await sets.read(PARTITION, 1)).to.equal('unchanged');
    expect(await sets.read(PARTITION, 0)).to.include({ version: 1 });
    await sets.replace({ ...BUILT, version: 2 });
    expect(await sets.read(PARTITION, 1)).to.include({ version: 2 });
  });

  it('are nothing to read before anything is visible', async () => {
    await sets.replace({ ...BUILT, covered: null, segments: [] });
    expect(await sets.read(PARTITION)).to.equal(null);
    expect((await sets.readState(PARTITION)).rebuild).to.deep.equal(BUILT.rebuild);
  });

  it('change only from the version before', async () => {
    await sets.replace(BUILT);
    const next = { ...BUILT, version: 2, segments: [] };
    expect(await sets.replace(next)).to.equal(true);
    for (const version of [1, 2, 4]) {
      expect(await sets.replace({ ...BUILT, version }), `${version}`).to.equal(false);
    }
    expect(await sets.readState(PARTITION)).to.deep.equal(next);
  });

  it('are changed by one of many at once, also when there was none before', async () => {
    for (const version of [1, 2, 3]) {
      const changes = Array.from({ length: 8 }, (_, erasures) =>
        sets.replace({ ...BUILT, version, erasures }),
      );
      const won = await Promise.all(changes);
      expect(won.filter(Boolean), `version ${version}`).to.have.length(1);
      expect((await sets.readState(PARTITION)).erasures).to.equal(won.indexOf(true));
    }
  });

  it('count fresh events, before and after the first change, until a build takes them in', async () => {
    await sets.addFresh([
      { partition: PARTITION, events: 5 },
      { partition: OTHER, events: 1 },
    ]);
    await sets.addFresh([{ partition: PARTITION, events: 2 }]);
    expect(await listed()).to.have.members(['org_a web_a 0 7', 'org_a null 0 1']);
    expect(await sets.read(PARTITION)).to.equal(null);
    expect(await sets.replace(BUILT)).to.equal(true);
    expect(await listed()).to.include('org_a web_a 1 7');
    await sets.replace({ ...BUILT, version: 2 }, { built: true });
    expect(await listed()).to.include('org_a web_a 2 0');
    await sets.addFresh([{ partition: PARTITION, events: 3 }]);
    expect(await listed()).to.include('org_a web_a 2 3');
    expect((await sets.readState(PARTITION)).segments).to.deep.equal([SEGMENT]);
    await sets.addFresh([]);
  });

  it('are listed for one organization, or by what they need', async () => {
    await sets.replace({ ...BUILT, partition: FOREIGN });
    await sets.addFresh([
      { partition: PARTITION, events: 5 },
      { partition: OTHER, events: 9 },
    ]);
    expect(await listed()).to.have.length(3);
    expect(await listed('org_a')).to.have.members(['org_a web_a 0 5', 'org_a null 0 9']);
    const fresh = async (atLeast: number, most: number) =>
      (await sets.listFresh(atLeast, most)).map((one) => one.fresh);
    expect(await fresh(1, 10)).to.deep.equal([9, 5]);
    expect(await fresh(1, 1)).to.deep.equal([9]);
    expect(await fresh(6, 10)).to.deep.equal([9]);
  });

  it('are found by how far back they reach, by what is cold, and by damage', async () => {
    const [plain, cold] = [
      { ...SEGMENT, from: 100 },
      { ...SEGMENT, id: 'cold', from: 1, cold: 'gone' as const },
    ];
    const other = { ...BUILT, partition: OTHER, cold: null, segments: [plain] };
    await sets.replace({ ...BUILT, segments: [plain, { ...cold, damage: 'is missing' }] });
    await sets.replace(other);
    expect(await sets.listOlder(100)).to.deep.equal([]);
    expect(await sets.listOlder(101)).to.have.deep.members([PARTITION, OTHER]);
    await sets.replace({ ...other, version: 2, segments: [{ ...cold, cold: 'leaving' }] });
    expect(await sets.listOlder(100)).to.deep.equal([OTHER]);
    expect(await sets.listCold(PARTITION.organizationId)).to.deep.equal([PARTITION.websiteId]);
    expect((await sets.listDamaged(5)).map(({ partition }) => partition)).to.deep.equal([PARTITION]);
  });
});
