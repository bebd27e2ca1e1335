/** Bodies of 100 MB pass in constant memory, in both directions: while the receiver pauses, so does the sender. */
import { createHash } from 'node:crypto';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';
import {
  LARGE_BODY_BYTES,
  largeBodyHash,
  MOST_GIVEN_BYTES,
  MOST_HELD_BYTES,
  type Sending,
  sendLargeBody,
  stopped,
} from '../../support/large-body.ts';
import { memoryInUse } from '../../support/memory-in-use.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';

describe('a body of 100 MB', () => {
  let gateway: TestGateway;
  let folder: TempDirectory;
  let backend: Awaited<ReturnType<typeof startUpstream>>;
  let answer: (req: IncomingMessage, res: ServerResponse) => void;

  before(async () => {
    backend = await startUpstream((req, res) => answer(req, res));
    folder = withForeignBackends({
      store: {
        service: [`url: ${backend.origin}`],
        body: `maxBytes: ${LARGE_BODY_BYTES}, contentTypes: [application/octet-stream]`,
        proxy: 'timeoutSeconds: 120',
      },
    });
    gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: folder.path });
  });
  after(async () => {
    await gateway.close();
    await backend.close();
    folder.remove();
  });

  for (const length of ['announced', 'chunked'] as const) {
    it(`is uploaded as the backend reads it: ${length}`, async () => {
      const hash = createHash('sha256');
      let arrived: IncomingMessage | null = null;
      answer = (req, res) => {
        arrived = req;
        req.on('end', () => res.end('done'));
      };
      const sent = request(`${gateway.origin}/store`, {
        method: 'POST',
        headers: {
          'x-api-key': gateway.key,
          'content-type': 'application/octet-stream',
          ...(length === 'announced' && { 'content-length': LARGE_BODY_BYTES }),
        },
      });
      const status = new Promise<number>((resolve, reject) => {
        sent.once('error', reject);
        sent.once('response', (res) => resolve(res.resume().statusCode ?? 0));
      });
      const before = memoryInUse().arrayBuffers;
      const sending = sendLargeBody(sent);
      await eventually(() => arrived !== null).equals(true);
      const told = (arrived as unknown as IncomingMessage).headers;
      expect([told['content-length'], told['transfer-encoding']]).to.deep.equal(
        length === 'announced' ? [`${LARGE_BODY_BYTES}`, undefined] : [undefined, 'chunked'],
      );
      expect(await stopped(sending)).to.be.below(MOST_GIVEN_BYTES);
      expect(memoryInUse().arrayBuffers - before).to.be.below(MOST_HELD_BYTES);
      (arrived as unknown as IncomingMessage).on('data', (chunk: Buffer) => hash.update(chunk));
      expect(await status).to.equal(200);
      expect(hash.digest('hex')).to.equal(largeBodyHash());
    });
  }

  it('is downloaded as the client reads it', async () => {
    let sending: Sending = { given: 0, wasHeld: false };
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': LARGE_BODY_BYTES });
      sending = sendLargeBody(res);
    };
    const before = memoryInUse().arrayBuffers;
    const sent = request(`${gateway.origin}/store`, { headers: { 'x-api-key': gateway.key } });
    const received = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('error', reject).once('response', resolve).end();
    });
    expect(await stopped(sending)).to.be.below(MOST_GIVEN_BYTES);
    expect(memoryInUse().arrayBuffers - before).to.be.below(MOST_HELD_BYTES);
    const hash = createHash('sha256');
    for await (const chunk of received) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).to.equal(largeBodyHash());
  });
});
