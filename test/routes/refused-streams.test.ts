/** A body that is refused while it still comes: the connection carries the next request as soon as it has ended. */
import { connect } from 'node:net';
import { expect } from 'chai';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const CHUNK = Buffer.concat([Buffer.from('4000\r\n'), Buffer.alloc(16_384, 'a'), Buffer.from('\r\n')]);
const LAST_CHUNK = '0\r\n\r\n';
/** Longer than any answer takes, and a tenth of what a connection may stand idle. */
const LONGEST_MS = 6_000;

for (const EMBEDDED_TRANSPORT of ['process', 'http']) {
  describe(`a connection whose request was refused amid its body, services reached by ${EMBEDDED_TRANSPORT}`, () => {
    let server: TestServer;
    before(async () => {
      server = await startTidegate({ settings: { EMBEDDED_TRANSPORT } });
    });
    after(() => server.close());

    /** The statuses of the answers: to a body of so many chunks, then to a request for health. */
    function askTwice(path: string, chunks: number): Promise<string[]> {
      const { hostname, port } = new URL(server.origin);
      const head = `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nx-api-key: ${server.keys.all}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const half = Buffer.concat(Array.from({ length: chunks / 2 }, () => CHUNK));
      return new Promise((resolve, reject) => {
        const socket = connect(Number(port), hostname);
        let text = '';
        const timer = setTimeout(finish, LONGEST_MS);
        function finish(): void {
          clearTimeout(timer);
          socket.destroy();
          resolve([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status));
        }
        socket.on('error', reject);
        socket.on('end', finish);
        socket.on('data', (data) => {
          text += data.toString('latin1');
          if (text.includes('"status":"ok"')) finish();
        });
        socket.write(Buffer.concat([Buffer.from(head), half]));
        // The rest comes once the first half is on its way to a service.
        setTimeout(() => {
          socket.write(Buffer.concat([half, Buffer.from(LAST_CHUNK)]));
          socket.write(`GET /health HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
        }, 200);
      });
    }

    it('answers the next one where the gateway finds it too large', async () => {
      expect(await askTwice('/v1/query/compile?website_id=web_shop', 140)).to.deep.equal(['413', '200']);
    });

    it('answers the next one where the service finds it too large', async () => {
      expect(await askTwice('/v1/query/custom?website_id=web_shop', 20)).to.deep.equal(['413', '200']);
    });
  });
}
