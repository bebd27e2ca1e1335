/** `tidegate history`, `rollback` and `unpin` over a server of its own: what they print, and what kill -9 and faulty files change of it. */
import { cpSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { FailedStart, type ServerProcess, startProcess } from '../../support/gateway-process.ts';
import { runCli } from '../../support/run-cli.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { until } from '../../support/until.ts';

const PLANS = 'plans.yml';

describe('the history of configurations, by commands', function () {
  this.timeout(60_000);
  let folder: TempDirectory;
  let environment: Record<string, string>;
  let server: ServerProcess | null = null;

  before(async () => {
    folder = createTempDirectory();
    cpSync(`${PACKAGE_ROOT}/config`, folder.file('config'), { recursive: true });
    environment = { DATA_DIR: folder.file('data'), CONFIG_DIR: folder.file('config') };
  });
  after(async () => {
    await server?.end('SIGKILL');
    folder.remove();
  });

  const run = (...args: string[]) => runCli(args, environment);
  const inForce = async () => {
    const answer = (await (await fetch(`${server?.origin}/health/ready`)).json()) as {
      configuration: { hash: string; pinned?: number };
    };
    return answer.configuration;
  };
  const plansFile = () => folder.file(`config/${PLANS}`);

  it('lists what is in force from the start on, and shows it as it was written', async () => {
    server = await startProcess('main', environment);
    const { code, out } = await run('history');
    expect(code).to.equal(0);
    expect(out).to.match(
      /^number {2}when +state +hash +reason\n1 +20\S+ {2}in force {2}[0-9a-f]{12} {2}start\n$/,
    );
    const shown = await run('history', 'show', '1', PLANS);
    expect(shown.out).to.equal(readFileSync(plansFile(), 'utf8'));
    expect((await run('history', 'show', '1')).out)
      .to.match(/^# configuration 1: applied 20\S+, start\n# hash /)
      .and.contain('\n# ---- gateway.config.yml\n');
    const unknown = await run('history', 'show', '7');
    expect(unknown.code).to.equal(1);
    expect(unknown.error).to.contain('The history has no configuration 7');
    expect((await run('history', 'show', 'x')).code).to.equal(2);
  });

  it('takes a change back, and keeps that over kill -9 and a start with faulty files', async () => {
    const first = await inForce();
    const text = readFileSync(plansFile(), 'utf8');
    const changed = text.replace(/^plans:/m, 'plans:\n  extra: { per10Seconds: 5, perMinute: 10 }');
    writeFileSync(plansFile(), changed);
    await until('the change', async () => (await inForce()).hash !== first.hash);
    await until(
      'its record',
      async () => JSON.parse((await run('history', '--json')).out).data.configurations.length === 2,
    );
    const different = await run('diff', '@running', '@1');
    expect(different.error).to.equal('');
    expect(different.out).to.match(/^removed plan extra\n/);
    expect((await run('diff', '@running')).out).to.equal('no change: both mean the same\n');
    expect((await run('diff', '@x')).error).to.contain('"@x" is no configuration');
    const taken = await run('rollback', '1');
    expect(taken.error).to.equal('');
    expect(taken.out).to.match(/^Configuration 1 is pinned: it is in force\./);
    expect(await inForce()).to.deep.include({ hash: first.hash, pinned: 1 });

    await server?.end('SIGKILL');
    writeFileSync(plansFile(), `${changed}\nbroken: [`);
    server = await startProcess('main', environment);
    expect(await inForce()).to.deep.include({ hash: first.hash, pinned: 1 });
    expect(server.output()).to.contain('configuration 1 of the history is pinned');
    const { out } = await run('history');
    expect(out).to.match(/\n3 .* {2}was in force, as 1 .*rollback to 1 by /);
    expect(out).to.match(/\nConfiguration 1 is pinned since \S+ by \S+: /);

    const kept = await run('unpin');
    expect(kept.code).to.equal(1);
    expect(kept.error).to.contain('configuration 1 stays pinned').and.contain('invalid YAML');
    writeFileSync(plansFile(), changed);
    expect((await run('unpin')).out).to.contain('what the files say is in force');
    expect((await inForce()).hash).to.not.equal(first.hash);
    const again = await run('unpin');
    expect(again.code).to.equal(1);
    expect(again.error).to.contain('Nothing is pinned');
  });

  it('pins also while no server runs; the store is for its owner alone', async () => {
    await server?.end('SIGTERM');
    server = null;
    expect((await run('rollback', '1')).out).to.contain('every gateway takes it up within 2 seconds');
    server = await startProcess('main', environment);
    expect((await inForce()).pinned).to.equal(1);
    expect(statSync(folder.file('data/documents.sqlite')).mode & 0o077).to.equal(0);
  });

  it('stops a start with faulty files where nothing is pinned', async () => {
    expect((await run('unpin')).code).to.equal(0);
    await server?.end('SIGTERM');
    server = null;
    writeFileSync(plansFile(), 'plans: 7');
    const failed = await startProcess('main', environment).catch((fault: unknown) => fault);
    expect(failed).to.be.instanceOf(FailedStart);
    expect(String(failed)).to.contain('plans.yml');
  });
});
