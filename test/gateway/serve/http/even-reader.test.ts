/** Whoever reads an answer slowly but evenly gets it whole: the system tells of what it took in large steps. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { closeServer, listen } from '../../../../gateway/serve/http/listen.ts';
import {
  READER_BYTES_PER_SECOND,
  UNREAD_MS,
  UnreadAnswers,
} from '../../../../gateway/serve/http/unread-answers.ts';

/** What stands here for {@link UNREAD_MS}; in it the reader takes as much as it does in that at the rate that is promised. */
const SHORT_MS = 1_000;
const BYTES = (READER_BYTES_PER_SECOND * UNREAD_MS) / 1_000;

describe('an answer whose client reads evenly at the rate that is promised', () => {
  it('is not broken off', async () => {
    let cuts = 0;
    const unread = new UnreadAnswers(() => cuts++, SHORT_MS);
    const server = createServer((_req, res) => res.end(Buffer.alloc(BYTES * 10)));
    server.on('connection', (socket) => unread.watch(socket));
    const { port } = await listen(server, 0, '127.0.0.1');
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    const startedMs = performance.now();
    let taken = 0;
    for (;;) {
      const periods = (performance.now() - startedMs) / SHORT_MS;
      if (periods > 4 || socket.destroyed) break;
      while (taken < periods * BYTES) {
        const wanted = Math.ceil(periods * BYTES - taken);
        const chunk = socket.read(Math.min(wanted, socket.readableLength)) as Buffer | null;
        if (chunk === null) break;
        taken += chunk.length;
      }
      await delay(SHORT_MS / 50);
    }
    expect(cuts).to.equal(0);
    expect(taken).to.be.above(BYTES * 3);
    socket.destroy();
    await closeServer(server, 100);
  });
});
