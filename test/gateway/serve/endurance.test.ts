/** What the gateway bears: readiness asked by a crowd, bodies without end, clients that stay while it closes. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { expectError } from '../../support/answers.ts';
import { asAnswer, rawRequest } from '../../support/raw-request.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';

describe('the gateway bears', () => {
  let configDir: string;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;
  let gateway: TestGateway;
  let probes: number;

  beforeEach(async () => {
    configDir = mkdtempSync(join(tmpdir(), 'tidegate-config-'));
    cpSync(join(PACKAGE_ROOT, 'config'), configDir, { recursive: true });
    const file = join(configDir, 'gateway.config.yml');
    const text = readFileSync(file, 'utf8');
    // A body that streams: nothing counts what it holds.
    const whole = '    cost: { list: body }\n    limits: [batch-events]\n';
    const action = '{ maxBytes: 2097152, contentTypes: [application/json, text/plain] }';
    expect(text).to.contain(whole).and.contain(action);
    writeFileSync(file, text.replace(whole, '').replace(action, '{ maxBytes: 1000 }'));
    probes = 0;
    upstream = await startUpstream((req, res) => {
      if (req.url === '/health/ready') probes++;
      req.resume();
      req.on('end', () => res.end('{}'));
    });
    gateway = await startGateway({ upstream: upstream.origin, configDir });
  });
  afterEach(async () => {
    await gateway.close();
    await upstream.close();
    rmSync(configDir, { recursive: true, force: true });
  });

  it('a crowd that asks whether it is ready, with one probe for all', async () => {
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        fetch(`${gateway.origin}/health/ready`).then((response) => response.status),
      ),
    );
    expect(new Set(answers)).to.deep.equal(new Set([200]));
    // One for each of the three services, and again when the crowd took longer than a verdict serves.
    expect(probes).to.be.within(3, 30);
  });

  it('a streamed body of unannounced length up to its limit only', async () => {
    const send = (bytes: number) =>
      rawRequest(
        gateway.origin,
        `POST /track HTTP/1.1\r\nHost: x\r\nx-api-key: ${gateway.key}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${bytes.toString(16)}\r\n${'a'.repeat(bytes)}\r\n0\r\n\r\n`,
      );
    expect((await send(1_000)).statusLine).to.equal('HTTP/1.1 200 OK');
    expectError(asAnswer(await send(1_001)), 413, 'PAYLOAD_TOO_LARGE');
  });

  it('a kept connection while it closes: the last answer says that it ends', async () => {
    const { hostname, port } = new URL(gateway.origin);
    const socket = connect(Number(port), hostname);
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
    });
    const answers = async (count: number): Promise<void> => {
      while (text.split('HTTP/1.1 200 OK').length <= count)
        await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const request = `GET /health HTTP/1.1\r\nHost: x\r\n\r\n`;
    socket.write(request);
    await answers(1);
    expect(text).to.not.contain('Connection: close');
    const closed = gateway.close();
    socket.write(request);
    await answers(2);
    expect(text.slice(text.lastIndexOf('HTTP/1.1'))).to.contain('Connection: close');
    await closed;
  });
});
