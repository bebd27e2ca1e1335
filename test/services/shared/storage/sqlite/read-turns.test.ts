/** Slices of long reads: others run between them, tenants take turns, and large documents make small slices. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import { ReadTurns, SliceSize } from '../../../../../services/shared/storage/sqlite/read-turns.ts';

describe('turns of long reads', () => {
  it('are one a turn of the event loop, the first at once', async () => {
    const turns = new ReadTurns();
    let taken = 0;
    const reading = Promise.all(Array.from({ length: 5 }, () => turns.take('org_a').then(() => taken++)));
    await Promise.resolve();
    await Promise.resolve();
    expect(taken).to.equal(1);
    let loops = 0;
    while (taken < 5) {
      const before = taken;
      await nextTurn();
      loops++;
      expect(taken - before).to.be.at.most(1);
    }
    expect(loops).to.be.at.least(4);
    await reading;
    await nextTurn();
    await turns.take('org_a');
  });

  it('go round among tenants, however many slices one of them wants', async () => {
    const turns = new ReadTurns();
    const order: string[] = [];
    const take = (tenant: string) => turns.take(tenant).then(() => order.push(tenant));
    const many = Array.from({ length: 50 }, () => take('many'));
    await Promise.all([take('one'), take('two')]);
    expect(order.length).to.be.at.most(5);
    await Promise.all(many);
    expect(order).to.have.length(52);
  });

  it('hold few documents at first, more while they are read in no time, and fewer where they take long', () => {
    const size = new SliceSize();
    const first = size.documents;
    expect(first).to.be.at.most(10);
    const spin = (ms: number) => {
      const end = performance.now() + ms;
      while (performance.now() < end);
    };
    size.measure(() => spin(20));
    expect(size.documents).to.equal(1);
    for (let i = 0; i < 40 && size.documents < 100; i++) size.measure(() => {});
    expect(size.documents).to.equal(100);
    expect(size.measure(() => 'result')).to.equal('result');
  });
});
