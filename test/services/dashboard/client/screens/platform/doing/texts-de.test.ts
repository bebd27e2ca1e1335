/** What the policies that come with Tidegate say that they do has German words: each says it itself, of parameters that bring out all of its sentences. */
import { expect } from 'chai';
import { cachePolicy } from '../../../../../../../plugins/cache/cache-policy.ts';
import { canaryPolicy } from '../../../../../../../plugins/canary/canary-policy.ts';
import { concurrencyPolicy } from '../../../../../../../plugins/concurrency/concurrency-policy.ts';
import { corsPolicy } from '../../../../../../../plugins/cors/cors-policy.ts';
import { headersPolicy } from '../../../../../../../plugins/headers/headers-policy.ts';
import { ipPolicy } from '../../../../../../../plugins/ip/ip-policy.ts';
import { jwtPolicy } from '../../../../../../../plugins/jwt/jwt-policy.ts';
import type { PolicyDefinition } from '../../../../../../../plugins/kit/policy.ts';
import { redirectPolicy } from '../../../../../../../plugins/redirect/redirect-policy.ts';
import { requestSchemaPolicy } from '../../../../../../../plugins/request-schema/request-schema-policy.ts';
import { respondPolicy } from '../../../../../../../plugins/respond/respond-policy.ts';
import { rewritePolicy } from '../../../../../../../plugins/rewrite/rewrite-policy.ts';
import { doing } from '../../../../../../../services/dashboard/client/screens/platform/doing/texts-de.ts';

const PATH = '/shop/orders';
const told = (policy: PolicyDefinition, params: object): string => {
  const sentence = policy.explain?.(params as never, PATH);
  if (sentence === undefined) throw new Error(`${policy.name} says nothing of itself`);
  return sentence;
};

const JWT = {
  ...{ issuer: 'https://id.example.com', audience: 'shop', algorithms: ['ES256'] },
  scopes: { claim: 'scope', oneOf: ['read:data', 'track:events'] },
};
const BY_RULE = [
  { to: 'beta', header: { name: 'X-Beta', values: ['1', 'yes'] } },
  { to: 'beta', cookie: { name: 'beta', values: ['1'] } },
  { to: 'beta', organizations: ['org_1', 'org_2'] },
];

/** German by what the policy says. */
const CASES: readonly (readonly [PolicyDefinition, object, RegExp])[] = [
  [requestSchemaPolicy, { schema: {}, others: 'refuse' }, /^prüft JSON nach ihrem Schema; lehnt anderes ab$/],
  [
    requestSchemaPolicy,
    { openapi: { file: 'api.yml' }, others: 'pass' },
    /nach den Operationen von api\.yml; l/,
  ],
  [requestSchemaPolicy, { file: 'order.json', others: 'pass' }, /nach order\.json; lässt anderes durch$/],
  [
    cachePolicy,
    { seconds: 60, staleSeconds: 0, per: 'caller' },
    /^hebt .* GET 60 s auf, .*, für jeden allein$/,
  ],
  [
    cachePolicy,
    { seconds: 60, staleSeconds: 1_200, per: 'rights' },
    /dann 1\.200 s länger, .* denselben Rechten$/,
  ],
  [ipPolicy, { allow: ['10.0.0.0/8'], deny: ['10.1.0.1'] }, /^nur 10\.0\.0\.0\/8, aber nie 10\.1\.0\.1$/],
  [ipPolicy, { plans: { pro: { allow: ['::1'] } } }, /^jede Adresse darf; im Tarif pro nur ::1$/],
  [
    jwtPolicy,
    { ...JWT, organization: 'org_1' },
    /^nimmt Token von .*; Organisation: org_1; Rechte: .* nach scope$/,
  ],
  [
    jwtPolicy,
    { ...JWT, organization: { claim: 'org', oneOf: ['a', 'b'] } },
    /Organisation: die aus org, von 2;/,
  ],
  [
    concurrencyPolicy,
    { most: 10, per: 'organization', plans: { pro: 2_000 } },
    /^höchstens 10, 2\.000 im Tarif pro /,
  ],
  [
    canaryPolicy,
    { weights: { beta: 12.5 }, per: 'user', rules: [] },
    /^sendet 12,5 % an beta, je Benutzer; and/,
  ],
  [
    canaryPolicy,
    { weights: {}, per: 'user', rules: BY_RULE },
    /^sendet X-Beta: 1 oder yes an beta; das Cookie/,
  ],
  [respondPolicy, { maintenance: { retryAfterSeconds: 300 } }, /^antwortet 503, in 300 s noch einmal$/],
  [respondPolicy, { status: 200, text: 'hello' }, /^antwortet 200 mit 5 Bytes$/],
  [
    headersPolicy,
    { request: { set: { 'x-a': 'b', 'x-b': { claim: 'user' } } } },
    /^an das Backend: x-a gesetzt, x-b g/,
  ],
  [
    headersPolicy,
    { response: { add: { 'x-c': 'd' }, remove: ['server'] } },
    /^an den Client: x-c hinz.*, server e/,
  ],
  [
    headersPolicy,
    { request: { remove: ['x-a'] }, response: { remove: ['x-b'] } },
    /x-a entfernt; an den Client: x/,
  ],
  [corsPolicy, { origins: ['*'], credentials: false }, /^jede Seite darf die Antwort lesen, ohne Zugang$/],
  [
    corsPolicy,
    { origins: ['https://a.example'], credentials: true },
    /^Seiten von https:.* dürfen .*, mit Zugang$/,
  ],
  [rewritePolicy, { strip: '/shop' }, /^das Backend bekommt \/orders$/],
  [redirectPolicy, { to: '/new' }, /^führt nach /],
];

describe('what a policy does, in German', () => {
  it('has words for every policy that says it', () => {
    for (const [policy, params, german] of CASES) {
      const sentence = told(policy, params);
      expect(doing(sentence), sentence).to.match(german);
    }
    for (const sentence of ['the backend has no such path: 404', 'leads nowhere: 404']) {
      expect(doing(sentence), sentence).to.match(/: 404$/);
    }
  });

  it('is absent for what another policy says, which stays English then', () => {
    for (const sentence of ['', 'does something', 'sends it somewhere', 'to the backend: x-a doubled']) {
      expect(doing(sentence), sentence).to.equal(undefined);
    }
  });
});
