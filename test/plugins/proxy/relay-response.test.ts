/**
 * Answers of services on their way to the client: whose 401 is one for the client, whose is one for the gateway, and how
 * they are written.
 */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { until } from '../../support/until.ts';

const PATH = '/v1/query/types';
const FIRST = `${PATH}?first`;
const SHIPPED = `paths: ${PATH}\n    methods: GET\n    access: public`;

describe('a 401 of a service at an endpoint that asks for no key', () => {
  for (const access of ['public', 'optional']) {
    describe(`with access ${access}`, () => {
      let upstream: Awaited<ReturnType<typeof startUpstream>>;
      let folder: TempDirectory;
      let gateway: TestGateway;
      before(async () => {
        upstream = await startUpstream((_req, res) => res.writeHead(401, 'AUTH_REQUIRED').end('{}'));
        folder = createTempDirectory();
        cpSync(join(PACKAGE_ROOT, 'config'), folder.path, { recursive: true });
        const text = readFileSync(folder.file('gateway.config.yml'), 'utf8');
        expect(text).to.include(SHIPPED);
        const changed = text.replace(SHIPPED, SHIPPED.replace('public', access));
        writeFileSync(folder.file('gateway.config.yml'), changed);
        gateway = await startGateway({ upstream: upstream.origin, configDir: folder.path });
      });
      after(async () => {
        await gateway.close();
        await upstream.close();
        folder.remove();
      });

      it('goes to an anonymous caller, and no line to the log', async () => {
        const answer = await fetch(`${gateway.origin}${PATH}`);
        expect([answer.status, answer.statusText]).to.deep.equal([401, 'AUTH_REQUIRED']);
        expect(gateway.log).to.deep.equal([]);
      });

      if (access === 'optional')
        it('is one for the gateway where a key came: 502', async () => {
          const headers = { 'x-api-key': gateway.key };
          const answer = await fetch(`${gateway.origin}${PATH}`, { headers });
          expect([answer.status, answer.statusText]).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
        });
    });
  }
});

describe('a small answer', () => {
  const { _writev: gather } = Socket.prototype;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: TestGateway;
  /** Answers {@link FIRST}, once the next request is answered. */
  let held: (() => void) | undefined;
  before(async () => {
    upstream = await startUpstream((req, res) => {
      if (req.url === FIRST) held = () => res.end('{"data":[1]}');
      else res.end('{"data":[]}', held);
    });
    gateway = await startGateway({ upstream: upstream.origin });
  });
  after(async () => {
    await gateway.close();
    await upstream.close();
  });
  afterEach(() => {
    Socket.prototype._writev = gather;
  });

  it('leaves with its headers as one text, which costs less than to gather several', async () => {
    const port = Number(new URL(gateway.origin).port);
    const gathered: number[] = [];
    Socket.prototype._writev = function (chunks, done) {
      if (this.localPort === port) gathered.push(chunks.length);
      gather?.call(this, chunks, done);
    };
    const answer = await fetch(`${gateway.origin}${PATH}`);
    expect([answer.status, await answer.text()]).to.deep.equal([200, '{"data":[]}']);
    expect(gathered).to.deep.equal([]);
  });

  it('waits for an earlier one of its connection', async () => {
    const socket = connect(Number(new URL(gateway.origin).port), '127.0.0.1');
    let text = '';
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
    });
    try {
      const ask = (target: string): unknown => socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      ask(FIRST);
      await until('the backend is asked first', () => held !== undefined);
      ask(PATH);
      await until('both are answered', () => text.endsWith('{"data":[]}'));
      expect(text.match(/\{.*\}/g)).to.deep.equal(['{"data":[1]}', '{"data":[]}']);
    } finally {
      socket.destroy();
    }
  });
});
