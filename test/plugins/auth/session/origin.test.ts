/** Cookies count only for requests from the service's own domains: every form of a look-alike, for reads and writes alike. */
import { expect } from 'chai';
import { expectError } from '../../../support/answers.ts';
import { type SessionGateway, startSessionGateway } from '../../../support/start-session-gateway.ts';

type Headers = readonly (readonly [string, string])[];
const origin = (value: string): Headers => [['Origin', value]];

/** What stands in the headers, and whether it is one of the domains of example.com with port 8443. */
const FORMS: readonly (readonly [name: string, headers: Headers, own: boolean])[] = [
  ['the domain itself', origin('https://example.com'), true],
  ['a subdomain', origin('https://app.example.com'), true],
  ['a subdomain of a subdomain', origin('https://a.b.example.com'), true],
  ['upper case', origin('https://APP.Example.COM'), true],
  ['a listed port', origin('https://app.example.com:8443'), true],
  ['the default port, written', origin('https://app.example.com:443'), true],
  ['a punycode subdomain', origin('https://xn--bcher-kva.example.com'), true],
  ['another port', origin('https://app.example.com:8444'), false],
  ['a port out of range', origin('https://app.example.com:65979'), false],
  ['an empty port', origin('https://app.example.com:'), false],
  ['http', origin('http://app.example.com'), false],
  ['another scheme', origin('chrome-extension://example.com'), false],
  ['null', origin('null'), false],
  ['nothing', origin(''), false],
  ['a look-alike with a prefix', origin('https://evilexample.com'), false],
  ['a look-alike with a suffix', origin('https://example.com.evil.com'), false],
  ['a look-alike with a hyphen', origin('https://app-example.com'), false],
  ['a look-alike of the dot', origin('https://appxexample.com'), false],
  ['userinfo', origin('https://example.com@evil.com'), false],
  ['userinfo before the domain', origin('https://evil.com@example.com'), false],
  ['a trailing dot', origin('https://example.com.'), false],
  ['a leading dot', origin('https://.example.com'), false],
  ['an empty label', origin('https://app..example.com'), false],
  ['a label that starts with a hyphen', origin('https://-app.example.com'), false],
  ['a unicode host, as latin1', origin('https://b\u00fccher.example.com'), false],
  ['a percent escape', origin('https://evil.com%2f.example.com'), false],
  ['a backslash', origin('https://evil.com\\.example.com'), false],
  ['a path', origin('https://example.com/'), false],
  ['a query', origin('https://evil.com?.example.com'), false],
  ['a fragment', origin('https://evil.com#.example.com'), false],
  ['two origins in one line', origin('https://app.example.com, https://app.example.com'), false],
  ['two origins with a space', origin('https://app.example.com https://evil.com'), false],
  ['two lines', [...origin('https://app.example.com'), ...origin('https://app.example.com')], false],
  ['localhost, outside development', origin('http://localhost:3000'), false],
  [
    'a foreign origin beside same-origin',
    [...origin('https://evil.com'), ['Sec-Fetch-Site', 'same-origin']],
    false,
  ],
  ['no header at all', [], false],
  ['same-origin', [['Sec-Fetch-Site', 'same-origin']], true],
  [
    'same-origin with a foreign referer',
    [
      ['Sec-Fetch-Site', 'same-origin'],
      ['Referer', 'https://evil.com/'],
    ],
    true,
  ],
  ['same-site alone', [['Sec-Fetch-Site', 'same-site']], false],
  [
    'same-site with an own referer',
    [
      ['Sec-Fetch-Site', 'same-site'],
      ['Referer', 'https://app.example.com/x?y'],
    ],
    true,
  ],
  [
    'same-site with a foreign referer',
    [
      ['Sec-Fetch-Site', 'same-site'],
      ['Referer', 'https://evil.com/'],
    ],
    false,
  ],
  [
    'cross-site with an own referer',
    [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Referer', 'https://app.example.com/'],
    ],
    false,
  ],
  [
    'none, a typed address',
    [
      ['Sec-Fetch-Site', 'none'],
      ['Referer', 'https://app.example.com/'],
    ],
    false,
  ],
  ['an unknown site', [['Sec-Fetch-Site', 'SAME-ORIGIN']], false],
  [
    'two sites',
    [
      ['Sec-Fetch-Site', 'same-origin'],
      ['Sec-Fetch-Site', 'same-origin'],
    ],
    false,
  ],
  ['an own referer alone', [['Referer', 'https://app.example.com/path']], true],
  ['an own referer without a path', [['Referer', 'https://app.example.com']], true],
  ['a referer over http', [['Referer', 'http://app.example.com/']], false],
  [
    'a referer that names the domain in its path',
    [['Referer', 'https://evil.com/https://app.example.com/']],
    false,
  ],
  ['a referer with userinfo', [['Referer', 'https://app.example.com@evil.com/']], false],
  ['a referer with a backslash', [['Referer', 'https://evil.com\\.example.com/']], false],
  ['a referer that is no address', [['Referer', 'app.example.com']], false],
  [
    'two referers',
    [
      ['Referer', 'https://app.example.com/'],
      ['Referer', 'https://app.example.com/'],
    ],
    false,
  ],
];

describe('the origin of a request with a session cookie', () => {
  let gateway: SessionGateway;
  let cookies: Record<string, string>;

  before(async () => {
    gateway = await startSessionGateway();
    cookies = await gateway.login('owner@example.com');
  });
  after(() => gateway.close());

  for (const [name, headers, own] of FORMS) {
    it(`${own ? 'counts' : 'is refused, saying so'}: ${name}`, async () => {
      for (const [method, path, body] of [
        ['GET', '/v1/query/websites', undefined],
        ['HEAD', '/v1/query/websites', undefined],
        ['POST', '/v1/query', { parameters: ['pages'], preset: 'today' }],
        ['GET', '/v1/auth/session', undefined],
        ['PATCH', '/v1/api-keys/key_1', { name: 'x' }],
        ['DELETE', '/v1/members/mem_1', undefined],
      ] as const) {
        const answer = await gateway.call(method, path, { cookies, origin: null, headers, body });
        if (own) expect(answer.status, `${method} ${path}`).to.equal(200);
        else if (method === 'HEAD') expect(answer.status).to.equal(401);
        else {
          expectError(answer, 401, 'AUTH_REQUIRED', gateway.clock.now());
          expect(answer.body.error).to.include('Origin');
        }
      }
    });
  }

  it('keeps refresh and logout to own pages, whatever form a foreign one has: the session lives', async () => {
    const own = await gateway.login('admin@example.com');
    for (const [name, headers, isOwn] of FORMS) {
      if (isOwn) continue;
      for (const path of ['/v1/auth/refresh', '/v1/auth/logout']) {
        const answer = await gateway.call('POST', path, { cookies: own, origin: null, headers });
        expect([name, path, answer.status]).to.deep.equal([name, path, 401]);
        expect(answer.headers.getSetCookie()).to.deep.equal([]);
      }
    }
    expect((await gateway.call('POST', '/v1/auth/refresh', { cookies: own })).status).to.equal(200);
  });

  it('does not matter to a request with a key, whose cookie is not looked at', async () => {
    const foreign = { cookies, key: gateway.key, origin: 'https://evil.com' };
    const answer = await gateway.call('GET', '/v1/query/websites', foreign);
    expect(answer.status).to.equal(200);
    expect(answer.body.caller.kind).to.equal('key');
  });

  it('refuses a login, and an acceptance, of a foreign page with 403 ACCESS_DENIED before any password is tried', async () => {
    const before = gateway.verified();
    const body = { email: 'owner@example.com', password: 'correct horse' };
    for (const [name, headers, own] of FORMS) {
      if (own || headers.length === 0) continue;
      const answer = await gateway.call('POST', '/v1/auth/login', { body, origin: null, headers });
      expect([name, answer.status, answer.body.code]).to.deep.equal([name, 403, 'ACCESS_DENIED']);
      expect(answer.headers.getSetCookie()).to.deep.equal([]);
    }
    const accept = { token: 'x', name: 'x', password: 'long enough' };
    const answer = await gateway.call('POST', '/v1/auth/accept', {
      body: accept,
      origin: 'https://evil.com',
    });
    expectError(answer, 403, 'ACCESS_DENIED', gateway.clock.now());
    expect(gateway.verified()).to.equal(before);
  });

  it('lets a login pass that no page sent: there is nothing of a browser to be misused', async () => {
    const body = { email: 'owner@example.com', password: 'correct horse' };
    expect((await gateway.call('POST', '/v1/auth/login', { body, origin: null })).status).to.equal(200);
  });
});

describe('the origin of a request in development', () => {
  let gateway: SessionGateway;
  let cookies: Record<string, string>;

  before(async () => {
    gateway = await startSessionGateway({ serviceDomain: 'localhost', originPorts: [] });
    const body = { email: 'owner@example.com', password: 'correct horse' };
    const answer = await gateway.call('POST', '/v1/auth/login', { body, origin: 'http://localhost:5173' });
    expect(answer.headers.getSetCookie().join()).to.not.include('Secure');
    cookies = Object.fromEntries(
      answer.headers.getSetCookie().map((line) => line.split(';')[0]?.split('=') ?? []),
    );
  });
  after(() => gateway.close());

  for (const [value, own] of [
    ['http://localhost', true],
    ['http://localhost:3000', true],
    ['https://localhost:3000', true],
    ['http://app.localhost:8080', true],
    ['http://127.0.0.1:5173', true],
    ['http://[::1]:5173', true],
    ['http://127.0.0.2', false],
    ['http://localhost.evil.com', false],
    ['http://evillocalhost', false],
    ['http://localhost.', false],
    ['https://example.com', false],
    ['null', false],
  ] as const) {
    it(`${own ? 'counts' : 'is refused'}: ${value}`, async () => {
      const answer = await gateway.call('GET', '/v1/query/websites', { cookies, origin: value });
      expect(answer.status).to.equal(own ? 200 : 401);
    });
  }
});
