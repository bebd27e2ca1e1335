/** Sends the same random requests to two servers, one that calls its services and one that asks them by HTTP: both answer alike. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { expect } from 'chai';
import fc from 'fast-check';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { type RandomRequest, randomRequest } from './random-requests.ts';
import { type StartOptions, startTidegate, type TestServer } from './start-tidegate.ts';

interface Received {
  readonly status: number;
  readonly reason: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** In place of a status. */
const BROKEN = 0;

const EVENTS = ['/', '/pricing', '/ü "quoted"\nline'].flatMap((path) =>
  ['ada', 'bob'].map((anonymousId) => ({
    name: 'screen_view',
    websiteId: 'web_shop',
    anonymousId,
    path,
    timestamp: '2025-01-15T10:00:00Z',
  })),
);

/** Declares the test with this many requests. */
export function describeTransports(count: number): void {
  describe(`${count} random requests`, function () {
    this.timeout(120_000 + count * 100);
    const agent = new Agent({ keepAlive: true });
    const servers: TestServer[] = [];
    /** One clock for both: what they write is of the same instant, and no two requests are. */
    let now = Date.now();

    before(async () => {
      const clock: StartOptions['clock'] = { ...systemClock, now: () => now };
      for (const EMBEDDED_TRANSPORT of ['process', 'http']) {
        const server = await startTidegate({ clock, settings: { EMBEDDED_TRANSPORT } });
        servers.push(server);
        const { status } = await server.call('POST', '/track', { key: server.keys.all, body: EVENTS });
        expect(status).to.equal(200);
      }
    });
    after(async () => {
      agent.destroy();
      for (const server of servers) await server.close();
    });

    it('are answered alike, whether services are called or asked by HTTP', async () => {
      const seed = Date.now() & 0xffff_ffff;
      let index = 0;
      const statuses = new Set<number>();
      let broken = 0;
      for (const asked of fc.sample(randomRequest, { numRuns: count, seed })) {
        index++;
        now++;
        const [first, second] = await Promise.all(
          servers.map((server) => send(server.origin, asked, index, agent)),
        );
        statuses.add(first?.status ?? 0);
        // A connection that the gateway ends while the client still sends: whether the answer arrives is chance.
        if (first?.status === BROKEN || second?.status === BROKEN) {
          broken++;
          continue;
        }
        const label = `seed ${seed}, request ${index}: ${asked.method} ${asked.path} ${JSON.stringify(asked.headers)} ${asked.body?.toString('latin1').slice(0, 300)}`;
        expect(shown(first), label).to.deep.equal(shown(second));
      }
      expect(broken).to.be.below(count / 20);
      expect([...statuses]).to.include.members([200, 400, 401, 403, 404, 405]);
    });
  });
}

function send(
  origin: string,
  { method, path, headers, body, isChunked }: RandomRequest,
  index: number,
  agent: Agent,
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const asked = request(
      `${origin}${path}`,
      {
        method,
        agent,
        headers: {
          ...headers,
          'x-request-id': `request-${index}`,
          'x-forwarded-for': `10.${(index >> 16) & 255}.${(index >> 8) & 255}.${index & 255}`,
          ...(body !== null &&
            (isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length })),
        },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            reason: response.statusMessage ?? '',
            headers: response.headers,
            body: Buffer.concat(chunks).toString('latin1'),
          }),
        );
      },
    );
    asked.on('error', (fault) => resolve({ status: BROKEN, reason: fault.message, headers: {}, body: '' }));
    if (body === null) asked.end();
    else if (isChunked) {
      asked.write(body.subarray(0, body.length >> 1));
      asked.end(body.subarray(body.length >> 1));
    } else asked.end(body);
  });
}

/** What differs between any two servers: ids that they make, and where they stand in a list. */
function shown(received: Received | undefined): unknown {
  if (received === undefined) return undefined;
  const { date: _date, ...headers } = received.headers;
  return JSON.parse(
    JSON.stringify({ ...received, headers })
      .replaceAll(/\b[a-z]{2,5}_[A-Za-z0-9-]{16,}\b/g, 'id')
      .replaceAll(/(nextCursor\\":\\")[^"\\]+/g, '$1cursor'),
  );
}
