/** What a start loads: the driver of MongoDB takes a third of it, so only who stores there loads it, and Redis' likewise. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';

/** Loads a module and prints the packages that were loaded by it. */
const SCRIPT = `
  import { createRequire } from 'node:module';
  await import(process.argv[1]);
  const paths = Object.keys(createRequire(import.meta.url).cache);
  const names = paths.map((path) => /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(path)?.[1]);
  console.log(JSON.stringify([...new Set(names)]));
`;

function loadedBy(module: string): string[] {
  const path = join(PACKAGE_ROOT, 'dist', module);
  return JSON.parse(
    execFileSync(process.execPath, ['--input-type=module', '-e', SCRIPT, path], { encoding: 'utf8' }),
  );
}

describe('what a start loads', () => {
  it('is no driver of a database before it is needed', function () {
    this.timeout(30_000);
    const packages = loadedBy('gateway/process/embedded.js');
    expect(packages).to.include('express').and.to.not.include('mongoose');
    expect(packages).to.not.include('ioredis');
    expect(loadedBy('gateway/process/stores/open-mongodb-events.js')).to.include('mongoose');
    expect(loadedBy('gateway/process/stores/redis-counters.js')).to.include('ioredis');
  });
});
