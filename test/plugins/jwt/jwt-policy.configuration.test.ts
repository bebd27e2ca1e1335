/** The jwt policy in the configuration: what `explain` says of it, and every way in which it would let in too many or nobody. */
import { expect } from 'chai';
import { explainRequest } from '../../../gateway/configuration/explain.ts';
import { jwtShop, jwtStep } from '../../support/start-jwt-gateway.ts';
import { checkShop, type ShopOptions } from '../../support/start-shop-gateway.ts';

const KEYS = 'https://login.example.com/keys';
const STEP = 'gateway.config.yml pipelines.shop.policies[0].jwt[0].action';

const faultsOf = async (own: Record<string, string>, shop: Partial<ShopOptions> = {}): Promise<string[]> => {
  const found = await checkShop(jwtShop(jwtStep(KEYS, own), shop));
  return Array.isArray(found) ? found : [];
};

describe('the jwt policy in the configuration', () => {
  it('is explained for a path and for a wrong method, with the limits of its callers', async () => {
    const found = await checkShop(jwtShop(jwtStep(KEYS)));
    if (Array.isArray(found)) throw new Error(found.join('\n'));
    const does =
      'takes tokens of https://login.example.com/ for https://api.example.com (RS256, ES256, EdDSA), and no key or session; organization: the one of org, of 3; scopes: read:data, read:links by scope';
    const asked = explainRequest(found, 'GET', '/shop/items');
    expect(asked.rule).to.equal('read:data');
    expect(asked.policies.map(({ policy }) => policy)[0]).to.equal('jwt');
    expect(asked.policies[0]).to.have.property('does', does);
    expect(asked.limits.join('\n'))
      .to.include('valid token, plan free: 50 per 10 s')
      .and.include('no token, public')
      .and.include('refused token, public')
      .and.not.match(/\bkey\b|session/);
    const wrong = explainRequest(found, 'DELETE', '/shop/items');
    expect(wrong.verdict).to.match(/^405/);
    expect(wrong.policies[0]).to.have.property('does', does);
    expect(wrong.policies.at(-1)).to.have.property('policy', 'not-found');
    expect(explainRequest(found, 'GET', '/v1/websites').policies[0]).to.have.property('policy', 'auth');
  });

  it('takes an organization by itself, other signatures, and keys of this machine without encryption', async () => {
    const own = { organization: 'org_a', algorithms: '[PS256, Ed25519]' };
    expect(await faultsOf(own)).to.deep.equal([]);
    for (const jwksUrl of ['http://localhost:8081/keys', 'http://127.0.0.1/keys', 'http://[::1]:9/keys'])
      expect(await faultsOf({ jwksUrl: `"${jwksUrl}"` }), jwksUrl).to.deep.equal([]);
  });

  it('needs who issues, where the keys are, for what, whose and which scopes, and knows nothing else', async () => {
    const step = (parameters: string) => checkShop(jwtShop(`- jwt: [{ action: { ${parameters} } }]`));
    const found = (await step('isuer: a')) as string[];
    for (const name of ['issuer', 'jwksUrl', 'audience', 'organization', 'scopes'])
      expect(found.join('\n')).to.include(`${STEP}.${name}: is missing`);
    expect(found.join('\n')).to.include(`${STEP}.isuer: `);
  });

  it('refuses signatures that whoever verifies could make, and none', async () => {
    for (const alg of ['none', 'HS256', 'HS384', 'HS512', 'RS1', 'ES256K', 'rs256', 'dir', 'A256GCM']) {
      const found = await faultsOf({ algorithms: `[RS256, ${alg}]` });
      expect(found.join('\n'), alg).to.match(/\.jwt\[0\]\.action\.algorithms\[1\]: "[\w]+" is not allowed/);
    }
    expect((await faultsOf({ algorithms: '[]' })).join('\n')).to.include(`${STEP}.algorithms: `);
    expect((await faultsOf({ algorithms: 'RS256' })).join('\n')).to.include(`${STEP}.algorithms: `);
  });

  it('refuses addresses of keys that others could answer, and names that are none', async () => {
    const addresses = [
      ...[
        'http://login.example.com/keys',
        'http://10.0.0.1/keys',
        'http://localhost.example.com/keys',
        'keys',
      ],
      ...[
        'ftp://login.example.com/keys',
        'file:///keys',
        'https://a:b@login.example.com/keys',
        'https://a@b.example/k',
      ],
      ...[
        'https://login.example.com/keys#a',
        'http://127.0.0.1.example.com/',
        'http://0.0.0.0/keys',
        '',
        'data:,a',
      ],
    ];
    for (const jwksUrl of addresses)
      expect((await faultsOf({ jwksUrl: `"${jwksUrl}"` })).join('\n'), jwksUrl).to.include(
        `${STEP}.jwksUrl: `,
      );
    for (const name of ['issuer', 'audience']) {
      for (const text of ['""', '"a b"', '7', '[a]', '"\\t"'])
        expect((await faultsOf({ [name]: text })).join('\n'), `${name} ${text}`).to.include(
          `${STEP}.${name}: `,
        );
    }
  });

  it('refuses an organization that anything could be, and scopes that do not exist or open nothing', async () => {
    const organizations = ['""', '7', '[]', '[org_a]', '{}', '{ claim: org }', '{ oneOf: [org_a] }'];
    for (const organization of [
      ...organizations,
      ...['{ claim: org, oneOf: [] }', '{ claim: org, oneOf: "*" }', '{ claim: "", oneOf: [org_a] }'],
      ...['{ claim: org, oneOf: [7] }', '{ claim: org, oneOf: [org_a], other: 1 }'],
    ])
      expect((await faultsOf({ organization })).join('\n'), organization).to.include(`${STEP}.organization`);
    for (const scopes of ['[read:data]', 'read:data', '{ claim: scope }', '{ claim: scope, oneOf: [] }'])
      expect((await faultsOf({ scopes })).join('\n'), scopes).to.include(`${STEP}.scopes`);
    expect(
      (await faultsOf({ scopes: '{ claim: scope, oneOf: [read:data, read:datas] }' })).join('\n'),
    ).to.include(`${STEP}.scopes.oneOf[1]: no scope is named "read:datas"`);
    expect(await faultsOf({ scopes: '{ claim: scope, oneOf: [read:links] }' })).to.deep.equal([
      `${STEP}.scopes.oneOf: lacks read:data: no token could open "shop"`,
    ]);
  });

  it('stands before foreign backends alone, and before nothing that the gateway answers', async () => {
    const toQuery = '- proxy: [{ action: { serviceEndpoint: query } }]';
    expect((await faultsOf({}, { answer: toQuery })).join('\n')).to.include(
      `${STEP}: "query" is the query service, which takes keys and sessions alone`,
    );
    const answers = [
      '- respond: [{ action: { text: a } }]',
      '- not-found:',
      '- session:',
      '- openapi:',
      '- jwks:',
    ];
    for (const answer of answers)
      expect((await faultsOf({}, { answer })).join('\n'), answer).to.include(
        `${STEP}: stands before backends alone, but its pipeline has no proxy`,
      );
    const late = ['- canary: [{ action: { weights: { query: 10 } } }]'];
    expect((await faultsOf({}, { late, plugins: ['canary'] })).join('\n')).to.include(
      '"query" is the query service, but "shop" is a foreign backend',
    );
  });

  it('stands in the place of auth, never beside it, nor behind another policy', async () => {
    for (const steps of [['- auth:'], [jwtStep(KEYS)]]) {
      const found = await faultsOf({}, { steps });
      expect(found.join('\n')).to.match(
        /policies\[1\]\.\w+: "\w+" (?:stands beside "jwt"; one of them says who calls|appears twice)/,
      );
    }
    const beside = (await checkShop({
      ...jwtShop(jwtStep(KEYS)),
      caller: '- auth:',
      steps: [jwtStep(KEYS)],
    })) as string[];
    expect(beside.join('\n')).to.include(
      'policies[1].jwt: "jwt" stands beside "auth"; one of them says who calls',
    );
    const ip = '- ip: [{ action: { allow: [10.0.0.0/8] } }]';
    const first = await faultsOf({}, { first: [ip], plugins: ['ip'] });
    expect(first.join('\n')).to.include('policies[0].ip: "ip" comes before "jwt"');
    const conditional = jwtStep(KEYS).replace('[{ action', '[{ condition: { name: always }, action');
    expect(((await checkShop(jwtShop(conditional))) as string[]).join('\n')).to.include(
      '"jwt" takes no condition',
    );
  });

  it('is for endpoints with scopes: any other rule would let in who has no token', async () => {
    const rules = {
      'access: public': 'public',
      'access: optional': 'optional',
      'access: keyless': 'keyless',
      'access: session': 'session',
    };
    for (const [line, access] of Object.entries(rules)) {
      const further = { keyless: ['scopes: [read:data]'], session: ['roles: [owner]'] }[access] ?? [];
      const endpoint = ['paths: "/shop/*"', line, ...further];
      expect((await faultsOf({}, { endpoint })).join('\n'), access).to.include(
        `${STEP}: judges tokens by their scopes, but "shop" declares access: ${access}; write scopes there`,
      );
    }
  });
});
