/** Signals to a server process as an operator sends them: SIGHUP reads the files anew, a faulty one ends nothing, SIGUSR2 neither, during the start too. */
import { once } from 'node:events';
import { cpSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../../config/settings.ts';
import { type ServerProcess, startProcess } from '../../../support/gateway-process.ts';
import { beginSlowStart } from '../../../support/slow-start.ts';
import { createTempDirectory } from '../../../support/temp-directory.ts';
import { until } from '../../../support/until.ts';

describe('a signal to a server process', () => {
  const folder = createTempDirectory();
  const file = folder.file('config/gateway.config.yml');
  let server: ServerProcess;

  before(async () => {
    cpSync(join(PACKAGE_ROOT, 'config'), folder.file('config'), { recursive: true });
    server = await startProcess('main', {
      DATA_DIR: folder.file('data'),
      CONFIG_DIR: folder.file('config'),
      LOG_LEVEL: 'info',
    });
  });
  after(async () => {
    expect(await server.end('SIGTERM')).to.equal(0);
    folder.remove();
  });

  /** At one stroke: the server's own watch reads the file whenever it likes. */
  function put(text: string): void {
    writeFileSync(folder.file('next.yml'), text);
    renameSync(folder.file('next.yml'), file);
  }
  const statusOf = async (path: string) => (await fetch(server.origin + path)).status;

  it('reloads the configuration at SIGHUP, and leaves the one at work where the files are faulty', async () => {
    const text = readFileSync(file, 'utf8');
    put(text.replace('paths: /.well-known/jwks.json', 'paths: [/.well-known/jwks.json, /identity-keys]'));
    server.child.kill('SIGHUP');
    await until('the reload', () => server.output().includes('"outcome":"applied"'));
    expect(await statusOf('/identity-keys')).to.equal(200);

    put(text.replace('apiEndpoints:', 'apiEndpoint:'));
    server.child.kill('SIGHUP');
    await until('the refusal', () => server.output().includes('the previous one stays in use'));
    expect(server.output()).to.include('apiEndpoint');
    expect(await statusOf('/health')).to.equal(200);
    expect(await statusOf('/v1/query/types')).to.equal(200);
  });

  it('ends nothing with SIGUSR2, which is for a gateway with workers', async () => {
    server.child.kill('SIGUSR2');
    await until('it is told', () => server.output().includes('no workers to replace'));
    expect(await statusOf('/health')).to.equal(200);
  });
});

describe('a signal to a server process that still starts', () => {
  it('is heard once it runs: SIGHUP reloads, SIGUSR2 replaces its workers, and neither ends it', async () => {
    const { child, output, goOn } = await beginSlowStart();
    const ended = once(child, 'close');
    try {
      child.kill('SIGHUP');
      child.kill('SIGUSR2');
      await delay(300);
      expect([child.exitCode, child.signalCode]).to.deep.equal([null, null]);
      expect(output()).to.not.include('reloaded');
      goOn();
      await until('both are heard', () => /reloaded by SIGHUP/.test(output()) && /restarted/.test(output()));
    } finally {
      child.kill('SIGTERM');
    }
    expect((await ended)[0]).to.equal(0);
    expect(output()).to.include('closed');
  });

  it('ends it at once when it is SIGTERM or SIGINT, by its own will: the first process of a container hears no other', async () => {
    for (const [signal, code] of [
      ['SIGTERM', 143],
      ['SIGINT', 130],
    ] as const) {
      const { child, output } = await beginSlowStart();
      const ended = once(child, 'close');
      child.kill(signal);
      expect(await ended).to.deep.equal([code, null]);
      expect(output()).to.not.include('closed');
    }
  });
});
