/** Backends by https: whom the gateway trusts, how it proves itself, and what of it stays closed. */
import { createServer, type Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { expect } from 'chai';
import { closeServer, listen, originOf } from '../../../gateway/serve/http/listen.ts';
import { eventually } from '../../support/eventually.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';
import { startGateway, type TestGateway } from '../../support/start-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';
import { TEST_TLS } from '../../support/test-tls.ts';
import { askForWebSocket } from '../../support/web-socket-client.ts';

const { path, read } = TEST_TLS;

describe('a backend by https', () => {
  let gateway: TestGateway;
  let folder: TempDirectory;
  let strict: Server;
  let old: Server;

  before(async () => {
    const own = { cert: read('server.pem'), key: read('server.key'), ca: read('ca.pem') };
    strict = createServer({ ...own, requestCert: true, rejectUnauthorized: true }, (req, res) => {
      const by = (req.socket as TLSSocket).getPeerCertificate().subject.CN;
      res.end(`asked by ${by}, ${req.headers['x-forwarded-proto']}`);
    });
    strict.on('upgrade', (_req, socket: Socket) => {
      socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    });
    old = createServer({ ...own, maxVersion: 'TLSv1.2' }, (_req, res) => res.end('old'));
    const url = `url: ${originOf(await listen(strict, 0, '127.0.0.1'), 'https')}`;
    const oldUrl = `url: ${originOf(await listen(old, 0, '127.0.0.1'), 'https')}`;
    const ca = `ca: ${path('ca.pem')}`;
    const proof = `cert: ${path('client.pem')}, key: ${path('client.key')}`;
    const healthCheck = 'healthCheck: { path: /, intervalSeconds: 3600 }';
    folder = withForeignBackends({
      proven: { service: [url, `tls: { ${ca}, ${proof} }`, healthCheck], proxy: 'webSocket: {}' },
      named: { service: [url, `tls: { ${ca}, ${proof}, servername: backend.test }`] },
      misnamed: { service: [url, `tls: { ${ca}, ${proof}, servername: other.test }`] },
      unproven: { service: [url, `tls: { ${ca} }`] },
      distrusted: { service: [url, `tls: { ca: ${path('other-ca.pem')}, ${proof} }`] },
      untold: { service: [url] },
      aged: { service: [oldUrl, `tls: { ${ca} }`] },
      modern: { service: [oldUrl, `tls: { ${ca}, minVersion: TLSv1.3 }`] },
    });
    gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
  });
  after(async () => {
    await gateway.close();
    await Promise.all([closeServer(strict, 100), closeServer(old, 100)]);
    folder.remove();
  });

  const key = () => ({ 'x-api-key': gateway.key });
  async function ask(name: string): Promise<[number, string]> {
    const answer = await fetch(`${gateway.origin}/${name}`, { headers: key() });
    const text = await answer.text();
    return [answer.status, answer.status === 200 ? text : JSON.parse(text).code];
  }

  it('is asked where its authority is named and the gateway proves itself', async () => {
    expect(await ask('proven')).to.deep.equal([200, 'asked by client, http']);
    expect(await ask('named')).to.deep.equal([200, 'asked by client, http']);
    expect(await ask('aged')).to.deep.equal([200, 'old']);
  });

  it('is not asked where a name, an authority, a proof or the version does not fit', async () => {
    for (const name of ['misnamed', 'unproven', 'distrusted', 'untold', 'modern']) {
      expect(await ask(name), name).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
    }
  });

  it('opens WebSockets the same way', async () => {
    expect((await askForWebSocket(`${gateway.origin}/proven`, key())).status).to.equal(101);
  });

  it('is asked the same way whether it is ready', async () => {
    // A probe has two seconds, which a stalled machine uses up.
    await eventually(async () => {
      const ready = await fetch(`${gateway.origin}/health/ready`);
      return ((await ready.json()) as { checks: Record<string, string> }).checks;
    }).satisfies((checks) =>
      expect(checks).to.include({ proven: 'ok', named: 'ok', misnamed: 'degraded', untold: 'degraded' }),
    );
  });
});
