/** What backends of a platform's own learn of who calls: by a signed token, by plain headers, or nothing; and what no client can forge there. */
import type { IncomingHttpHeaders } from 'node:http';
import { expect } from 'chai';
import { createRemoteJWKSet, decodeJwt, type JWTPayload, jwtVerify } from 'jose';
import { CLAIMING_HEADERS } from '../../services/shared/identity/claiming-headers.ts';
import { IDENTITY_HEADER, IDENTITY_ISSUER, SERVICES } from '../../services/shared/identity/identity-token.ts';
import { withForeignBackends } from '../support/foreign-backends.ts';
import { rawRequest } from '../support/raw-request.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import type { TempDirectory } from '../support/temp-directory.ts';
import { until } from '../support/until.ts';
import { UpstreamService } from '../support/upstream-service.ts';

const SESSION_ORIGIN = 'http://localhost:5173';
const NAMES = ['orders', 'billing', 'fresh', 'legacy', 'plain'] as const;
type Name = (typeof NAMES)[number];
const IDENTITY: Readonly<Record<Name, readonly string[]>> = {
  orders: ['identity: { audience: orders }'],
  billing: [
    'identity: { audience: "https://billing.example/v1" }',
    'passHeaders: [x-client-id]',
    'dropHeaders: [x-shop-user]',
  ],
  fresh: ['identity: { audience: fresh, perRequest: true }'],
  legacy: ['identity: headers'],
  plain: ['required: true'],
};

describe('a backend of a platform', () => {
  const backends = {} as Record<Name, UpstreamService>;
  let folder: TempDirectory;
  let server: TestServer;
  /** Of the latest request that reached a backend. */
  let seen: { name: Name; headers: IncomingHttpHeaders; raw: string[] } | null = null;

  before(async () => {
    for (const name of NAMES) {
      backends[name] = await UpstreamService.start();
      backends[name].answer = (req, res) => {
        seen = { name, headers: req.headers, raw: req.rawHeaders };
        res.setHeader('x-gateway-caller', 'forged by the backend');
        res.end('{"success":true}');
      };
    }
    folder = withForeignBackends(
      Object.fromEntries(
        NAMES.map((name) => [
          name,
          { service: [`url: ${backends[name].origin}`, ...IDENTITY[name]], endpoint: ['access: optional'] },
        ]),
      ),
    );
    server = await startTidegate({ configDir: folder.path });
  });
  after(async () => {
    await server.close();
    folder.remove();
    for (const name of NAMES) await backends[name].kill();
  });

  /** The headers with which a request reached the backend. */
  async function reach(
    name: Name,
    options: Parameters<TestServer['call']>[2] = {},
  ): Promise<IncomingHttpHeaders> {
    seen = null;
    const answer = await server.call('GET', `/${name}/7?a=1`, options);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    expect(answer.headers.get('x-gateway-caller')).to.equal(null);
    const { headers } = seen ?? expect.fail('the backend was not reached');
    return headers;
  }
  const jwks = () => createRemoteJWKSet(new URL(`${server.origin}/.well-known/jwks.json`));
  const verified = async (token: unknown, audience: string): Promise<JWTPayload> =>
    (await jwtVerify(String(token), jwks(), { issuer: IDENTITY_ISSUER, audience, algorithms: ['EdDSA'] }))
      .payload;
  /** The cookie of a session. */
  async function login(): Promise<string> {
    const answer = await server.call('POST', '/v1/auth/login', {
      headers: { origin: SESSION_ORIGIN },
      body: { email: 'owner@example.com', password: 'correct horse' },
    });
    const cookies = answer.headers.getSetCookie().map((line) => line.split(';')[0]);
    return cookies.join('; ');
  }

  describe('with a token', () => {
    it('learns of a key what our own services learn, and never the key itself', async () => {
      const headers = await reach('orders', { key: server.keys.twoWebsites });
      const { caller, ...claims } = await verified(headers[IDENTITY_HEADER], 'orders');
      expect(caller).to.deep.equal({
        id: 'key_two',
        kind: 'key',
        organizationId: 'org_main',
        userId: null,
        role: null,
        plan: 'free',
        scopes: ['read:data'],
        access: { level: 'website', websiteIds: ['web_shop', 'web_blog'] },
      });
      expect(claims).to.include({ iss: IDENTITY_ISSUER, aud: 'orders', sub: 'key_two' });
      expect((claims.exp ?? 0) - (claims.iat ?? 0)).to.be.within(1, 60);
      expect(headers).to.not.have.any.keys('x-api-key', 'authorization', 'cookie');
      expect(JSON.stringify(headers)).to.not.include(server.keys.twoWebsites);
    });

    it('learns of a session its user and role', async () => {
      const headers = await reach('orders', { headers: { origin: SESSION_ORIGIN, cookie: await login() } });
      const { caller } = (await verified(headers[IDENTITY_HEADER], 'orders')) as {
        caller: Record<string, unknown>;
      };
      expect(caller).to.include({ kind: 'session', organizationId: 'org_main', role: 'owner' });
      expect(caller.userId).to.be.a('string');
      expect(headers.cookie).to.equal(undefined);
    });

    it('learns that nobody in particular calls, where that is allowed', async () => {
      const { caller } = await verified((await reach('orders'))[IDENTITY_HEADER], 'orders');
      expect(caller).to.deep.include({ kind: 'public', organizationId: null, scopes: [] });
    });

    it('gets one for each request where it asks for that, with an id that no client chooses', async () => {
      const ids = new Set<unknown>();
      const chosen: Record<string, string>[] = [
        { 'x-request-id': 'first-request' },
        { 'x-request-id': 'first-request' },
        {},
      ];
      for (const own of chosen) {
        const headers = await reach('fresh', { key: server.keys.all, headers: own });
        const { jti } = await verified(headers[IDENTITY_HEADER], 'fresh');
        expect(jti)
          .to.match(/^[0-9a-f-]{36}$/)
          .and.not.equal(headers['x-request-id']);
        ids.add(jti);
      }
      expect(ids).to.have.property('size', 3);
      const reused = await verified(
        (await reach('orders', { key: server.keys.all }))[IDENTITY_HEADER],
        'orders',
      );
      expect(reused.jti).to.equal(undefined);
    });

    it('holds one that nobody else accepts, neither a service of ours nor another backend', async () => {
      const audiences = { orders: 'orders', billing: 'https://billing.example/v1', fresh: 'fresh' } as const;
      const tokens = new Map<string, string>();
      for (const [name, audience] of Object.entries(audiences)) {
        const headers = await reach(name as Name, { key: server.keys.all });
        tokens.set(audience, String(headers[IDENTITY_HEADER]));
      }
      for (const [made, token] of tokens) {
        expect(decodeJwt(token).aud).to.equal(made);
        for (const asked of [...tokens.keys(), ...SERVICES]) {
          const isAccepted = await verified(token, asked).then(
            () => true,
            () => false,
          );
          expect(isAccepted, `${made} at ${asked}`).to.equal(made === asked);
        }
      }
    });
  });

  it('with headers learns the same as plain text', async () => {
    const told = (headers: IncomingHttpHeaders) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('x-gateway')));
    expect(told(await reach('legacy', { key: server.keys.twoWebsites }))).to.deep.equal({
      'x-gateway-caller': 'key_two',
      'x-gateway-kind': 'key',
      'x-gateway-organization': 'org_main',
      'x-gateway-plan': 'free',
      'x-gateway-scopes': 'read:data',
      'x-gateway-websites': 'web_shop,web_blog',
    });
    expect(told(await reach('legacy', { key: server.keys.readOnly }))).to.include({
      'x-gateway-websites': '*',
    });
    expect(told(await reach('legacy'))).to.deep.equal({
      'x-gateway-caller': 'public',
      'x-gateway-kind': 'public',
      'x-gateway-scopes': '',
      'x-gateway-websites': '',
    });
    const session = told(
      await reach('legacy', { headers: { origin: SESSION_ORIGIN, cookie: await login() } }),
    );
    expect(session).to.include({ 'x-gateway-kind': 'session', 'x-gateway-roles': 'owner' });
    expect(session['x-gateway-user']).to.match(/./);
  });

  it('without an identity learns nothing', async () => {
    const headers = await reach('plain', { key: server.keys.all });
    expect(Object.keys(headers).filter((name) => /^x-(gateway|consumer)/.test(name))).to.deep.equal([]);
  });

  describe('sees nothing that a client forges', () => {
    const FORGED = [
      IDENTITY_HEADER,
      'x-gateway-organization',
      'x-gateway-roles',
      'x-consumer-id',
      'x-forwarded-host',
      'x-forwarded-proto',
      'forwarded',
      ...CLAIMING_HEADERS,
    ];
    const spellings = (name: string) => [
      name,
      name.toUpperCase(),
      name.replaceAll('-', '_'),
      name.replaceAll('-', '.'),
    ];
    /** One that no client reaches by a trusted proxy. */
    let direct: TestServer;
    before(async () => {
      direct = await startTidegate({ configDir: folder.path, settings: { TRUSTED_PROXIES: '192.0.2.1' } });
    });
    after(() => direct.close());

    for (const name of NAMES) {
      it(`at ${name}, in no spelling, by no way in`, async () => {
        for (const header of FORGED.filter((each) => name !== 'billing' || each !== 'x-client-id')) {
          for (const spelling of spellings(header)) {
            for (const way of ['close', `close, ${spelling}`]) {
              seen = null;
              const lines = [
                `GET /${name} HTTP/1.1`,
                'Host: shop.example',
                `X-Api-Key: ${direct.keys.all}`,
                `Connection: ${way}`,
                `${spelling}: forged-value`,
              ];
              const { statusLine } = await rawRequest(direct.origin, `${lines.join('\r\n')}\r\n\r\n`);
              expect(statusLine, spelling).to.include('200');
              const { raw } = seen ?? expect.fail('the backend was not reached');
              expect((raw as string[]).join('\n'), `${spelling} ${way}`).to.not.include('forged-value');
            }
          }
        }
      });
    }

    it('but for what its entry lets through, and besides what its entry keeps out', async () => {
      const headers = await reach('billing', {
        headers: { 'x-client-id': 'c1', 'x-shop-user': 'u1', 'x-other': 'o1' },
      });
      expect(headers)
        .to.include({ 'x-client-id': 'c1', 'x-other': 'o1' })
        .and.not.have.property('x-shop-user');
    });
  });

  it('is told where the request came from, as a trusted proxy says', async () => {
    const { host } = new URL(server.origin);
    expect(await reach('plain', { address: '203.0.113.9' })).to.include({
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': host,
      forwarded: `for=203.0.113.9;host="${host}";proto=http`,
    });
    const behind = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'inner.example, shop.example:8443' };
    expect(await reach('plain', { address: '2001:db8::7', headers: behind })).to.include({
      'x-forwarded-for': '2001:db8::7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'shop.example:8443',
      forwarded: 'for="[2001:db8::7]";host="shop.example:8443";proto=https',
    });
    const broken = { 'x-forwarded-proto': 'gopher', 'x-forwarded-host': 'a"b;c' };
    expect(await reach('plain', { address: '203.0.113.9', headers: broken })).to.include({
      'x-forwarded-proto': 'http',
      'x-forwarded-host': host,
    });
  });

  it('leaves the readiness of all alone while it is down, unless it is required', async () => {
    const readiness = async () => {
      const { status, body } = await server.call('GET', '/health/ready');
      return { status, checks: body.checks as Record<string, string> };
    };
    const until200 = () => until('readiness', async () => (await readiness()).status === 200);
    await until200();
    await backends.orders.kill();
    await until('the optional backend to show', async () => (await readiness()).checks.orders === 'degraded');
    expect((await readiness()).status).to.equal(200);
    await backends.plain.kill();
    await until('the required backend to be missed', async () => (await readiness()).status === 503);
    expect((await readiness()).checks).to.include({ plain: 'failed', orders: 'degraded' });
    await backends.plain.listen();
    await backends.orders.listen();
    await until('all to be well', async () => {
      const { status, checks } = await readiness();
      return status === 200 && checks.orders === 'ok' && checks.plain === 'ok';
    });
  });
});
