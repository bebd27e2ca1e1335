/** `tidegate diff` by what it prints and its exit code. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { runProgram } from '../../../gateway/cli/create-program.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

const SHIPPED = join(PACKAGE_ROOT, 'config');

describe('tidegate diff', () => {
  let folder: TempDirectory;
  before(() => {
    folder = createTempDirectory();
    cpSync(SHIPPED, folder.path, { recursive: true });
    const file = folder.file('plans.yml');
    const text = readFileSync(file, 'utf8').replace('links: 10000', 'links: 200000');
    writeFileSync(file, text.replace('  login:\n    limit: 30', '  login:\n    limit: 40'));
  });
  after(() => folder.remove());

  async function run(...args: string[]): Promise<{ code: number; out: string; error: string }> {
    let [out, error] = ['', ''];
    const code = await runProgram(['diff', ...args], {
      out: (text) => (out += text),
      error: (text) => (error += text),
    });
    return { code, out, error };
  }

  it('tells changes in words, the dangerous ones marked', async () => {
    const { code, out } = await run(SHIPPED, folder.path);
    expect(code).to.equal(0);
    expect(out.split('\n')).to.deep.equal([
      'changed limit login',
      '  limit: 30 → 40',
      'changed documents of an organization',
      '  ! links is raised 20 times',
      '  links: 10000 → 200000',
      '2 changes, 1 to look at twice (marked !)',
      '',
    ]);
  });

  it('compares a single folder with CONFIG_DIR', async () => {
    expect(await run(SHIPPED)).to.deep.equal({ code: 0, out: 'no change: both mean the same\n', error: '' });
  });

  it('ends with --exit-code 0 without a change and 1 with one', async () => {
    expect((await run(SHIPPED, SHIPPED, '--exit-code')).code).to.equal(0);
    expect((await run(SHIPPED, folder.path, '--exit-code')).code).to.equal(1);
  });

  it('prints every change as JSON', async () => {
    const { out } = await run(SHIPPED, folder.path, '--json');
    const { success, changes } = JSON.parse(out);
    expect(success).to.equal(true);
    expect(changes).to.deep.include({
      subject: 'limit',
      name: 'login',
      kind: 'changed',
      differences: [{ part: 'limit', from: '30', to: '40' }],
      dangers: [],
    });
  });

  it('refuses a faulty side with its faults, and more than two folders as a usage error', async () => {
    const faulty = await run(SHIPPED, folder.file('models'));
    expect([faulty.code, faulty.out]).to.deep.equal([1, '']);
    expect(faulty.error).to.include('gateway.config.yml');
    expect((await run('a', 'b', 'c')).code).to.equal(2);
  });
});
