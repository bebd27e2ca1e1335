/** `npx tidegate` in a checkout, as the README has it: it runs after every build. */
import { execFile } from 'node:child_process';
import { cpSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

/** All that a build of the product reads; the tests run out of the build of this checkout, which stays. */
const SOURCES = ['config', 'gateway', 'package.json', 'plugins', 'services', 'tsconfig.json'];

describe('npx tidegate', () => {
  let checkout: TempDirectory;

  before(() => {
    checkout = createTempDirectory();
    for (const name of SOURCES) cpSync(join(PACKAGE_ROOT, name), checkout.file(name), { recursive: true });
    symlinkSync(join(PACKAGE_ROOT, 'node_modules'), checkout.file('node_modules'));
  });
  after(() => checkout.remove());

  const run = (command: string, ...args: string[]) =>
    promisify(execFile)(command, args, {
      cwd: checkout.path,
      env: { PATH: process.env.PATH, HOME: checkout.path, npm_config_offline: 'true' },
    });

  it('runs after a build, which no installation follows', async () => {
    await run('npm', 'run', 'build');
    const { stdout } = await run('npx', 'tidegate', 'check');
    expect(stdout).to.match(/^ok: /m);
  });
});
