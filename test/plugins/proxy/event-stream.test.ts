/** Server-sent events through the gateway: each passes when it is sent, the pauses are bounded, and a client that leaves is known. */
import { type ClientRequest, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';

interface Stream {
  readonly sent: ClientRequest;
  readonly answer: IncomingMessage;
  /** Everything that came. */
  text(): string;
  readonly isBroken: boolean;
}

describe('an event stream through the gateway', () => {
  let gateway: TestGateway;
  let folder: TempDirectory;
  let backend: Awaited<ReturnType<typeof startUpstream>>;
  /** Answers that the backend has begun. */
  const begun: ServerResponse[] = [];

  before(async () => {
    backend = await startUpstream((_req, res) => {
      res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
      res.flushHeaders();
      begun.push(res);
    });
    const service = [`url: ${backend.origin}`];
    folder = withForeignBackends({
      news: { service, proxy: 'timeoutSeconds: 60' },
      hasty: { service, proxy: 'timeoutSeconds: 2' },
    });
    gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
  });
  afterEach(() => {
    for (const res of begun.splice(0)) res.destroy();
  });
  after(async () => {
    await gateway.close();
    await backend.close();
    folder.remove();
  });

  async function listen(path: string): Promise<Stream> {
    const headers = { 'x-api-key': gateway.key, 'accept-encoding': 'gzip, br', accept: 'text/event-stream' };
    const sent = request(`${gateway.origin}${path}`, { headers });
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('error', reject).once('response', resolve).end();
    });
    let text = '';
    let isBroken = false;
    answer.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    answer.on('error', () => {
      isBroken = true;
    });
    return {
      sent,
      answer,
      text: () => text,
      get isBroken() {
        return isBroken;
      },
    };
  }

  it('passes each event when it is sent, as it is', async () => {
    const stream = await listen('/news');
    expect(stream.answer.headers).to.include({
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache',
    });
    expect(stream.answer.headers).to.not.have.property('content-encoding');
    let expected = '';
    // The next event is sent only once the last one has come: none may wait for another.
    for (let number = 1; number <= 20; number++) {
      begun[0]?.write(`id: ${number}\ndata: ${'x'.repeat(number * 100)}\n\n`);
      expected += `id: ${number}\ndata: ${'x'.repeat(number * 100)}\n\n`;
      await eventually(stream.text).equals(expected);
    }
    begun[0]?.end();
    await eventually(() => stream.answer.complete).equals(true);
  });

  it('outlives the time-out while events come, and is broken off when none comes', async () => {
    const stream = await listen('/hasty');
    const beganAt = performance.now();
    const beat = setInterval(() => begun[0]?.write(':\n\n'), 100);
    await eventually(() => performance.now() - beganAt > 5_000).equals(true);
    expect(stream.isBroken).to.equal(false);
    clearInterval(beat);
    await eventually(() => stream.isBroken).equals(true);
  });

  it('ends at the backend when the client leaves', async () => {
    const stream = await listen('/news');
    begun[0]?.write('data: 1\n\n');
    await eventually(stream.text).equals('data: 1\n\n');
    stream.sent.destroy();
    await eventually(() => begun[0]?.closed).equals(true);
  });
});
