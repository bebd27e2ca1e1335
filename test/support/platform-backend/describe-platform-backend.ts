/** What a platform team gets for a backend of its own by YAML alone, over real sockets: the suite's form, and the longer one of the soak. */
import { request } from 'node:http';
import { expect } from 'chai';
import { IDENTITY_HEADER } from '../../../services/shared/identity/identity-token.ts';
import { eventually } from '../eventually.ts';
import { LARGE_BODY_BYTES, largeBodyHash, MOST_GIVEN_BYTES, sendLargeBody, stopped } from '../large-body.ts';
import type { Answer, TestServer } from '../start-tidegate.ts';
import { openWebSocket } from '../web-socket-client.ts';
import {
  missingForPlatformBackend,
  type PlatformBackend,
  startPlatformBackend,
} from './start-platform-backend.ts';

const SESSION_ORIGIN = 'http://localhost:5173';
/** By the rules of the canary. */
const TO_SHOP = { 'x-canary': 'never' };
const TO_NEXT = { 'x-canary': 'always' };

export interface StreamLengths {
  /** How long events come. */
  readonly streamSeconds: number;
  /** The longest pause between two of them that the configuration allows; shorter than the stream. */
  readonly timeoutSeconds: number;
}

/** Declares the tests. */
export function describePlatformBackend({ streamSeconds, timeoutSeconds }: StreamLengths): void {
  describe('a backend in Python, at two addresses, by YAML alone', function () {
    this.timeout(300_000);
    let backend: PlatformBackend;
    let server: TestServer;
    let cookie: string;
    /** A key that holds the platform's own scope. */
    let key: string;

    before(async function () {
      const missing = missingForPlatformBackend();
      if (missing !== null) {
        process.stderr.write(`      skipped: it needs ${missing}, then npm run test:all runs it\n`);
        this.skip();
      }
      backend = await startPlatformBackend(timeoutSeconds);
      ({ server } = backend);
      const login = await server.call('POST', '/v1/auth/login', {
        headers: { origin: SESSION_ORIGIN },
        body: { email: 'owner@example.com', password: 'correct horse' },
      });
      cookie = login.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      const made = await server.call('POST', '/v1/api-keys', {
        headers: { origin: SESSION_ORIGIN, cookie },
        body: { name: 'shop', scopes: ['read:shop'], access: { level: 'global' } },
      });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      key = made.body.data.secret;
    });
    after(() => backend?.close());

    const shop = (headers: Record<string, string> = {}, path = '/shop/items'): Promise<Answer> =>
      server.call('GET', path, { key, headers: { ...TO_SHOP, ...headers } });

    it('learns of a key and of a session by a token that it verifies', async () => {
      const byKey = await shop();
      expect(byKey.status, JSON.stringify(byKey.body)).to.equal(200);
      expect(byKey.body.caller).to.include({ kind: 'key', organizationId: 'org_main', role: null });
      expect(byKey.body.caller.scopes).to.deep.equal(['read:shop']);
      const bySession = await server.call('GET', '/shop/items', {
        headers: { ...TO_SHOP, origin: SESSION_ORIGIN, cookie },
      });
      expect(bySession.body.caller).to.include({ kind: 'session', role: 'owner' });
      for (const { body } of [byKey, bySession]) {
        expect(body.headers).to.not.have.any.keys('x-api-key', 'authorization', 'cookie');
      }
    });

    it('is reached by nobody past the gateway, nor with the token for its other version', async () => {
      const direct = async (headers: Record<string, string>) =>
        (await fetch(`${backend.origins.next}/api/items`, { headers })).status;
      const { body } = await shop();
      const token = body.headers[IDENTITY_HEADER];
      expect(await direct({})).to.equal(401);
      expect(await direct({ [IDENTITY_HEADER]: token })).to.equal(401);
      const next = await shop(TO_NEXT);
      expect(await direct({ [IDENTITY_HEADER]: next.body.headers[IDENTITY_HEADER] })).to.equal(200);
    });

    it('opens to its own scope alone', async () => {
      const refused = await server.call('GET', '/shop/items', { key: server.keys.all });
      expect([refused.status, refused.body.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
      expect(refused.body.error).to.include('read:shop');
      expect((await server.call('GET', '/shop/items')).status).to.equal(401);
    });

    it('has a limit of its own, with another number for one organization', async () => {
      const passed = async (by: string) => {
        const statuses: number[] = [];
        do {
          const { status } = await server.call('GET', '/shop/limited', { key: by, headers: TO_SHOP });
          statuses.push(status);
        } while (statuses.at(-1) === 200 && statuses.length < 10);
        return statuses;
      };
      expect(await passed(server.keys.free)).to.deep.equal([200, 200, 200, 429]);
      expect(await passed(server.keys.all)).to.deep.equal([200, 200, 200, 200, 200, 429]);
    });

    it('gets the path and the headers as the YAML writes them, whatever a client sends', async () => {
      const { body, headers } = await shop(
        { 'x-shop-organization': 'forged', x_shop_organization: 'forged', 'x-debug': 'forged' },
        '/shop/items/7?a=1',
      );
      expect(body.path).to.equal('/api/items/7?a=1');
      expect(body.headers).to.include({ 'x-shop-organization': 'org_main', 'x-source': 'gateway' });
      expect(JSON.stringify(body.headers)).to.not.include('forged');
      expect(headers.get('x-shop')).to.equal('open');
      expect(headers.get('server')).to.equal(null);
    });

    it('is asked at both addresses, and its next version by rule and by share', async () => {
      const at = async (headers: Record<string, string>, address?: string): Promise<string> => {
        const options = { key, headers, ...(address !== undefined && { address }) };
        return (await server.call('GET', '/shop/items', options)).body.at;
      };
      const inTurn = new Set<string>();
      for (let number = 0; number < 6; number++) inTurn.add(await at(TO_SHOP));
      expect(inTurn).to.deep.equal(new Set(['one', 'two']));
      for (let number = 0; number < 3; number++) expect(await at(TO_NEXT)).to.equal('next');
      const byAddress = new Set<boolean>();
      for (let number = 1; number <= 20; number++) {
        const address = `198.51.100.${number}`;
        const isNext = (await at({}, address)) === 'next';
        expect((await at({}, address)) === 'next', address).to.equal(isNext);
        byAddress.add(isNext);
      }
      expect(byAddress).to.have.property('size', 2);
    });

    it('is read by the pages that the YAML lists, and by no other', async () => {
      const allowed = async (origin: string) =>
        (await shop({ origin })).headers.get('access-control-allow-origin');
      for (const origin of ['https://app.example.com', 'https://a.customers.example.com']) {
        expect(await allowed(origin)).to.equal(origin);
        const preflight = await server.call('OPTIONS', '/shop/items', {
          headers: { origin, 'access-control-request-method': 'POST' },
        });
        expect(preflight.headers.get('access-control-allow-methods')).to.equal('GET, POST');
        expect(preflight.headers.get('access-control-max-age')).to.equal('3600');
        const refused = await server.call('GET', '/shop/items', { headers: { origin } });
        expect([refused.status, refused.headers.get('access-control-allow-origin')]).to.deep.equal([
          401,
          origin,
        ]);
      }
      for (const origin of ['https://customers.example.com', 'https://evil.example', 'null']) {
        expect(await allowed(origin)).to.equal(null);
      }
    });

    it('echoes the messages of a WebSocket, and knows who opened it', async () => {
      const { socket, messages } = await openWebSocket(`${server.origin}/shop/live`, { 'x-api-key': key });
      for (const text of ['first', 'x'.repeat(10_000)]) socket.send(text);
      await eventually(() => messages.length).equals(3);
      expect(messages[0]).to.match(/^key_/);
      expect(messages.slice(1)).to.deep.equal(['first', 'x'.repeat(10_000)]);
      socket.close(1000);
      const refused = openWebSocket(`${server.origin}/shop/live`, { 'x-api-key': server.keys.all });
      expect(await refused.then(() => 'open').catch(() => 'refused')).to.equal('refused');
    });

    it(`sends events for ${streamSeconds} s, longer than the ${timeoutSeconds} s that one may take`, async () => {
      const startedAt = performance.now();
      const answer = await fetch(`${server.origin}/shop/events?seconds=${streamSeconds}`, {
        headers: { 'x-api-key': key },
      });
      expect(answer.headers.get('content-type')).to.equal('text/event-stream');
      const text = await answer.text();
      expect(performance.now() - startedAt).to.be.at.least(timeoutSeconds * 1_000);
      const events = text.split('\n\n').filter((event) => event !== '');
      const last = events.pop();
      expect(events.length).to.be.greaterThan(0);
      expect(events).to.deep.equal(events.map((_, index) => `id: ${index + 1}\ndata: beat`));
      expect(last).to.equal(`event: end\ndata: ${events.length}`);
    });

    it('gets an upload of 100 MB only as fast as it reads', async () => {
      const sent = request(`${server.origin}/shop/upload`, {
        method: 'POST',
        headers: {
          'x-api-key': key,
          'content-type': 'application/octet-stream',
          'content-length': LARGE_BODY_BYTES,
        },
      });
      const answered = new Promise<string>((resolve, reject) => {
        sent.once('error', reject).once('response', (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (chunk: string) => {
            text += chunk;
          });
          answer.once('end', () => resolve(text));
        });
      });
      const sending = sendLargeBody(sent);
      const first = 30_000_000;
      expect(await backend.allowUpload(first)).to.equal(first);
      expect(await stopped(sending)).to.be.below(first + MOST_GIVEN_BYTES);
      backend.allowWholeUpload();
      expect(JSON.parse(await answered)).to.deep.equal({ bytes: LARGE_BODY_BYTES, sha256: largeBodyHash() });
    });
  });
}
