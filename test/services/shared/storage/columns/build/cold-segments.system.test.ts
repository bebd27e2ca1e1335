/** Cold segments as the only record: whatever happens to segments, they go only when others took their place. */
import { expect } from 'chai';
import { SEGMENT_SCHEMA } from '../../../../../../services/shared/storage/columns/segment-set.ts';
import { COLD_PARTITION, COLD_SIZES, ColdWorkshop } from '../../../../../support/columns/cold-workshop.ts';
import { useMongodb } from '../../../../../support/mongodb/use-mongodb.ts';

describe('cold segments', function () {
  this.timeout(120_000);
  const mongodb = useMongodb();
  let workshop: ColdWorkshop;

  beforeEach(async () => {
    workshop = await ColdWorkshop.open(mongodb.newUri());
  });
  afterEach(() => workshop.shop.close());

  it('stay as they are through builds, merges, rebuilds, damage reports and the removal of garbage', async () => {
    await workshop.coolNow(45_000);
    const first = await workshop.firstCold();
    await workshop.builder.noteDamage(COLD_PARTITION, first.id);
    expect((await workshop.state()).rebuild).to.equal(null);
    const merging = await workshop.shop.openAnother({ ...COLD_SIZES, fanIn: 2 });
    await merging.builder.buildPartition(COLD_PARTITION);
    const merged = await workshop.cold();
    expect(merged.length).to.be.below(3);
    await workshop.expectAll();
    await workshop.builder.rebuildPartition(COLD_PARTITION);
    await workshop.expectAll();
    const rebuilt = await workshop.cold();
    expect(rebuilt.map(({ rows, cold }) => [rows, cold])).to.have.deep.members(
      merged.map(({ rows, cold }) => [rows, cold]),
    );
    expect(rebuilt.map(({ id }) => id)).to.not.include.members(merged.map(({ id }) => id));
    // What was replaced is still there until it is garbage.
    expect(await workshop.shop.storedFiles()).to.include.members(merged.map(({ id }) => id));
    await workshop.builder.removeGarbage(Date.now() + 60_000);
    await workshop.expectAll();
  });

  it('are written anew from their segments when columns change, which are the record until then', async () => {
    await workshop.coolNow(30_000);
    const before = await workshop.state();
    const outdated = before.segments.map((segment) => ({ ...segment, schema: SEGMENT_SCHEMA - 1 }));
    await workshop.shop.bench.sets.replace({ ...before, version: before.version + 1, segments: outdated });
    const other = await workshop.shop.openAnother({
      ...COLD_SIZES,
      told: async (step) => {
        if (step !== 'checked') return;
        const cold = await workshop.cold();
        expect(cold.reduce((sum, { rows }) => sum + rows, 0)).to.equal(30);
      },
    });
    await other.builder.buildPartition(COLD_PARTITION);
    expect((await workshop.state()).segments.every(({ schema }) => schema === SEGMENT_SCHEMA)).to.equal(true);
    expect((await workshop.cold()).reduce((sum, { rows }) => sum + rows, 0)).to.equal(30);
    await workshop.expectAll();
  });

  it('are noted as damaged and stay, until the file is whole again', async () => {
    await workshop.coolNow(30_000);
    const first = await workshop.firstCold();
    const mend = await workshop.breakFile(first);
    await workshop.builder.noteDamage(COLD_PARTITION, first.id);
    expect((await workshop.cold())[0]).to.include({ id: first.id, damage: 'is not as it was written' });
    await workshop.builder.rebuildPartition(COLD_PARTITION);
    expect((await workshop.cold()).map(({ id }) => id)).to.include(first.id);
    const [damaged] = await workshop.shop.bench.sets.listDamaged(10);
    if (damaged === undefined) throw new Error('no damage is listed');
    const signal = new AbortController().signal;
    await workshop.builder.judgeAgain(damaged, signal);
    expect(await workshop.shop.bench.sets.listDamaged(10)).to.have.length(1);
    await mend();
    await workshop.builder.judgeAgain(damaged, signal);
    expect(await workshop.shop.bench.sets.listDamaged(10)).to.deep.equal([]);
    await workshop.expectAll();
  });
});
