/** What is under way: the same things as in a Set, and nothing of those that have ended. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { UnderWay } from '../../../../services/shared/turns/under-way.ts';
import { seededNumbers } from '../../../support/columns/arrival-model.ts';

const MODULE = pathToFileURL(join(PACKAGE_ROOT, 'dist/services/shared/turns/under-way.js')).href;

/** Lets 20,000 objects of 1.6 KB begin and end, 64 at once, after a full collection; prints how many bytes of each are old then. */
const SCRIPT = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { UnderWay } from '${MODULE}';
  const oldBytes = () => getHeapSpaceStatistics().find(({ space_name: name }) => name === 'old_space').space_used_size;
  const underWay = new UnderWay();
  const ring = new Array(64).fill(null);
  const run = (times) => {
    for (let number = 0; number < times; number++) {
      const ended = ring[number % 64];
      if (ended !== null) underWay.delete(ended);
      const begun = { held: new Array(200).fill(number) };
      underWay.add(begun);
      ring[number % 64] = begun;
    }
  };
  run(5_000);
  gc();
  const before = oldBytes();
  run(20_000);
  console.log(Math.round((oldBytes() - before) / 20_000));
`;
/** Bytes of an object that may be left; of those in a Set it is 290 to 1,100. */
const MOST_LEFT = 100;

describe('what is under way', () => {
  it('is what a Set would hold, whatever begins and ends', () => {
    const below = seededNumbers(7);
    const items = Array.from({ length: 50 }, (_, number) => ({ number }));
    const underWay = new UnderWay<(typeof items)[number]>();
    const other = new UnderWay<(typeof items)[number]>();
    const model = new Set<(typeof items)[number]>();
    for (let step = 0; step < 5_000; step++) {
      const item = items[below(items.length)];
      if (item === undefined) continue;
      if (below(2) === 0) {
        underWay.add(item);
        model.add(item);
      } else expect(underWay.delete(item)).to.equal(model.delete(item));
      // Of two lists each has its own places.
      if (below(2) === 0) other.add(item);
      else other.delete(item);
      expect(underWay.size).to.equal(model.size);
      expect(underWay.has(item)).to.equal(model.has(item));
    }
    expect([...underWay]).to.have.members([...model]);
  });

  it('can end and begin while one goes through it', () => {
    const underWay = new UnderWay<object>();
    for (let number = 0; number < 5; number++) underWay.add({});
    let seen = 0;
    for (const item of underWay) {
      underWay.delete(item);
      underWay.add({});
      seen++;
    }
    expect([seen, underWay.size]).to.deep.equal([5, 5]);
  });

  it('holds nothing of what cannot know its place', () => {
    const underWay = new UnderWay<object>();
    expect(() => underWay.add(Object.freeze({}))).to.throw(TypeError);
    expect(underWay.size).to.equal(0);
  });

  it('leaves the memory with its end, also after a full collection', () => {
    const args = ['--expose-gc', '--max-semi-space-size=1', '--input-type=module', '-e', SCRIPT];
    const left = Number(execFileSync(process.execPath, args, { encoding: 'utf8' }));
    expect(left).to.be.below(MOST_LEFT);
  });
});
