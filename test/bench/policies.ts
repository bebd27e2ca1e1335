/** What each policy for backends costs a request: CPU of its own part, in turns with a policy that does nothing. */
import { IncomingMessage, type ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { cachePolicy } from '../../plugins/cache/cache-policy.ts';
import { canaryPolicy } from '../../plugins/canary/canary-policy.ts';
import { concurrencyPolicy } from '../../plugins/concurrency/concurrency-policy.ts';
import { corsPolicy } from '../../plugins/cors/cors-policy.ts';
import { headersPolicy } from '../../plugins/headers/headers-policy.ts';
import { ipPolicy } from '../../plugins/ip/ip-policy.ts';
import { jwtPolicy } from '../../plugins/jwt/jwt-policy.ts';
import { corsRuleOf } from '../../plugins/kit/cors-rule.ts';
import { policyInstance } from '../../plugins/kit/define-plugin.ts';
import { applyEdits } from '../../plugins/kit/header-edits.ts';
import type { PolicyDefinition } from '../../plugins/kit/policy.ts';
import {
  type GatewayRequest,
  type PolicyHandler,
  RequestContext,
} from '../../plugins/kit/request-context.ts';
import { testEndpoint } from '../../plugins/kit/testing/test-request.ts';
import { createMemoryRuntime } from '../../plugins/kit/testing/test-runtime.ts';
import { createKeyOf } from '../../plugins/proxy/balance-key.ts';
import { Upstream } from '../../plugins/proxy/upstream.ts';
import { redirectPolicy } from '../../plugins/redirect/redirect-policy.ts';
import { requestSchemaPolicy } from '../../plugins/request-schema/request-schema-policy.ts';
import { respondPolicy } from '../../plugins/respond/respond-policy.ts';
import { rewritePolicy } from '../../plugins/rewrite/rewrite-policy.ts';
import { Principal } from '../../services/shared/access/principal.ts';
import type { Balance } from '../../services/shared/plans/service-endpoint.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import {
  AUDIENCE,
  IdentityProvider,
  ISSUER,
  newProviderKey,
  signToken,
} from '../support/identity-provider.ts';
import { median } from './report.ts';

/** The goal: microseconds of each. */
const GOAL_US = 5;
const REQUESTS = 20_000;
const ROUNDS = 7;

const runtime = createMemoryRuntime(systemClock, {
  addressOf: () => '198.51.100.9',
  isDraining: () => false,
});
const ENDPOINT = testEndpoint({ access: 'optional', scopes: [] });
const PRINCIPAL = new Principal(
  {
    ...{ id: 'key_a', kind: 'key', organizationId: 'org_a', userId: null, role: null, plan: 'pro' },
    ...{ scopes: ['read:data'], access: { level: 'global' } },
  },
  {},
);
/** What a browser sends, as the proxy hands it on. */
const SENT = [
  ...[
    'accept',
    '*/*',
    'accept-language',
    'en',
    'user-agent',
    'Mozilla/5.0',
    'referer',
    'https://app.example.com/',
  ],
  ...[
    'sec-fetch-mode',
    'cors',
    'sec-fetch-site',
    'same-site',
    'content-type',
    'application/json',
    'origin',
    'https://a',
  ],
];

const instance = (policy: PolicyDefinition, params: Record<string, unknown>): PolicyHandler =>
  policyInstance(policy, params, runtime);

const set = { 'x-org': { claim: 'organization' }, 'x-plan': { claim: 'plan' }, 'x-source': 'edge' };
/** A token as providers make them: some 700 characters. */
const key = newProviderKey('bench');
const nowSeconds = Math.floor(Date.now() / 1_000);
const TOKEN = signToken(key, {
  ...{
    iss: ISSUER,
    aud: AUDIENCE,
    sub: 'auth0|65a1b2c3d4e5f60718293a4b',
    iat: nowSeconds,
    exp: nowSeconds + 86_400,
  },
  ...{ azp: 'web', jti: 'c2f1a7e6-5f0b-4d0a-9a57-0d7c9a3f6b11', sid: 'e1'.repeat(32) },
  ...{
    scope: 'openid profile email read:data',
    roles: ['buyer', 'support', 'reports'],
    name: 'Alice Example',
  },
});
const WITH_TOKEN = [...SENT, 'authorization', `Bearer ${TOKEN}`];

/** The policy after it judged the token once, at a time that stands still: nothing that it remembers grows old. */
async function warmJwt(): Promise<PolicyHandler> {
  const provider = new IdentityProvider();
  await provider.start();
  provider.publish(key);
  const nowMs = Date.now();
  const organization = { id: 'org_a', organizationId: 'org_a', name: 'a', plan: 'pro', limits: {} };
  const known = createMemoryRuntime(
    { now: () => nowMs },
    { documents: { organizations: { get: async () => organization } } as unknown as DocumentStore },
  );
  const jwt = policyInstance(
    jwtPolicy,
    {
      ...{ issuer: ISSUER, jwksUrl: provider.jwksUrl, audience: AUDIENCE, organization: 'org_a' },
      scopes: { claim: 'scope', oneOf: ['read:data'] },
    },
    known,
  );
  const asked: PolicyHandler = (req, res, next) => {
    req.rawHeaders = WITH_TOKEN;
    return jwt(req, res, next);
  };
  const context = new RequestContext(known, 'req_bench', ENDPOINT, new IncomingMessage(new Socket()));
  const req = { url: '/', rawHeaders: WITH_TOKEN, context } as unknown as GatewayRequest;
  await new Promise<unknown>((resolve) => asked(req, {} as ServerResponse, resolve));
  if (context.principal === null) throw new Error('the token was not accepted');
  await provider.close();
  return asked;
}

/** The choice of one of four addresses, for a query with this target and body. */
function choice(balance: Balance, url: string, body: Buffer | null = null): PolicyHandler {
  const urls = [1, 2, 3, 4].map((number) => `http://query-${number}:4001`);
  const upstream = new Upstream({ urls, balance, breaker: null });
  const keyOf = createKeyOf({ urls, balance });
  return (req, _res, next) => {
    req.url = url;
    req.context.body = body;
    const key = keyOf === null ? null : keyOf(req, PRINCIPAL.caller);
    const address = upstream.pick(0, key);
    address?.sent();
    address?.ended();
    next();
  };
}

const QUERY = Buffer.from(
  '{"website_id":"web_01jd8y5v0tqk3s9m","parameters":["summary","pages","traffic"],"preset":"last_30d"}',
);
const networks = Array.from({ length: 100 }, (_, index) => `10.${index}.0.0/16`);
const CASES: Readonly<Record<string, PolicyHandler>> = {
  'ip, one network': instance(ipPolicy, { allow: ['198.51.100.0/24'] }),
  'ip, 100 networks': instance(ipPolicy, { deny: networks }),
  'headers, three set and one removed, both ways': instance(headersPolicy, {
    request: { set, remove: ['x-debug'] },
    response: { set: { 'x-served-by': 'shop' }, remove: ['server'] },
  }),
  'rewrite, strip and prefix': instance(rewritePolicy, { strip: '/shop', prefix: '/api' }),
  'rewrite, expression': instance(rewritePolicy, {
    match: '/shop/([^/]+)/items/(\\d+)',
    to: '/items/$2?shop=$1',
  }),
  'cors, exact origin': instance(corsPolicy, { origins: ['https://app.example.com'] }),
  'cors, pattern': instance(corsPolicy, { origins: ['https://*.example.com'] }),
  'jwt, token of the last minute': await warmJwt(),
  'cache, miss': instance(cachePolicy, { seconds: 60 }),
  'canary, weight': instance(canaryPolicy, { weights: { next: 10 } }),
  'canary, header and weight': instance(canaryPolicy, {
    weights: { next: 10 },
    rules: [{ to: 'next', header: { name: 'x-canary', values: ['always'] } }],
  }),
  concurrency: instance(concurrencyPolicy, { most: 100 }),
  'redirect, expression': instance(redirectPolicy, { match: '/shop/(.*)', to: 'https://b.example/$1' }),
  'request-schema, five fields': instance(requestSchemaPolicy, {
    schema: {
      ...{ type: 'object', required: ['sku'], additionalProperties: false },
      properties: {
        ...{ sku: { type: 'string', pattern: '^[a-z]+-[0-9]+$' }, count: { type: 'integer', minimum: 1 } },
        ...{ note: { type: 'string', maxLength: 100 }, gift: { type: 'boolean' } },
        tags: { type: 'array', items: { type: 'string' }, maxItems: 10 },
      },
    },
  }),
  'proxy, least connections of four': choice('least-connections', '/v1/query?website_id=web_1'),
  'proxy, hash of the organization': choice({ hash: 'organization' }, '/v1/query?website_id=web_1'),
  'proxy, hash of the website in the query string': choice(
    { hash: 'website' },
    '/v1/query?website_id=web_01jd8y5v0tqk3s9m',
  ),
  'proxy, hash of the website in a body': choice({ hash: 'website' }, '/v1/query', QUERY),
  'respond, small document': instance(respondPolicy, { json: { open: false } }),
};

/** The policy as the gateway runs it: as a rule of the table, or as a step whose edits the proxy applies. */
function asServed(policy: PolicyHandler): (req: GatewayRequest, res: ServerResponse) => void {
  const rule = corsRuleOf(policy);
  if (rule !== null) return (req) => rule.addTo(req);
  return (req, res) => {
    void policy(req, res, () => undefined);
    const { context } = req;
    if (context.requestEdits !== null) applyEdits(context.requestEdits, [...SENT], context);
    if (context.answerEdits !== null) applyEdits(context.answerEdits, [...SENT], context);
  };
}

/** An answer that is written nowhere, and closed once it was made. */
class Unsent {
  readonly closed = false;
  #close: (() => void) | null = null;
  once(_event: string, close: () => void): void {
    this.#close = close;
  }
  off(): void {
    this.#close = null;
  }
  writeHead(): void {}
  end(): void {}
  finish(): void {
    this.#close?.();
  }
}

/** A small order, which the policies that read bodies judge. */
const BODY = Buffer.from(
  '{"sku":"shoe-17","count":2,"note":"to the back door","gift":true,"tags":["a","b"]}',
);
const socket = new Socket().setMaxListeners(0);
const message = new IncomingMessage(socket);
const headers = { origin: 'https://app.example.com', 'content-type': 'application/json' };

/** CPU microseconds of a request with this policy. */
function costOf(served: (req: GatewayRequest, res: ServerResponse) => void): number {
  const start = process.cpuUsage();
  for (let count = 0; count < REQUESTS; count++) {
    const context = new RequestContext(runtime, 'req_bench', ENDPOINT, message);
    context.principal = PRINCIPAL;
    context.body = BODY;
    context.shownLimit = { limit: 1_000, remaining: 999, resetSeconds: 1_800_000_000 };
    const res = new Unsent();
    const req = { url: '/shop/a/items/7', method: 'GET', headers, rawHeaders: SENT, socket, context };
    served(req as unknown as GatewayRequest, res as unknown as ServerResponse);
    res.finish();
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / REQUESTS;
}

const nothing = asServed((_req, _res, next) => next());
const costs = new Map(Object.keys(CASES).map((name) => [name, [] as number[]]));
for (let round = -2; round < ROUNDS; round++) {
  for (const [name, policy] of Object.entries(CASES)) {
    const bare = costOf(nothing);
    const own = costOf(asServed(policy)) - bare;
    if (round >= 0) costs.get(name)?.push(own);
  }
}
process.stdout.write('| policy | µs of CPU for a request |\n|---|---|\n');
for (const [name, own] of costs) {
  const value = median(own);
  if (value > GOAL_US) process.exitCode = 1;
  process.stdout.write(
    `| ${name} | ${value.toFixed(2)}${value > GOAL_US ? ` (goal ${GOAL_US}: MISSED)` : ''} |\n`,
  );
}
