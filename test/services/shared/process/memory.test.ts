/** How V8 uses memory: young objects, and an old space that only doubles. That each program sees to it: structure.test.ts. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';

const MODULE = pathToFileURL(join(PACKAGE_ROOT, 'dist/services/shared/process/memory.js')).href;

/** What node prints that imported the module and then ran the script. */
function printed(script: string, args: readonly string[]): string {
  const all = [...args, '--import', MODULE, '--input-type=module', '-e', script];
  return execFileSync(process.execPath, all, { encoding: 'utf8' }).trim();
}

/** Keeps what a literal makes until V8 has learnt that it lives long, then prints how many of the next 1,000 are young. */
const YOUNG = `
  const make = (number) => ({ number, held: [number] });
  const kept = Array.from({ length: 400_000 }, (_, number) => make(number));
  let young = 0;
  for (let number = 0; number < 1_000; number++) if (%InYoungGeneration(make(number))) young++;
  console.log(young);
`;

/** Keeps some 60 MB, and makes ten times as much that lives a while; prints the most megabytes at any time. */
const OLD = `
  import { getHeapStatistics } from 'node:v8';
  const make = (number) => ({ number, held: [number, number, number, number, number, number, number, number] });
  const kept = Array.from({ length: 400_000 }, (_, number) => make(number));
  gc();
  const live = getHeapStatistics().used_heap_size;
  const passing = Array.from({ length: 100_000 }, (_, number) => make(number));
  let most = 0;
  for (let number = 0; number < 6_000_000; number++) {
    passing[number % passing.length] = make(number);
    if (number % 10_000 === 0) most = Math.max(most, getHeapStatistics().used_heap_size);
  }
  console.log((most / live).toFixed(2), kept.length);
`;

describe('the memory of a program', () => {
  it('holds young what is made, also where what was made at its start was kept', () => {
    expect(printed(YOUNG, ['--allow-natives-syntax'])).to.equal('1000');
  });

  it('grows to some twice of what is alive in it, also on a machine that has much', () => {
    const [growth] = printed(OLD, [
      '--expose-gc',
      '--max-old-space-size=4096',
      '--max-semi-space-size=8',
    ]).split(' ');
    expect(Number(growth)).to.be.within(1, 2.8);
  });
});
