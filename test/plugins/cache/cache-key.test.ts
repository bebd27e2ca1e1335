/** What an answer is kept under: callers who differ in anything that a backend may answer by never share one. */
import { expect } from 'chai';
import { keyOf } from '../../../plugins/cache/cache-key.ts';
import type { GatewayRequest } from '../../../plugins/kit/request-context.ts';
import type { Caller } from '../../../services/shared/access/caller.ts';

const request = (headers: object = {}, socket: object = {}, context: object = {}) =>
  ({
    ...{ url: '/shop/a', headers: { host: 'h', ...headers }, socket },
    context: { endpoint: { name: 'shop' }, backend: null, target: null, ...context },
  }) as unknown as GatewayRequest;

const KEY = {
  ...{ id: 'key_1', kind: 'key', organizationId: 'org_a', userId: null, role: null, plan: 'free' },
  ...{ scopes: ['read:data', 'write:data'], access: { level: 'website', websiteIds: ['web_1', 'web_2'] } },
};
const SESSION = { ...KEY, id: 'ses_1', kind: 'session', userId: 'usr_1', role: 'admin' };

/** Of two keys of one organization, of two roles of one user, and of a session beside a key. */
const OTHERS: Readonly<Record<string, object>> = {
  'fewer scopes': { ...KEY, scopes: ['read:data'] },
  'another website': { ...KEY, access: { level: 'website', websiteIds: ['web_1'] } },
  'every website': { ...KEY, access: { level: 'global' } },
  'another plan': { ...KEY, plan: 'scale' },
  'another organization': { ...KEY, organizationId: 'org_b' },
  'a session': SESSION,
  'a session in another role': { ...SESSION, role: 'viewer' },
  'a session of another user': { ...SESSION, userId: 'usr_2' },
  'a session like a key': { ...KEY, kind: 'session' },
};

describe('the key of an answer', () => {
  const of = (caller: object, sharedBy: 'organization' | 'caller' = 'organization', req = request()) =>
    keyOf(req, caller as Caller, sharedBy, () => false);

  it('is another one for every difference of rights', () => {
    const all = [KEY, ...Object.values(OTHERS)].map((caller) => of(caller));
    expect(new Set(all).size, Object.keys(OTHERS).join(', ')).to.equal(all.length);
  });

  it('is the same for equal rights in any order, unless each caller has its own', () => {
    const equal = {
      ...{ ...KEY, id: 'key_2', scopes: ['write:data', 'read:data'] },
      access: { level: 'website', websiteIds: ['web_2', 'web_1'] },
    };
    expect(of(equal)).to.equal(of(KEY));
    expect(of(equal, 'caller')).to.not.equal(of(KEY, 'caller'));
  });

  it('holds how the client addressed the gateway, as far as a trusted proxy says it', () => {
    const said = request({ 'x-forwarded-host': 'other.example' });
    const keys = [
      of(KEY),
      of(KEY, 'organization', request({ host: 'other' })),
      of(KEY, 'organization', request({}, { encrypted: true })),
      of(KEY, 'organization', request({}, {}, { backend: 'canary' })),
      keyOf(said, KEY as unknown as Caller, 'organization', () => true),
      keyOf(said, KEY as unknown as Caller, 'organization', () => false),
    ];
    expect(new Set(keys).size).to.equal(keys.length);
  });
});
