/** `tidegate init` and `tidegate schema`: what they write and print, and that nothing is overwritten. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { createProgram, runProgram } from '../../../gateway/cli/create-program.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../../gateway/process/reload/configuration-variables.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';

describe('tidegate init', () => {
  let folder: TempDirectory;
  beforeEach(() => {
    folder = createTempDirectory();
  });
  afterEach(() => folder.remove());

  async function run(...args: string[]): Promise<{ code: number; out: string; error: string }> {
    let out = '';
    let error = '';
    const code = await runProgram(args, {
      out: (text) => {
        out += text;
      },
      error: (text) => {
        error += text;
      },
    });
    return { code, out, error };
  }

  it('copies every file letter by letter into a folder that is missing, and says what to do next', async () => {
    const directory = folder.file('a/mine');
    const { code, out } = await run('init', directory);
    expect(code).to.equal(0);
    for (const name of [
      'gateway.config.yml',
      'system.config.yml',
      'plans.yml',
      'models/users.json',
      'schemas/plans.json',
    ]) {
      expect(out).to.include(`  ${name}\n`);
      expect(readFileSync(join(directory, name), 'utf8')).to.equal(
        readFileSync(join(PACKAGE_ROOT, 'config', name), 'utf8'),
      );
    }
    expect(out).to.include(`CONFIG_DIR=${directory} npx tidegate check`);
    const [first = ''] = readFileSync(join(directory, 'plans.yml'), 'utf8').split('\n');
    const schema = JSON.parse(readFileSync(join(directory, first.split('$schema=')[1] ?? ''), 'utf8'));
    expect(schema.title).to.equal('plans.yml of Tidegate');
    const { endpoints } = await loadConfiguration(directory, configurationVariables(UNSTARTED_SERVICE_URLS));
    expect(endpoints.at(-1)?.name).to.equal('unmatched');
  });

  it('takes an empty folder, and quotes what a shell would read otherwise', async () => {
    mkdirSync(folder.file("it's mine"));
    const { out } = await run('init', folder.file("it's mine"));
    expect(out).to.include(`CONFIG_DIR='${folder.path}/it'\\''s mine' npx tidegate start`);
  });

  it('tells machines what it wrote', async () => {
    const { out } = await run('init', folder.file('mine'), '--json');
    expect(JSON.parse(out)).to.deep.include({ success: true, directory: folder.file('mine') });
  });

  it('refuses a folder with anything in it, and a file, and writes nothing', async () => {
    writeFileSync(folder.file('.hidden'), '');
    const refused = await run('init', folder.path);
    expect([refused.code, refused.error]).to.deep.equal([
      1,
      `${folder.path} is not empty: it has .hidden; name a folder that is missing or empty\n`,
    ]);
    const file = await run('init', folder.file('.hidden'));
    expect([file.code, file.error]).to.deep.equal([1, `${folder.file('.hidden')} is not a folder\n`]);
  });

  it('prints the schema of each file, and refuses another name', async () => {
    for (const [file, name] of [
      [[], 'gateway.config'],
      [['plans.yml'], 'plans'],
      [['provisioning.yml'], 'provisioning'],
    ] as const) {
      const { out } = await run('schema', ...file);
      expect(out).to.equal(readFileSync(join(PACKAGE_ROOT, `config/schemas/${name}.json`), 'utf8'));
    }
    expect((await run('schema', 'other.yml')).code).to.equal(2);
    const { commands } = await createProgram({ out: () => undefined, error: () => undefined });
    expect(commands.map((one) => one.name())).to.include('schema');
  });
});
