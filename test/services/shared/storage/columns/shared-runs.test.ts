/** Shared runs: one at a time, and never one that began before a caller asked. */
import { expect } from 'chai';
import { SharedRuns } from '../../../../../services/shared/storage/columns/shared-runs.ts';
import { rejection } from '../../../../support/rejection.ts';

describe('shared runs', () => {
  const open: { resolve: (value: number) => void; reject: (fault: Error) => void }[] = [];
  const runs = () =>
    new SharedRuns(() => new Promise<number>((resolve, reject) => void open.push({ resolve, reject })));
  beforeEach(() => {
    open.length = 0;
  });

  it('give who asks during one the next, and all of those the same', async () => {
    const shared = runs();
    const first = shared.ask();
    const [second, third] = [shared.ask(), shared.ask()];
    expect([open.length, shared.isRunning]).to.deep.equal([1, true]);
    open[0]?.resolve(1);
    expect(await first).to.equal(1);
    await Promise.resolve();
    expect(open.length).to.equal(2);
    const fourth = shared.ask();
    open[1]?.resolve(2);
    expect([await second, await third]).to.deep.equal([2, 2]);
    await Promise.resolve();
    open[2]?.resolve(3);
    expect(await fourth).to.equal(3);
    expect([shared.begun, shared.isRunning]).to.deep.equal([3, false]);
  });

  it('go on after one that failed', async () => {
    const shared = runs();
    const first = rejection(shared.ask());
    const second = shared.ask();
    open[0]?.reject(new Error('broken'));
    expect(await first).to.have.property('message', 'broken');
    open[1]?.resolve(2);
    expect(await second).to.equal(2);
    const third = shared.ask();
    open[2]?.resolve(3);
    expect(await third).to.equal(3);
  });
});
