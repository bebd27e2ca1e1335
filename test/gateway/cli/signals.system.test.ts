/** Signals to a command at work: it ends, with the code by which shells tell of a signal. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect } from 'chai';
import { freePort } from '../../support/free-port.ts';
import { startCli } from '../../support/run-cli.ts';

describe('a command at work', () => {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    it(`hears ${signal}, also as the first process of a container, and ends with ${code}`, async () => {
      // A database that never answers.
      const silent = createServer().listen(await freePort(), '127.0.0.1');
      const connected = once(silent, 'connection');
      await once(silent, 'listening');
      const { port } = silent.address() as { port: number };
      const child = startCli(['migrate'], { MONGODB_URI: `mongodb://127.0.0.1:${port}/x` });
      const ended = once(child, 'exit');
      const [socket] = await connected;
      child.kill(signal);
      // By a handler: the first process of a container ends by no other way.
      expect(await ended).to.deep.equal([code, null]);
      socket.destroy();
      silent.close();
    });
  }
});
