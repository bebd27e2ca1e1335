/** What services believe: a token that the gateway signed for them, now, with a key that is alive; nothing else. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT, UnsecuredJWT } from 'jose';
import { createIdentitySigner, publicKeySet } from '../../gateway/serve/identity.ts';
import { MAX_WEBSITES } from '../../services/resources/api-keys/schema.ts';
import type { Grant } from '../../services/shared/access/grant.ts';
import { Principal } from '../../services/shared/access/principal.ts';
import {
  IDENTITY_ALGORITHM,
  IDENTITY_HEADER,
  IDENTITY_ISSUER,
  SERVICES,
  type ServiceName,
} from '../../services/shared/identity/identity-token.ts';
import { createVerifyIdentity } from '../../services/shared/identity/verify-identity.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { freePort } from '../support/free-port.ts';
import { TEST_ENDPOINT, testCaller } from '../support/identity.ts';
import { serve } from '../support/serve.ts';
import { NO_GRANT, shippedGrant } from '../support/shipped-grants.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

/** Another route of each service, with an endpoint of its own. */
const OTHERS: Readonly<Record<ServiceName, readonly [method: string, path: string]>> = {
  query: ['POST', '/v1/query'],
  tracking: ['POST', '/identify'],
  resources: ['POST', '/v1/websites'],
};

/** One path that each service serves to a caller with its scope. */
const PATHS: Readonly<Record<ServiceName, string>> = {
  query: '/v1/query/websites',
  tracking: '/track',
  resources: '/v1/websites',
};

async function newKey(kid: string): Promise<JWK> {
  const { privateKey } = await generateKeyPair(IDENTITY_ALGORITHM, { crv: 'Ed25519', extractable: true });
  const { kty, crv, x, d } = await exportJWK(privateKey);
  return { kty, crv, x, d, kid } as JWK;
}

describe('a service called directly', () => {
  let server: TestServer;
  let key: JWK;
  const urls = new Map<ServiceName, string>();

  before(async () => {
    for (const name of SERVICES) urls.set(name, `http://127.0.0.1:${await freePort()}`);
    server = await startTidegate({
      settings: Object.fromEntries([...urls].map(([name, url]) => [`${name.toUpperCase()}_URL`, url])),
    });
    key = JSON.parse(readFileSync(join(server.dataDir, 'secrets.json'), 'utf8')).identityKeys[0];
  });
  after(() => server.close());

  const caller = testCaller({
    organizationId: 'org_main',
    scopes: ['read:data', 'track:events', 'manage:websites'],
  });
  const now = (): number => Math.floor(Date.now() / 1000);

  interface Claims {
    readonly audience?: string;
    readonly issuer?: string;
    readonly issuedAt?: number;
    readonly lifetime?: number | null;
    readonly by?: JWK;
    readonly kid?: string;
    /** Null: the token says nothing of an endpoint. */
    readonly grant?: unknown;
  }

  const methodOf = (service: ServiceName): string => (service === 'tracking' ? 'POST' : 'GET');
  /** What the shipped endpoint of the called path grants. */
  const ownGrant = (service: ServiceName): Grant => shippedGrant(service, methodOf(service), PATHS[service]);

  async function token(service: ServiceName, claims: Claims = {}): Promise<string> {
    const by = claims.by ?? key;
    const issuedAt = claims.issuedAt ?? now();
    const { grant = ownGrant(service) } = claims;
    const jwt = new SignJWT({ caller, ...(grant !== null && { grant }) })
      .setProtectedHeader({ alg: IDENTITY_ALGORITHM, kid: claims.kid ?? by.kid })
      .setIssuer(claims.issuer ?? IDENTITY_ISSUER)
      .setAudience(claims.audience ?? service)
      .setIssuedAt(issuedAt);
    if (claims.lifetime !== null) jwt.setExpirationTime(issuedAt + (claims.lifetime ?? 60));
    return jwt.sign(await importJWK(by, IDENTITY_ALGORITHM));
  }

  async function unsigned(service: ServiceName): Promise<string> {
    return new UnsecuredJWT({ caller, grant: ownGrant(service) })
      .setIssuer(IDENTITY_ISSUER)
      .setAudience(service)
      .setIssuedAt()
      .setExpirationTime('60s')
      .encode();
  }

  /** Signed by the public key's text as if it were a shared secret. */
  async function confused(service: ServiceName): Promise<string> {
    return new SignJWT({ caller, grant: ownGrant(service) })
      .setProtectedHeader({ alg: 'HS256', kid: key.kid })
      .setIssuer(IDENTITY_ISSUER)
      .setAudience(service)
      .setIssuedAt()
      .setExpirationTime('60s')
      .sign(Buffer.from(key.x ?? '', 'base64url'));
  }

  async function tampered(service: ServiceName): Promise<string> {
    const [head, body = '', signature] = (await token(service)).split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
    claims.caller.organizationId = 'org_free';
    return [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
  }

  const call = (service: ServiceName, headers: Record<string, string>, event: object = { name: 'x' }) =>
    fetch(`${urls.get(service)}${PATHS[service]}`, {
      method: methodOf(service),
      headers: { 'content-type': 'application/json', ...headers },
      ...(service === 'tracking' ? { body: JSON.stringify(event) } : {}),
    });

  const cases: Readonly<Record<string, (service: ServiceName) => Promise<string | null>>> = {
    'no token': async () => null,
    'an empty token': async () => '',
    'text that is no token': async () => 'a.b.c',
    'an expired token': (service) => token(service, { issuedAt: now() - 120 }),
    'a token without an end': (service) => token(service, { lifetime: null }),
    'a token that lives an hour, after its first minute': (service) =>
      token(service, { issuedAt: now() - 300, lifetime: 3_600 }),
    'a token of another issuer': (service) => token(service, { issuer: 'somebody' }),
    'a token with alg none': unsigned,
    'a token signed by the public key as a secret': confused,
    'a token that was changed after signing': tampered,
    'a self-signed token': async (service) => token(service, { by: await newKey('own') }),
    "a self-signed token under the gateway's key id": async (service) =>
      token(service, { by: await newKey('own'), kid: key.kid ?? '' }),
    'a token that says nothing of an endpoint, as of an older gateway': (service) =>
      token(service, { grant: null }),
    'a token of an endpoint that opens no route': (service) => token(service, { grant: NO_GRANT }),
    'a token of another endpoint of the same service': (service) =>
      token(service, { grant: shippedGrant(service, ...OTHERS[service]) }),
    'a token of a public endpoint of the same service': (service) =>
      token(service, {
        grant: { ...NO_GRANT, access: 'public', routes: ['GET /:slug', 'GET /v1/query/types'] },
      }),
    'a token of the same path for another method': (service) =>
      token(service, { grant: { ...ownGrant(service), routes: [`PUT ${PATHS[service]}`] } }),
    'a token of the same path in another spelling': (service) =>
      token(service, {
        grant: { ...ownGrant(service), routes: [`${methodOf(service)} ${PATHS[service].toUpperCase()}`] },
      }),
    'a token whose endpoint asks for no scope': (service) =>
      token(service, { grant: { ...ownGrant(service), scopes: [] } }),
    'a token whose endpoint names what is no scope': (service) =>
      token(service, { grant: { ...ownGrant(service), scopes: ['everything'] } }),
    'a token whose endpoint has an unknown access': (service) =>
      token(service, { grant: { ...ownGrant(service), access: 'everybody' } }),
    'a token whose endpoint asks for a session of no role': (service) =>
      token(service, { grant: { ...ownGrant(service), access: 'session', scopes: [] } }),
    'a token whose grant has a key of its own': (service) =>
      token(service, { grant: { ...ownGrant(service), admits: 'all' } }),
    'a token whose grant is the text of a route': (service) =>
      token(service, { grant: `${methodOf(service)} ${PATHS[service]}` }),
  };
  /** Whose tokens a gateway makes: of our services, and of backends with names of all kinds, also some close to ours. */
  const audiences = [
    ...SERVICES,
    'orders',
    'https://billing.example/v1',
    'quer',
    'query2',
    'tracking/query',
    'r',
  ];
  for (const service of SERVICES) {
    for (const audience of audiences.filter((name) => name !== service)) {
      it(`${service} answers a token for ${audience} with 401 AUTH_REQUIRED`, async () => {
        const response = await call(service, { [IDENTITY_HEADER]: await token(service, { audience }) });
        expect([response.status, response.statusText]).to.deep.equal([401, 'AUTH_REQUIRED']);
      });
    }
    it(`${service} answers the gateway's token`, async () => {
      expect((await call(service, { [IDENTITY_HEADER]: await token(service) })).status).to.equal(200);
    });
    for (const [name, make] of Object.entries(cases)) {
      it(`${service} answers ${name} with 401 AUTH_REQUIRED`, async () => {
        const sent = await make(service);
        const response = await call(service, sent === null ? {} : { [IDENTITY_HEADER]: sent });
        expect([response.status, response.statusText]).to.deep.equal([401, 'AUTH_REQUIRED']);
        expect(await response.json()).to.include({ success: false, code: 'AUTH_REQUIRED' });
      });
    }
    it(`${service} takes the token of a key that is limited to 1000 websites, of the longest names`, async () => {
      const websiteIds = [
        'web_shop',
        ...Array.from({ length: MAX_WEBSITES - 1 }, (_, i) => `${i}`.padEnd(64, 'x')),
      ];
      const limited = testCaller({ ...caller, access: { level: 'website', websiteIds } });
      const signer = await createIdentitySigner([key], systemClock);
      const { endpoint: name, ...granted } = ownGrant(service);
      const endpoint = { ...TEST_ENDPOINT, ...granted, name };
      const sent = await signer.token(new Principal(limited, {}), service, endpoint);
      expect(sent.length).to.be.within(89_000, 91_000);
      const response = await call(service, { [IDENTITY_HEADER]: sent }, { name: 'x', websiteId: 'web_shop' });
      expect(response.status).to.equal(200);
    });
    it(`${service} takes a client's key and cookie for nothing`, async () => {
      const response = await call(service, { 'x-api-key': server.keys.all, cookie: 'tg_access=x' });
      expect(response.status).to.equal(401);
    });
  }
});

describe('/.well-known/jwks.json', () => {
  it('is where the services read the keys when IDENTITY_JWKS_URL names it', async () => {
    const port = await freePort();
    const url = `http://127.0.0.1:${port}/.well-known/jwks.json`;
    const server = await startTidegate({ settings: { PORT: String(port), IDENTITY_JWKS_URL: url } });
    const answer = await server.call('GET', '/v1/query/websites', { key: server.keys.all });
    await server.close();
    expect(answer.status).to.equal(200);
  });

  it('elsewhere is believed alone: the services refuse a gateway whose keys are not there', async () => {
    const key = await newKey('of another gateway');
    const elsewhere = await serve((_req, res) => res.end(JSON.stringify(publicKeySet([key]))));
    const server = await startTidegate({ settings: { IDENTITY_JWKS_URL: elsewhere.url } });
    const answer = await server.call('GET', '/v1/query/websites', { key: server.keys.all });
    await server.close();
    await elsewhere.close();
    // A service that refuses its gateway is the installation's fault, not the client's.
    expect([answer.status, answer.body.code]).to.deep.equal([502, 'UPSTREAM_UNAVAILABLE']);
  });

  it('serves the public halves of every identity key of the secrets file, by which its tokens verify', async () => {
    const [first, second] = await Promise.all([newKey('first'), newKey('second')]);
    const dataDir = mkdtempSync(join(tmpdir(), 'tidegate-jwks-'));
    const secrets = { identityKeys: [first, second], visitorSecret: 'a'.repeat(43) };
    writeFileSync(join(dataDir, 'secrets.json'), JSON.stringify(secrets), { mode: 0o600 });
    const server = await startTidegate({ dataDir });
    const answer = await server.call('GET', '/.well-known/jwks.json');
    expect((await server.call('GET', '/v1/query/websites', { key: server.keys.all })).status).to.equal(200);
    await server.close();
    rmSync(dataDir, { recursive: true, force: true });
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.equal(publicKeySet([first, second]));
    expect(JSON.stringify(answer.body)).to.not.contain(first.d).and.to.not.contain(second.d);
    const signer = await createIdentitySigner([first, second], systemClock);
    const token = await signer.token(new Principal(testCaller(), {}), 'query', TEST_ENDPOINT);
    expect(await createVerifyIdentity(answer.body, 'query', systemClock)(token)).to.include({ id: 'key_1' });
  });
});
