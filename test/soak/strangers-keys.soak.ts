/** A million keys of strangers, malformed and well-formed: no look-ups for the first, bounded memory for the second. */
import { expect } from 'chai';
import { createWatchedVerdicts, newKey } from '../support/watched-keys.ts';

const KEYS = 1_000_000;
/** What the heap may grow by, in bytes; the bounded verdicts take some 3 MB of it. */
const HEAP_BYTES = 32 * 1024 * 1024;

describe('a million keys of strangers', function () {
  this.timeout(900_000);

  it('cause no look-up when malformed', async () => {
    const fixture = await createWatchedVerdicts();
    for (let count = 0; count < KEYS; count++) {
      const text = newKey();
      const wrong = text.slice(0, -1) + (text.endsWith('a') ? 'b' : 'a');
      if (fixture.verdicts.judge(wrong, () => true) !== null) throw new Error(`judged: ${wrong}`);
    }
    expect(fixture.lookUps()).to.equal(0);
    expect(fixture.verdicts.held).to.equal(0);
  });

  it('hold bounded memory when well-formed, and drop no good verdict', async () => {
    const fixture = await createWatchedVerdicts();
    const key = await fixture.addKey();
    await fixture.isGood(key);
    const before = heapUsed();
    for (let count = 0; count < KEYS; count++) {
      if (await fixture.isGood(newKey())) throw new Error('a stranger got in');
    }
    expect(fixture.verdicts.held).to.be.at.most(20_001);
    expect(heapUsed() - before).to.be.below(HEAP_BYTES);
    expect(await fixture.isGood(key)).to.equal(true);
    expect(fixture.lookUps()).to.equal(KEYS + 1);
  });
});

function heapUsed(): number {
  if (globalThis.gc === undefined) throw new Error('run this with --expose-gc, as npm run soak does');
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}
