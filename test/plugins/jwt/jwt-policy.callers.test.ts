/** What a token is worth behind the jwt policy: its organization pays, its scopes open, and every later policy knows its subject. */
import { expect } from 'chai';
import { decodeJwt } from 'jose';
import { IDENTITY_HEADER } from '../../../services/shared/identity/identity-token.ts';
import { expectError, expectSuccess } from '../../support/answers.ts';
import { ISSUER } from '../../support/identity-provider.ts';
import { type JwtGateway, startJwtGateway } from '../../support/start-jwt-gateway.ts';

/** The first header of this name that the shop saw last. */
const lastSeen = ({ seen }: JwtGateway, name: string) => seen.at(-1)?.headers[name];

describe('a caller with a token', () => {
  let gateway: JwtGateway;

  before(async () => {
    gateway = await startJwtGateway({ identity: '{ audience: shop }' });
  });
  beforeEach(() => {
    gateway.seen.length = 0;
    // The windows of earlier tests are over.
    gateway.clock.advance(86_400_000);
  });
  after(() => gateway.close());

  const ask = (own: Readonly<Record<string, unknown>> = {}) => gateway.ask(gateway.token(own));

  it('is told to the backend with its issuer and subject, and the token stays at the gateway', async () => {
    const token = gateway.token({ sub: 'auth0|7', org: 'org_b', scope: 'read:links read:data openid' });
    expectSuccess(await gateway.ask(token, { headers: { cookie: 'a=b' } }), 200, gateway.clock.now());
    const { caller, sub } = decodeJwt(String(lastSeen(gateway, IDENTITY_HEADER)));
    const { id, ...rest } = caller as Record<string, unknown>;
    expect(id).to.match(/^jwt_[\w-]{22}$/);
    expect(sub).to.equal(id);
    expect(rest).to.deep.equal({
      ...{ kind: 'jwt', organizationId: 'org_b', userId: null, role: null, plan: 'pro' },
      ...{ scopes: ['read:data', 'read:links'], access: { level: 'global' } },
      ...{ issuer: ISSUER, subject: 'auth0|7' },
    });
    const { headers = {}, rawHeaders = [] } = gateway.seen[0] ?? {};
    expect(headers).to.not.have.any.keys('authorization', 'cookie', 'x-api-key');
    expect(rawHeaders.join('\n')).to.not.include(token.slice(0, 30));
  });

  it('needs an organization that the configuration names and the store knows', async () => {
    const answers: Record<string, unknown>[] = [];
    const wrong = [
      'org_other',
      'org_gone',
      '',
      undefined,
      7,
      ['org_a'],
      { id: 'org_a' },
      'org_a ',
      'ORG_A',
      null,
    ];
    await gateway.organization('org_other');
    for (const org of wrong) {
      const answer = await ask({ org });
      expectError(answer, 403, 'ACCESS_DENIED', gateway.clock.now());
      answers.push({ error: answer.body.error });
    }
    // Nobody learns which organizations exist.
    expect(new Set(answers.map(({ error }) => error))).to.have.property('size', 1);
    expect(gateway.seen).to.have.lengthOf(0);
  });

  it('has the scopes that the configuration lists, from a text or a list, and no others', async () => {
    const enough = ['read:data', 'openid read:data email', ['read:data'], ['a', 7, 'read:data']];
    for (const scope of enough) expect((await ask({ scope })).status, JSON.stringify(scope)).to.equal(200);
    const lacking = [
      ...[
        undefined,
        '',
        'read:links',
        'read:database',
        'READ:DATA',
        'read:data,read:links',
        'read:data\tx',
        7,
      ],
      ...[[], [['read:data']], { 'read:data': true }, null, true, '*', 'read:*'],
    ];
    gateway.seen.length = 0;
    for (const scope of lacking) {
      const answer = await ask({ scope });
      expectError(answer, 403, 'INSUFFICIENT_SCOPE', gateway.clock.now());
      expect(answer.body.error, JSON.stringify(scope)).to.equal('The scope read:data is required.');
    }
    await ask({ scope: 'read:data write:links manage:config' });
    const { caller } = decodeJwt(String(lastSeen(gateway, IDENTITY_HEADER)));
    expect((caller as Record<string, unknown>).scopes).to.deep.equal(['read:data']);
    expect(gateway.seen).to.have.lengthOf(1);
  });

  it('takes from the windows of its organization, whoever the subject is, and from no other', async () => {
    const remaining = async (own: Readonly<Record<string, unknown>>) => {
      const answer = await ask(own);
      expectSuccess(answer, 200, gateway.clock.now());
      return [
        Number(answer.headers.get('x-ratelimit-limit')),
        Number(answer.headers.get('x-ratelimit-remaining')),
      ];
    };
    expect(await remaining({ sub: 'one' })).to.deep.equal([50, 49]);
    expect(await remaining({ sub: 'two' })).to.deep.equal([50, 48]);
    expect((await remaining({ org: 'org_b' }))[0]).to.not.equal(50);
    const rest = Array.from({ length: 60 }, (_, index) => ask({ sub: `many-${index}` }));
    const statuses = (await Promise.all(rest)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).to.have.lengthOf(48);
    expectError(await ask({ sub: 'two' }), 429, 'RATE_LIMIT_EXCEEDED', gateway.clock.now());
    expect((await ask({ org: 'org_b' })).status).to.equal(200);
    gateway.clock.advance(10_000);
    expect((await ask()).status).to.equal(200);
  });

  it('pays for a request without the scope, and not for a wrong token', async () => {
    await ask({ scope: 'read:links' });
    await ask({ aud: 'other' });
    await ask({ org: 'org_other' });
    expect((await ask()).headers.get('x-ratelimit-remaining')).to.equal('48');
  });

  it('follows its organization at once: another plan, numbers of its own, and its end', async () => {
    const shop = await startJwtGateway({ jwt: { organization: 'org_fixed' } });
    try {
      const token = shop.token({ org: undefined });
      expectError(await shop.ask(token), 403, 'ACCESS_DENIED', shop.clock.now());
      await shop.organization('org_fixed', 'free');
      const limit = async () => (await shop.ask(token)).headers.get('x-ratelimit-limit');
      expect(await limit()).to.equal('50');
      const stored = await shop.documents.organizations.get('org_fixed', 'org_fixed');
      if (stored === null) expect.fail('org_fixed is not stored');
      const { version } = stored;
      await shop.documents.organizations.update('org_fixed', 'org_fixed', version, {
        limits: { per10Seconds: 7 },
      });
      expect(await limit()).to.equal('7');
      await shop.documents.organizations.remove('org_fixed', 'org_fixed');
      expectError(await shop.ask(token), 403, 'ACCESS_DENIED', shop.clock.now());
    } finally {
      await shop.close();
    }
  });

  it('is refused from the moment that its token ends, also where it was verified before', async () => {
    const token = gateway.token({ exp: Math.floor(gateway.clock.now() / 1_000) + 30 });
    expect((await gateway.ask(token)).status).to.equal(200);
    gateway.clock.advance(39_000);
    expect((await gateway.ask(token)).status).to.equal(200);
    gateway.clock.advance(1_000);
    expectError(await gateway.ask(token), 401, 'AUTH_REQUIRED', gateway.clock.now());
  });

  it('is told of a wrong method with 405, as a caller with a key is elsewhere', async () => {
    const authorization = `Bearer ${gateway.token()}`;
    const answer = await gateway.call('DELETE', '/shop/items', { headers: { authorization } });
    expectError(answer, 405, 'METHOD_NOT_ALLOWED', gateway.clock.now());
    expect(answer.headers.get('allow')).to.equal('GET, POST, HEAD');
    const key = await gateway.organization('org_method');
    const keyed = await gateway.call('DELETE', '/shop/items', { key });
    expectError(keyed, 401, 'AUTH_REQUIRED', gateway.clock.now());
  });

  it('is told so too where the endpoint answers on one host', async () => {
    const endpoint = ['paths: "/shop/*"', 'methods: [GET]', 'scopes: [read:data]', 'host: "127.0.0.1"'];
    const shop = await startJwtGateway({ endpoint });
    try {
      const headers = { authorization: `Bearer ${shop.token()}` };
      const answer = await shop.call('POST', '/shop/items', { headers });
      expectError(answer, 405, 'METHOD_NOT_ALLOWED', shop.clock.now());
      const key = await shop.organization('org_method');
      const keyed = await shop.call('POST', '/shop/items', { key });
      expectError(keyed, 401, 'AUTH_REQUIRED', shop.clock.now());
    } finally {
      await shop.close();
    }
  });

  it('is nobody at every other endpoint', async () => {
    const authorization = `Bearer ${gateway.token()}`;
    for (const path of ['/v1/websites', '/v1/query/presets', '/v1/auth/session', '/v1/unknown']) {
      const { status } = await gateway.call('GET', path, { headers: { authorization } });
      expect(status, path).to.equal(401);
    }
    expect(gateway.reached).to.have.lengthOf(0);
  });

  it('is counted with the credentials that were judged', async () => {
    const count = async (outcome: string) => {
      const found = new RegExp(`auth_verdicts_total\\{kind="jwt",outcome="${outcome}"\\} (\\d+)`).exec(
        await gateway.metrics(),
      );
      return Number(found?.[1] ?? 0);
    };
    const before = [await count('hit'), await count('miss'), await count('refused')];
    const token = gateway.token({ sub: 'counted' });
    for (let times = 0; times < 3; times++) await gateway.ask(token);
    await ask({ aud: 'other' });
    const nobodys = gateway.token({ sub: 'counted', org: 'org_other' });
    for (let times = 0; times < 2; times++) await gateway.ask(nobodys);
    const after = [await count('hit'), await count('miss'), await count('refused')];
    expect(after.map((value, index) => value - (before[index] ?? 0))).to.deep.equal([2, 1, 3]);
  });
});

describe('policies behind the one for tokens', () => {
  let gateway: JwtGateway;
  /** The bodies of the shop's answers are their number. */
  let answers = 0;

  before(async () => {
    const set = 'x-kind: { claim: kind }, x-issuer: { claim: issuer }, x-subject: { claim: subject }';
    gateway = await startJwtGateway({
      identity: 'headers',
      late: [
        `- headers: [{ action: { request: { set: { ${set} } } } }]`,
        '- concurrency: [{ action: { most: 1, per: key } }]',
        '- canary: [{ action: { per: user, rules: [{ to: shop, organizations: [org_b] }] } }]',
        '- cache: [{ action: { seconds: 60 } }]',
      ],
      plugins: ['headers', 'concurrency', 'canary', 'cache'],
      answer200: (_req, res) =>
        void res.writeHead(200, { 'content-type': 'application/json' }).end(`${++answers}`),
    });
  });
  after(() => gateway.close());

  const ask = async (own: Readonly<Record<string, unknown>> = {}) => {
    const { status, body } = await gateway.ask(gateway.token(own));
    expect(status).to.equal(200);
    return body;
  };

  it('know its kind, issuer and subject, in plain headers too, and no client forges them', async () => {
    const headers = { 'x-gateway-subject': 'root', 'x-gateway-issuer': 'evil', 'x-subject': 'root' };
    const token = gateway.token({ sub: 'müller, 50 %' });
    expect((await gateway.ask(token, { headers })).status).to.equal(200);
    const seen = gateway.seen.at(-1)?.headers ?? {};
    expect(seen).to.include({
      ...{ 'x-gateway-kind': 'jwt', 'x-gateway-organization': 'org_a', 'x-gateway-plan': 'free' },
      ...{ 'x-gateway-issuer': ISSUER, 'x-gateway-subject': 'm%C3%BCller%2C%2050%20%25' },
      ...{ 'x-gateway-scopes': 'read:data', 'x-kind': 'jwt', 'x-issuer': ISSUER },
      'x-subject': encodeURIComponent('müller, 50 %'),
    });
    expect(seen['x-gateway-caller']).to.match(/^jwt_/);
    expect(seen).to.not.have.any.keys('x-gateway-user', 'x-gateway-roles', 'authorization');
  });

  it('keep the answers of each subject apart, whatever else is the same', async () => {
    const mine = await ask({ sub: 'mine' });
    expect(await ask({ sub: 'mine' })).to.equal(mine);
    // Another token of the same subject is the same caller.
    expect(await ask({ sub: 'mine', jti: 'another' })).to.equal(mine);
    const others = [
      { sub: 'yours' },
      { sub: 'mine', org: 'org_b' },
      { sub: 'mine', scope: 'read:data read:links' },
    ];
    for (const own of others) expect(await ask(own), JSON.stringify(own)).to.not.equal(mine);
  });
});

describe('two identity providers before one backend', () => {
  it('have subjects of their own: the same name is another caller', async () => {
    const other = 'https://other.example.com/';
    const gateway = await startJwtGateway({ identity: '{ audience: shop }' });
    try {
      await gateway.ask(gateway.token());
      const second = await startJwtGateway({
        identity: '{ audience: shop }',
        jwt: { issuer: `"${other}"` },
      });
      try {
        expectError(await second.ask(second.token()), 401, 'AUTH_REQUIRED', second.clock.now());
        expect((await second.ask(second.token({ iss: other }))).status).to.equal(200);
        const idOf = (one: JwtGateway) => decodeJwt(String(lastSeen(one, IDENTITY_HEADER))).sub;
        expect(idOf(second)).to.match(/^jwt_/).and.not.equal(idOf(gateway));
      } finally {
        await second.close();
      }
    } finally {
      await gateway.close();
    }
  });
});
