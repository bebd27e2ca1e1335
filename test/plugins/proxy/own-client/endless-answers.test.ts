/** The gateway's own client and answers that are made to take long: each ends as a fault, soon. */
import { expect } from 'chai';
import { createKeptTransport } from '../../../../plugins/proxy/http-transport.ts';
import type { KeptTransport } from '../../../../plugins/proxy/own-client/kept-transport.ts';
import { exchange, type RawBackend, startRawBackend } from '../../../support/raw-backend.ts';

describe("an answer to the gateway's own client", () => {
  let backend: RawBackend;
  let transport: KeptTransport;
  before(async () => {
    backend = await startRawBackend();
    transport = createKeptTransport(backend.origin, { connections: 4, timeoutMs: 15_000 });
  });
  after(async () => {
    await transport.destroy();
    await backend.close();
  });

  it('that others precede without end is a fault after its time', async () => {
    backend.answer = (socket) => {
      const more = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\n\r\n'), 100);
      socket.on('close', () => clearInterval(more));
    };
    const { fault } = await exchange(transport, { headersTimeout: 600 });
    expect(fault?.code).to.equal('UND_ERR_HEADERS_TIMEOUT');
  });

  it('whose header is blanks and a control character is read once, not again from each blank', async () => {
    const [blanks, startedAt] = [' '.repeat(16_000), performance.now()];
    for (let turn = 0; turn < 10; turn++) {
      backend.answer = (socket) => socket.write(`HTTP/1.1 200 OK\r\nX:${blanks}\u0001\r\n\r\n`);
      expect((await exchange(transport)).fault?.code).to.equal('HPE_INVALID_HEADER_TOKEN');
    }
    // Squares of them take five seconds.
    expect(performance.now() - startedAt).to.be.below(2_500);
  });
});
