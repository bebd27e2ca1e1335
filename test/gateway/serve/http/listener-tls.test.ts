/** A listener that speaks TLS: what backends and browsers learn of it, and how its certificate is renewed under traffic. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Agent, request } from 'node:https';
import { connect } from 'node:net';
import { connect as connectSecurely, type TLSSocket } from 'node:tls';
import { expect } from 'chai';
import type { Closers } from '../../../../gateway/process/all-or-nothing.ts';
import {
  type ConfigurationReload,
  startConfigurationReload,
} from '../../../../gateway/process/reload/configuration-reload.ts';
import { GRACE_MS } from '../../../../gateway/serve/http/listen.ts';
import { eventually } from '../../../support/eventually.ts';
import { withForeignBackends } from '../../../support/foreign-backends.ts';
import { startGateway, startUpstream, type TestGateway } from '../../../support/start-gateway.ts';
import type { TempDirectory } from '../../../support/temp-directory.ts';
import { TEST_TLS } from '../../../support/test-tls.ts';
import { startWebSocketBackend, type WebSocketBackend } from '../../../support/web-socket-backend.ts';
import { askForWebSocket } from '../../../support/web-socket-client.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

describe('a listener that speaks TLS', () => {
  let gateway: TestGateway;
  let folder: TempDirectory;
  let backend: WebSocketBackend;
  let reload: ConfigurationReload;
  const closers: Closers = [];
  const held: ServerResponse[] = [];

  const put = (name: string) => {
    copyFileSync(TEST_TLS.path(`${name}.key`), folder.file('tls.key'));
    copyFileSync(TEST_TLS.path(`${name}.pem`), folder.file('tls.pem'));
  };

  before(async () => {
    backend = await startWebSocketBackend(undefined, (req, res) => {
      if (req.url === '/slow/held') held.push(res);
      else res.end(`${req.headers['x-forwarded-proto']} ${req.headers.forwarded}`);
    });
    folder = withForeignBackends({ slow: { service: [`url: ${backend.origin}`], proxy: 'webSocket: {}' } });
    put('server');
    const file = folder.file('gateway.config.yml');
    const https = `https: { cert: ${folder.file('tls.pem')}, key: ${folder.file('tls.key')} }\n`;
    writeFileSync(file, `${https}${readFileSync(file, 'utf8')}`);
    gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
    reload = await startConfigurationReload(gateway.reloadParts, closers);
  });
  after(async () => {
    for (const close of closers) await close();
    await gateway.close();
    await backend.close();
    folder.remove();
  });

  const port = () => Number(new URL(gateway.origin).port);

  function ask(path: string, agent: Agent | false = false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const headers = { 'x-api-key': gateway.key };
      const sent = request(`${gateway.origin}${path}`, { agent, headers, ca: TEST_TLS.read('ca.pem') });
      sent.once('error', reject);
      sent.once('response', (answer) => {
        let text = '';
        answer.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk;
        });
        answer.once('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      });
      sent.end();
    });
  }

  /** The name in the certificate that a new connection gets. */
  function shown(): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connectSecurely({ host: '127.0.0.1', port: port(), ca: TEST_TLS.read('ca.pem') }, () => {
        const { CN } = socket.getPeerCertificate().subject;
        socket.destroy();
        resolve(String(CN));
      });
      socket.once('error', reject);
    });
  }

  it('tells backends and browsers that it does', async () => {
    const { status, headers, text } = await ask('/slow');
    expect([status, text]).to.deep.equal([200, `https for=127.0.0.1;host="127.0.0.1:${port()}";proto=https`]);
    expect(headers['strict-transport-security']).to.equal('max-age=31536000');
    expect((await ask('/no/where/at/all')).headers).to.include.keys('strict-transport-security');
  });

  it('opens WebSockets', async () => {
    const { status } = await askForWebSocket(`${gateway.origin}/slow`, { 'x-api-key': gateway.key });
    expect(status).to.equal(101);
  });

  it('closes a connection that speaks plain HTTP, and goes on', async () => {
    const socket = connect(port(), '127.0.0.1');
    let text = '';
    let isClosed = false;
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        isClosed = true;
      });
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(() => isClosed).equals(true);
    expect(text).to.not.include('HTTP/1.1');
    expect((await ask('/slow')).status).to.equal(200);
  });

  it('closes a connection that asks for nothing after its handshake', async () => {
    let isClosed = false;
    const socket: TLSSocket = connectSecurely({
      host: '127.0.0.1',
      port: port(),
      ca: TEST_TLS.read('ca.pem'),
    });
    socket
      .on('error', () => undefined)
      .on('close', () => {
        isClosed = true;
      });
    socket.resume();
    await eventually(() => isClosed).equals(true);
  });

  it('takes a renewed certificate while requests are under way, and drops none', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    expect(await shown()).to.equal('server');
    expect((await ask('/slow', agent)).status).to.equal(200);
    const pending = ask('/slow/held', agent);
    await eventually(() => held.length).equals(1);
    put('renewed');
    expect((await reload.reload('a test')).outcome).to.be.oneOf(['applied', 'unchanged']);
    await eventually(shown).equals('renewed');
    held.pop()?.end('done');
    expect((await pending).text).to.equal('done');
    agent.destroy();
  });

  it('takes it when the files change, without a word', async () => {
    put('server');
    await eventually(shown).equals('server');
  });

  it('keeps what it has when the files are wrong', async () => {
    const faults: [write: () => void, fault: RegExp][] = [
      [() => writeFileSync(folder.file('tls.pem'), 'nonsense'), /holds no certificate in the form PEM/],
      [
        () => copyFileSync(TEST_TLS.path('renewed.pem'), folder.file('tls.pem')),
        /is not the key of the certificate/,
      ],
      [() => put('expired'), /that ended on Jan {2}1 .* 2021/],
    ];
    for (const [write, fault] of faults) {
      write();
      const result = await reload.reload('a test');
      expect(result.outcome === 'refused' && result.fault.message).to.match(fault);
      expect(await shown()).to.equal('server');
    }
    put('renewed');
    await eventually(shown).equals('renewed');
  });

  it('is not switched off by a reload', async () => {
    const file = folder.file('gateway.config.yml');
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/^https: .*\n/, ''));
    const result = await reload.reload('a test');
    expect(result.outcome === 'refused' && result.fault.message).to.match(/at a restart alone/);
    writeFileSync(file, text);
  });
});

describe('a listener that speaks TLS, when it closes', () => {
  it('lets requests under way finish', async () => {
    const held: ServerResponse[] = [];
    const upstream = await startUpstream((_req, res) => held.push(res));
    const folder = withForeignBackends({ slow: { service: [`url: ${upstream.origin}`] } });
    const file = folder.file('gateway.config.yml');
    const https = `https: { cert: ${TEST_TLS.path('server.pem')}, key: ${TEST_TLS.path('server.key')}, hstsSeconds: 0 }\n`;
    writeFileSync(file, `${https}${readFileSync(file, 'utf8')}`);
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
    const answer = new Promise<IncomingMessage>((resolve, reject) => {
      const headers = { 'x-api-key': gateway.key };
      request(`${gateway.origin}/slow`, { headers, ca: TEST_TLS.read('ca.pem') })
        .once('error', reject)
        .once('response', (res) => resolve(res.resume()))
        .end();
    });
    await eventually(() => held.length).equals(1);
    const closed = gateway.close(GRACE_MS);
    held[0]?.end('done');
    const { statusCode, headers } = await answer;
    expect([statusCode, headers['strict-transport-security']]).to.deep.equal([200, undefined]);
    await closed;
    await upstream.close();
    folder.remove();
  });
});

describe('a listener whose certificate has ended', () => {
  it('starts, and takes a reload that is about something else', async () => {
    const folder = withForeignBackends({ slow: { service: ['url: http://127.0.0.1:2'] } });
    const file = folder.file('gateway.config.yml');
    const https = `https: { cert: ${TEST_TLS.path('expired.pem')}, key: ${TEST_TLS.path('expired.key')} }\n`;
    writeFileSync(file, `${https}${readFileSync(file, 'utf8')}`);
    const gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
    const closers: Closers = [];
    const reload = await startConfigurationReload(gateway.reloadParts, closers);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('url: http://127.0.0.1:2', 'url: http://127.0.0.1:3'),
    );
    // The watch may be first.
    expect((await reload.reload('a test')).outcome).to.be.oneOf(['applied', 'unchanged']);
    for (const close of closers) await close();
    await gateway.close();
    folder.remove();
  });
});
