/** What is made again and again is young in every program, however much of the same was kept at its start. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { readSources } from '../../../support/source-files.ts';

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

  it('are so in every program, which also hears SIGUSR1 first', () => {
    const programs = ['gateway', 'services']
      .flatMap(readSources)
      .filter(({ path }) => /(?:^|\/)(?:[a-z]+-)?main(?:-[a-z]+)?\.ts$/.test(path))
      .filter(({ path }) => !/\/(?:build|script|tracker)\/main\.ts$/.test(path));
    expect(programs).to.have.length.of.at.least(8);
    const first = ['no-inspector', 'no-pretenuring'].map((name) => `services/shared/process/${name}.ts`);
    for (const { path, imports } of programs) expect(imports.slice(0, 2), path).to.deep.equal(first);
  });
});
