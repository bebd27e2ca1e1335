/** Bodies of 100 MB pass in constant memory, in both directions: while the receiver pauses, so does the sender. */
import { createHash } from 'node:crypto';
import { type IncomingMessage, request, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { eventually } from '../../support/eventually.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';
import { memoryInUse } from '../../support/memory-in-use.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';

const WHOLE = 100_000_000;
/** What the buffers of two connections, of the system and of the streams may hold; far less than the body. */
const MOST_HELD = 40_000_000;
/** One pause may be the machine's. */
const STILL_PAUSES = 3;
const CHUNK = Buffer.alloc(1_000_000, 'tide');

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
        body: `maxBytes: ${WHOLE}, contentTypes: [application/octet-stream]`,
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

  const expected = () => {
    const hash = createHash('sha256');
    for (let at = 0; at < WHOLE; at += CHUNK.length) hash.update(CHUNK);
    return hash.digest('hex');
  };

  interface Sending {
    /** Bytes that the sender could give away. */
    readonly given: number;
    /** Whether the stream said once that it takes no more for now. */
    readonly wasHeld: boolean;
  }

  /** Writes the body as fast as it is taken. */
  function send(stream: NodeJS.WritableStream): Sending {
    let given = 0;
    let wasHeld = false;
    const write = (): void => {
      while (given < WHOLE) {
        given += CHUNK.length;
        if (!stream.write(CHUNK)) {
          wasHeld = true;
          stream.once('drain', write);
          return;
        }
      }
      stream.end();
    };
    write();
    return {
      get given() {
        return given;
      },
      get wasHeld() {
        return wasHeld;
      },
    };
  }

  /** Until the stream held back, and nothing more was taken over several pauses in a row. */
  async function stopped(sending: Sending): Promise<number> {
    let before = -1;
    for (let still = 0; still < STILL_PAUSES; ) {
      await sleep(1_000);
      still = sending.wasHeld && before === sending.given ? still + 1 : 0;
      before = sending.given;
    }
    return sending.given;
  }

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
          ...(length === 'announced' && { 'content-length': WHOLE }),
        },
      });
      const status = new Promise<number>((resolve, reject) => {
        sent.once('error', reject);
        sent.once('response', (res) => resolve(res.resume().statusCode ?? 0));
      });
      const before = memoryInUse().arrayBuffers;
      const sending = send(sent);
      await eventually(() => arrived !== null).equals(true);
      expect(await stopped(sending)).to.be.below(MOST_HELD);
      expect(memoryInUse().arrayBuffers - before).to.be.below(MOST_HELD);
      (arrived as unknown as IncomingMessage).on('data', (chunk: Buffer) => hash.update(chunk));
      expect(await status).to.equal(200);
      expect(hash.digest('hex')).to.equal(expected());
    });
  }

  it('is downloaded as the client reads it', async () => {
    let sending: Sending = { given: 0, wasHeld: false };
    answer = (_req, res) => {
      res.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': WHOLE });
      sending = send(res);
    };
    const before = memoryInUse().arrayBuffers;
    const sent = request(`${gateway.origin}/store`, { headers: { 'x-api-key': gateway.key } });
    const received = await new Promise<IncomingMessage>((resolve, reject) => {
      sent.once('error', reject).once('response', resolve).end();
    });
    expect(await stopped(sending)).to.be.below(MOST_HELD);
    expect(memoryInUse().arrayBuffers - before).to.be.below(MOST_HELD);
    const hash = createHash('sha256');
    for await (const chunk of received) hash.update(chunk as Buffer);
    expect(hash.digest('hex')).to.equal(expected());
  });
});
