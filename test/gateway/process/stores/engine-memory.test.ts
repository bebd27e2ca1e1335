/** The memory of the engine that keeps events: as set, and never more than a small machine can give. */
import { totalmem } from 'node:os';
import { expect } from 'chai';
import { availableMemory, engineMegabytes } from '../../../../gateway/process/stores/engine-memory.ts';

describe('the memory of the engine of events', () => {
  it('is what is set on a machine that has it twice', () => {
    expect(engineMegabytes(1_000, 25e9)).to.equal(1_000);
    expect(engineMegabytes(1_000, 2e9)).to.equal(1_000);
  });

  it('is half of what a small machine has', () => {
    expect(engineMegabytes(1_000, 1e9)).to.equal(500);
    expect(engineMegabytes(1_000, 512e6)).to.equal(256);
  });

  it('counts on no more than the machine has', () => {
    expect(availableMemory()).to.be.within(1, totalmem());
  });
});
