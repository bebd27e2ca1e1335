/** The end of `npm start` while requests are under way: each gets its line, what was counted stays, and the process ends with 0. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { eventually } from '../../support/eventually.ts';
import { type ServerProcess, startProcess } from '../../support/gateway-process.ts';
import { ownerSession } from '../../support/owner-session.ts';
import { callerOf } from '../../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { KEYS, PROVISIONING } from '../../support/test-organizations.ts';

describe('the end of a process while requests are under way', function () {
  this.timeout(120_000);
  let folder: TempDirectory;
  let server: ServerProcess | null = null;
  const sockets: Socket[] = [];

  beforeEach(async () => {
    folder = createTempDirectory();
    writeFileSync(folder.file('provision.yml'), PROVISIONING);
    // Bodies may take longer than the end.
    cpSync(`${PACKAGE_ROOT}/config`, folder.file('config'), { recursive: true });
    const file = folder.file('config/gateway.config.yml');
    const patient = readFileSync(file, 'utf8').replaceAll('read: whole', '$&, readTimeoutSeconds: 60');
    writeFileSync(file, patient);
    await start();
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    await server?.end('SIGKILL');
    folder.remove();
  });

  async function start(): Promise<void> {
    server = await startProcess('main', {
      CONFIG_DIR: folder.file('config'),
      DATA_DIR: folder.file('data'),
      PROVISION_FILE: folder.file('provision.yml'),
      ACCESS_LOG: folder.file('access.log'),
      TRUSTED_PROXIES: '127.0.0.1',
    });
  }
  const running = (): ServerProcess => server as ServerProcess;

  function send(text: string): Socket {
    const socket = connect(Number(new URL(running().origin).port), '127.0.0.1');
    socket.on('error', () => socket.destroy());
    socket.write(text);
    sockets.push(socket);
    return socket;
  }
  const linesWith = (status: number) =>
    readFileSync(folder.file('access.log'), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
      .filter((line) => line.status === status);

  it('gives a line to a request that is cut, keeps what was counted, and ends with 0', async () => {
    const call = callerOf(running().origin);
    for (let sent = 0; sent < 40; sent++) {
      const body = { name: 'signup', websiteId: 'web_shop' };
      expect((await call('POST', '/track', { key: KEYS.all, body })).status).to.equal(200);
    }
    const head = [
      'Host: a',
      `x-api-key: ${KEYS.all}`,
      'Content-Type: application/json',
      'Content-Length: 90',
    ];
    let interim = '';
    for (let opened = 0; opened < 5; opened++) {
      const socket = send(
        ['POST /v1/links HTTP/1.1', ...head, 'Expect: 100-continue', '', '{"half'].join('\r\n'),
      );
      socket.on('data', (chunk) => {
        interim += chunk;
      });
    }
    await eventually(() => interim.match(/100 Continue/g)?.length).equals(5);
    expect(await running().end('SIGTERM')).to.equal(0);
    expect(running().output()).to.not.contain('uncaught');
    expect(linesWith(0).map(({ endpoint }) => endpoint)).to.deep.equal(Array(5).fill('links-create'));

    await start();
    const session = await ownerSession({ call: callerOf(running().origin) });
    const usage = '/v1/usage/requests?groupBy=endpoint,outcome&key=key_all';
    const { body } = await callerOf(running().origin)('GET', usage, session);
    const rows = body.data.rows as { endpoint: string; outcome: string; requests: number }[];
    expect(rows.map(({ endpoint, outcome, requests }) => [endpoint, outcome, requests])).to.deep.equal([
      ['track', 'ok', 40],
      ['links-create', 'aborted', 5],
    ]);
  });
});
