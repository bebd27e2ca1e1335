/** The auth policy alone: who becomes a principal, who is refused, and what a store that is down is not. */
import { expect } from 'chai';
import { authPolicy } from '../../../plugins/auth/auth-policy.ts';
import type { GatewayRequest, PolicyHandler } from '../../../plugins/kit/request-context.ts';
import type { GatewayRuntime } from '../../../plugins/kit/runtime.ts';
import { rateLimitPolicy } from '../../../plugins/rate-limit/rate-limit-policy.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { ERRORS } from '../../../services/shared/errors/catalogue.ts';
import { createTestRuntime, passThrough, testEndpoint, testRequest } from '../../support/policy-kit.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';
import { createWatchedKeys, newKey, type WatchedKeys } from '../../support/watched-keys.ts';

const SCOPED = testEndpoint();
const PUBLIC = testEndpoint({ access: 'optional', scopes: [] });
const KEYLESS = testEndpoint({ access: 'keyless', scopes: ['track:events'] });

describe('the auth policy', () => {
  let clock: TestClock;
  let keys: WatchedKeys;
  let runtime: GatewayRuntime;
  let auth: PolicyHandler;

  beforeEach(async () => {
    clock = createTestClock();
    keys = await createWatchedKeys(clock);
    runtime = createTestRuntime(keys.documents, clock);
    auth = authPolicy.create({}, runtime);
  });

  /** The request after the policy, which must have passed it on without an error. */
  async function judged(endpoint = SCOPED, rawHeaders: string[] = []): Promise<GatewayRequest['context']> {
    const req = testRequest(runtime, endpoint, rawHeaders);
    expect(await passThrough(auth, req)).to.equal(undefined);
    return req.context;
  }

  it('makes the organization of a key the principal', async () => {
    const { principal, refusal } = await judged(SCOPED, ['x-api-key', keys.key]);
    expect(refusal).to.equal(null);
    expect(principal?.caller).to.include({ id: 'key_0', kind: 'key', organizationId: 'org_a', plan: 'free' });
  });

  it('makes it the principal on an optional endpoint too, where nobody is the public principal', async () => {
    expect((await judged(PUBLIC, ['x-api-key', keys.key])).principal?.caller.id).to.equal('key_0');
    const nobody = await judged(PUBLIC);
    expect(nobody.refusal).to.equal(null);
    expect(nobody.principal?.caller).to.include({ id: 'public', kind: 'public', organizationId: null });
  });

  it('lets nobody in particular through on a keyless endpoint, without a look at the cookie', async () => {
    for (const cookie of [
      [],
      ['cookie', 'tg_access=dead'],
      ['cookie', 'tg_access=dead', 'origin', 'https://evil.net'],
    ]) {
      const { principal, refusal } = await judged(KEYLESS, cookie);
      expect([principal?.caller.kind, refusal]).to.deep.equal(['public', null]);
    }
    expect((await judged(KEYLESS, ['x-api-key', keys.key])).principal?.caller.id).to.equal('key_0');
  });

  it('gives the public principal up with its identity tokens, within 5 seconds', async () => {
    const { principal } = await judged(PUBLIC);
    clock.advance(5_000);
    expect((await judged(PUBLIC)).principal).to.not.equal(principal);
  });

  it('refuses nobody on a scoped endpoint with AUTH_REQUIRED', async () => {
    const { principal, refusal } = await judged();
    expect([principal, refusal?.kind]).to.deep.equal([null, 'AUTH_REQUIRED']);
  });

  for (const [name, endpoint] of Object.entries({ scoped: SCOPED, public: PUBLIC, keyless: KEYLESS })) {
    it(`refuses a wrong key on a ${name} endpoint with INVALID_API_KEY: it never becomes an anonymous call`, async () => {
      const wrong = [newKey(), 'nonsense'];
      const lines = [
        ...wrong.map((key) => ['x-api-key', key]),
        ['x-api-key', keys.key, 'x-api-key', keys.key],
      ];
      for (const rawHeaders of lines) {
        const { principal, refusal } = await judged(endpoint, rawHeaders);
        expect([principal, refusal?.kind]).to.deep.equal([null, 'INVALID_API_KEY']);
      }
    });

    it(`answers 503 on a ${name} endpoint while the store is down, never INVALID_API_KEY, before anything is counted`, async () => {
      keys.failWith(new Error('the store is down'));
      for (const key of [keys.key, newKey()]) {
        const req = testRequest(runtime, endpoint, ['x-api-key', key]);
        const error = await passThrough(auth, req);
        expect(error).to.be.instanceOf(ApiError);
        const { kind, status, headers } = error as ApiError;
        expect({ kind, status, headers }).to.deep.equal({
          kind: 'SERVICE_UNAVAILABLE',
          status: 503,
          headers: { 'Retry-After': '1' },
        });
        expect((error as ApiError).message).to.equal(ERRORS.SERVICE_UNAVAILABLE.text);
        expect(String((error as ApiError).cause)).to.equal('Error: the store is down');
        expect(req.context.principal).to.equal(null);
        expect(req.context.takesAsRefusal(error as ApiError), 'kept for the decision').to.equal(false);
        expect(req.context.refusal).to.equal(null);
      }
      keys.failWith(null);
      expect((await judged(endpoint, ['x-api-key', keys.key])).principal?.caller.id).to.equal('key_0');
    });
  }

  it('looks up no more unknown keys at once than their address may fail, while failures are not yet counted', async () => {
    // No decision is made: as while the counters take their time to answer.
    await judged(SCOPED, ['x-api-key', keys.key]);
    const before = keys.lookUps();
    const contexts = await Promise.all(
      Array.from({ length: 500 }, () => judged(SCOPED, ['x-api-key', newKey()])),
    );
    expect(new Set(contexts.map(({ refusal }) => refusal?.kind))).to.deep.equal(new Set(['INVALID_API_KEY']));
    expect(keys.lookUps() - before).to.equal(100);
    clock.advance(60_000);
    await judged(SCOPED, ['x-api-key', newKey()]);
    expect(keys.lookUps() - before).to.equal(101);
  });

  it('still refuses a malformed key, and admits nobody in particular, while the store is down', async () => {
    keys.failWith(new Error('the store is down'));
    expect((await judged(SCOPED, ['x-api-key', 'nonsense'])).refusal?.kind).to.equal('INVALID_API_KEY');
    expect((await judged(PUBLIC)).principal?.caller.id).to.equal('public');
  });

  it('has the new plan of an organization counted within 5 seconds', async () => {
    const limit = rateLimitPolicy.create({}, runtime);
    const shown = async () => {
      const req = testRequest(runtime, SCOPED, ['x-api-key', keys.key]);
      await passThrough(auth, req);
      await passThrough(limit, req);
      return req.context.shownLimit?.limit;
    };
    expect(await shown()).to.equal(50);
    await keys.changeOrganization({ plan: 'pro' });
    clock.advance(5_000);
    expect(await shown()).to.equal(200);
  });
});
