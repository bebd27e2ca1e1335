/** `npx tidegate start` out of the package as npm packs it: it holds no tests, and its server answers, and ends with the command. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { until } from '../../support/until.ts';

const run = promisify(execFile);

describe('the package of tidegate', () => {
  let folder: TempDirectory;
  /** Where it is installed. */
  let installed: string;

  before(async () => {
    folder = createTempDirectory();
    installed = folder.file('node_modules/tidegate');
    mkdirSync(folder.file('node_modules/.bin'), { recursive: true });
    // What is built is packed as it is: the tests run out of it.
    const args = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder.path];
    const { stdout } = await run('npm', args, { cwd: PACKAGE_ROOT, env: environment() });
    const [, name = ''] = /"filename": *"([^"]+)"/.exec(stdout) ?? [];
    await run('tar', ['-xzf', folder.file(name), '-C', folder.path]);
    symlinkSync(folder.file('package'), installed);
    symlinkSync(join(PACKAGE_ROOT, 'node_modules'), folder.file('package/node_modules'));
    // As npm does with the commands of what it installs.
    chmodSync(folder.file('package/dist/gateway/cli/main.js'), 0o755);
    symlinkSync('../tidegate/dist/gateway/cli/main.js', folder.file('node_modules/.bin/tidegate'));
  });
  after(() => folder.remove());

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: process.env.PATH,
    HOME: folder.path,
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  });

  it('holds what runs and what is read, and neither tests nor sources nor what belongs to one machine', () => {
    const files = readdirSync(folder.file('package'), { recursive: true, encoding: 'utf8' })
      .map((path) => path.replaceAll('\\', '/'))
      .filter((path) => !path.startsWith('node_modules'));
    expect(files).to.include.members([
      'dist/services/dashboard/pages/document.html',
      'dist/services/dashboard/pages/document.html.br',
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'config/gateway.config.yml',
      'config/node.env',
      'config/plans.yml',
      'config/schemas/gateway.config.json',
      'config/system.config.yml',
      'dist/gateway/cli/main.js',
      'dist/gateway/process/main.js',
      'dist/plugins/auth/manifest.js',
      'docs/README.md',
    ]);
    const foreign = /(?:^|\/)test\/|(?<!\.d)\.ts$|\.map$|tsbuildinfo|\.env$|secrets\.json$|^\.data|\.log$/;
    expect(files.filter((path) => foreign.test(path) && path !== 'config/node.env')).to.deep.equal([]);
  });

  it('starts by `npx tidegate start` and answers /health, with its data where it was started', async () => {
    const child = spawn('npx', ['tidegate', 'start'], {
      cwd: folder.path,
      env: { ...environment(), PORT: '0', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
      // A group of its own, so that npx and the server end together, whatever fails.
      detached: true,
    });
    try {
      let text = '';
      child.stdout.on('data', (chunk) => {
        text += chunk;
      });
      // Whole lines, and read on: nobody may write into a closed pipe.
      await until('it listens', () => /Tidegate listens on \S+\n/.test(text));
      const [origin = ''] = /(?<=listens on )\S+/.exec(text) ?? [];
      expect((await fetch(`${origin}/health`)).status, text).to.equal(200);
      expect(readdirSync(folder.path), 'data lie where it was started').to.include('.data');
    } finally {
      endGroup(child.pid);
    }
  });

  it('has a configuration to begin with, which its own check finds good', async () => {
    const main = join(installed, 'dist/gateway/cli/main.js');
    const mine = folder.file('mine');
    const told = await run(process.execPath, [main, 'init', mine], { env: environment() });
    expect(told.stdout).to.include(`CONFIG_DIR=${mine} npx tidegate check`);
    const checked = await run(process.execPath, [main, 'check'], {
      env: { ...environment(), CONFIG_DIR: mine },
    });
    expect(checked.stdout).to.match(/^ok: /m);
  });

  it('hands signals to the server and its exit code back', async () => {
    const main = join(installed, 'dist/gateway/cli/main.js');
    const env = { ...environment(), PORT: '0', LOG_LEVEL: 'warn', DATA_DIR: folder.file('signals') };
    const child = spawn(process.execPath, [main, 'start'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = once(child, 'exit');
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += chunk;
    });
    await until('it listens', () => text.includes('Tidegate listens on'));
    child.kill('SIGTERM');
    expect(await ended).to.deep.equal([0, null]);
    const faulty = await run(process.execPath, [main, 'start'], { env: { ...env, PORT: 'x' } }).catch(
      (fault: { code: number; stderr: string }) => fault,
    );
    expect(faulty).to.include({ code: 1 });
    expect(faulty.stderr).to.include('tidegate cannot start: ').and.include('PORT');
  });
});

/** Ends whatever is left of the group. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing was left.
  }
}
