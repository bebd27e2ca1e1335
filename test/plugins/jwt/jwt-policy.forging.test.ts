/** The jwt policy against forgers: no token that the provider did not make for this API, now, reaches the backend. */
import { createHmac } from 'node:crypto';
import { expect } from 'chai';
import { expectError } from '../../support/answers.ts';
import { newProviderKey, signToken } from '../../support/identity-provider.ts';
import { asAnswer, rawRequest } from '../../support/raw-request.ts';
import { type JwtGateway, startJwtGateway } from '../../support/start-jwt-gateway.ts';

const base64 = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

describe('the jwt policy, asked by a forger,', () => {
  let gateway: JwtGateway;
  const stranger = newProviderKey('first');

  before(async () => {
    gateway = await startJwtGateway();
  });
  after(() => gateway.close());
  beforeEach(() => {
    gateway.seen.length = 0;
  });

  const claims = (own: Readonly<Record<string, unknown>> = {}) => gateway.provider.claims(own);
  const signed = (own: Readonly<Record<string, unknown>>, header: Readonly<Record<string, unknown>> = {}) =>
    signToken(gateway.key, claims(own), header);
  const now = () => Math.floor(gateway.clock.now() / 1_000);

  async function expectRefused(
    token: string,
    told: string,
    headers: Record<string, string> = {},
  ): Promise<void> {
    const answer = await gateway.ask(token, { headers });
    expect(answer.status, told).to.equal(401);
    expectError(answer, 401, 'AUTH_REQUIRED', gateway.clock.now());
    const part = token.slice(0, 30);
    if (part.length === 30) expect(JSON.stringify(answer.body), told).to.not.include(part);
    expect(gateway.seen, told).to.have.lengthOf(0);
  }

  it('takes a good token, so that all others are refused for what is wrong with them', async () => {
    const answer = await gateway.ask(gateway.token());
    expect(answer.status).to.equal(200);
    expect(gateway.seen).to.have.lengthOf(1);
    for (const typ of ['JWT', 'jwt', 'at+jwt', 'application/at+jwt', undefined]) {
      expect((await gateway.ask(signed({}, { typ }))).status, typ).to.equal(200);
    }
    for (const own of [
      { aud: ['other', claims().aud] },
      { iat: undefined },
      { nbf: now() + 9 },
      { exp: now() - 9 },
    ]) {
      expect((await gateway.ask(signed(own))).status, JSON.stringify(own)).to.equal(200);
    }
  });

  it('refuses tokens without a signature, and those signed by a secret that is the public key', async () => {
    const { publicKey, jwk } = gateway.key;
    const pem = String(publicKey.export({ type: 'spki', format: 'pem' }));
    for (const secret of [pem, pem.trim(), JSON.stringify(jwk), String(jwk.x), '']) {
      for (const alg of ['HS256', 'HS384', 'HS512']) {
        const content = `${base64({ alg, kid: 'first', typ: 'JWT' })}.${base64(claims())}`;
        const mac = createHmac(alg.replace('HS', 'sha'), secret).update(content).digest('base64url');
        await expectRefused(`${content}.${mac}`, `${alg} with ${secret.slice(0, 30)}`);
      }
    }
    for (const alg of ['none', 'None', 'NONE', '', undefined, null, 0, ['ES256']]) {
      const content = `${base64({ alg, kid: 'first', typ: 'JWT' })}.${base64(claims())}`;
      await expectRefused(`${content}.`, `no signature, ${alg}`);
      await expectRefused(`${content}.AA`, `a bad signature, ${alg}`);
    }
  });

  it('refuses another issuer, audience and subject than good ones, and times that are over or not yet', async () => {
    const wrong: Record<string, unknown>[] = [
      ...[
        undefined,
        'https://login.example.com',
        'https://evil.example/',
        '',
        7,
        ['https://login.example.com/'],
      ].map((iss) => ({ iss })),
      ...[undefined, 'https://api.example.com/', '', 7, [], ['other'], {}].map((aud) => ({ aud })),
      ...[undefined, '', 7, null, ['alice'], 'a'.repeat(256)].map((sub) => ({ sub })),
      ...[undefined, now() - 10, 0, -1, 'tomorrow', null].map((exp) => ({ exp })),
      ...[now() + 11, 'yesterday', null].map((nbf) => ({ nbf })),
      { cnf: { jkt: 'a' } },
    ];
    for (const own of wrong) await expectRefused(signed(own), JSON.stringify(own));
  });

  it('refuses another key of the same name, and any name that is none of a published key', async () => {
    await expectRefused(signToken(stranger, claims()), 'another key');
    const names: unknown[] = [
      ...[
        'second',
        '',
        '../first',
        'first/../first',
        '/etc/passwd',
        '/dev/null',
        "first' OR '1'='1",
        'FIRST',
      ],
      ...[
        'first\0',
        ' first',
        '__proto__',
        'constructor',
        'https://evil.example/keys',
        7,
        {},
        ['first'],
        null,
      ],
    ];
    for (const kid of names) {
      await expectRefused(signed({}, { kid }), `the name ${JSON.stringify(kid)}`);
    }
  });

  it('reads no key from the token, and understands no extension', async () => {
    const header = { ...{ jwk: stranger.jwk, jku: gateway.provider.jwksUrl.replace('/keys', '/evil') } };
    const own = { ...header, x5u: 'https://evil.example/cert', x5c: ['AA=='] };
    await expectRefused(signToken(stranger, claims(), own), 'a key of its own');
    for (const crit of [['b64'], ['exp'], ['unknown'], [], 'b64', null])
      await expectRefused(
        signed({}, { crit, b64: true, exp: 1, unknown: 1 }),
        `crit ${JSON.stringify(crit)}`,
      );
    await expectRefused(signed({}, { crit: ['b64'], b64: false }), 'unencoded');
    for (const typ of ['dpop+jwt', 'logout+jwt', 'secevent+jwt', 'JOSE', 'at+jwt ', '', 7])
      await expectRefused(signed({}, { typ }), `typ ${typ}`);
  });

  it('refuses what is no token, a part of one, one that was changed, and one that is too long', async () => {
    const token = gateway.token();
    const [head = '', body = '', signature = ''] = token.split('.');
    const other = base64(claims({ sub: 'root' }));
    const texts = [
      ...['x', 'a.b', 'a.b.c', '..', `${head}.${body}`, `${head}.${body}.`, `${head}..${signature}`],
      ...[
        `.${body}.${signature}`,
        `${head}.${other}.${signature}`,
        `${token}.${signature}`,
        `${token},${token}`,
      ],
      ...[
        token.slice(0, -1),
        token.slice(1),
        `${token}=`,
        `${token} ${token}`,
        `"${token}"`,
        `${token}\u00e9`,
      ],
      ...[
        `${head}.${body}.${signature.slice(0, -4)}AAAA`,
        `${base64('{"alg":"ES256"')}.${body}.${signature}`,
      ],
      ...[`${base64('[]')}.${body}.${signature}`, `${base64('null')}.${body}.${signature}`],
    ];
    for (const text of texts) await expectRefused(text, text.slice(0, 60));
    await expectRefused(signed({ padding: 'a'.repeat(6_500) }), 'a long one');
    expect((await gateway.ask(signed({ padding: 'a'.repeat(5_000) }))).status).to.equal(200);
  });

  it('refuses algorithms that the configuration does not name, whoever signed', async () => {
    const strong = newProviderKey('strong', 'RS512');
    gateway.provider.publish(gateway.key, strong);
    gateway.clock.advance(10_000);
    await expectRefused(signToken(strong, claims()), 'RS512');
    gateway.provider.publish(gateway.key);
  });

  it('refuses a published key that is too weak, and tells the operator without the token', async () => {
    const weak = newProviderKey('weak', 'RS256', 1_024);
    gateway.provider.publish(gateway.key, weak);
    gateway.clock.advance(10_000);
    await expectRefused(signToken(weak, claims()), 'a weak key');
    gateway.provider.publish(gateway.key);
  });

  it('takes one token, in one header, beside nothing else that says who calls', async () => {
    const token = gateway.token();
    const key = await gateway.organization('org_keyed', 'scale');
    await expectRefused(token, 'beside a key', { 'x-api-key': key });
    await expectRefused(token, 'beside another text', { 'x-api-key': 'a' });
    const lines = [`authorization: Bearer ${token}`, `Authorization: Bearer ${token}`];
    const head = ['GET /shop/items HTTP/1.1', 'host: a', 'x-forwarded-for: 10.99.0.1', 'connection: close'];
    const twice = await rawRequest(gateway.origin, `${[...head, ...lines].join('\r\n')}\r\n\r\n`);
    expectError(asAnswer(twice), 401, 'AUTH_REQUIRED', gateway.clock.now());
    expect(gateway.seen).to.have.lengthOf(0);
  });

  it('takes no key, no cookie and no other scheme in place of a token', async () => {
    const key = await gateway.organization('org_keys', 'scale');
    const token = gateway.token();
    const attempts: Record<string, string>[] = [
      {},
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { authorization: `Basic ${token}` },
      { authorization: token },
      { authorization: 'Bearer' },
      { cookie: `tg_access=${token}`, origin: 'http://localhost:5173' },
      { 'x-gateway-identity': token },
      { 'proxy-authorization': `Bearer ${token}` },
    ];
    for (const headers of attempts) {
      const answer = await gateway.call('GET', '/shop/items', { headers });
      expectError(answer, 401, 'AUTH_REQUIRED', gateway.clock.now());
    }
    const inPath = await gateway.call('GET', `/shop/items?access_token=${token}`);
    expectError(inPath, 401, 'AUTH_REQUIRED', gateway.clock.now());
    expect(gateway.seen).to.have.lengthOf(0);
  });

  it('counts a wrong token as a wrong credential, until the address has used up its failures', async () => {
    const address = '203.0.113.77';
    const wrong = signed({ aud: 'other' });
    const statuses = new Set<number>();
    for (let batch = 0; batch < 20 && !statuses.has(429); batch++) {
      const answers = await Promise.all(Array.from({ length: 50 }, () => gateway.ask(wrong, { address })));
      for (const { status } of answers) statuses.add(status);
    }
    expect([...statuses].sort()).to.deep.equal([401, 429]);
    expect(gateway.seen).to.have.lengthOf(0);
    expect((await gateway.ask(gateway.token(), { address })).status).to.equal(200);
  });
});
