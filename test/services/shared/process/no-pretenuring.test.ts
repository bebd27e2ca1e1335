/** What is made again and again is young, however much of the same was kept at the start. That each program sees to it: structure.test.ts. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';

const MODULE = pathToFileURL(join(PACKAGE_ROOT, 'dist/services/shared/process/no-pretenuring.js')).href;

/** Keeps what a literal makes until V8 has learnt that it lives long, then prints how many of the next 1,000 are young. */
const SCRIPT = `
  const make = (number) => ({ number, held: [number] });
  const kept = Array.from({ length: 400_000 }, (_, number) => make(number));
  let young = 0;
  for (let number = 0; number < 1_000; number++) if (%InYoungGeneration(make(number))) young++;
  console.log(young);
`;

describe('objects of a program', () => {
  it('are young when they are made, also where those at its start were kept', () => {
    const args = ['--allow-natives-syntax', '--import', MODULE, '-e', SCRIPT];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()).to.equal('1000');
  });
});
