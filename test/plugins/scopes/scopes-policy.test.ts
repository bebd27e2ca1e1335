/** Who passes the scopes policy, per access of the endpoint. */
import { expect } from 'chai';
import { createTestGateway, type TestRequest } from '../../../plugins/kit/testing.ts';
import { scopesPolicy } from '../../../plugins/scopes/scopes-policy.ts';

describe('the scopes policy', () => {
  const gateway = createTestGateway();
  const judge = (request: TestRequest) => gateway.run(scopesPolicy, {}, request);

  it('lets a key pass that holds every scope, and names the one that it lacks', async () => {
    const endpoint = { scopes: ['read:data', 'manage:websites'] } as const;
    const passed = await judge({ endpoint, caller: { scopes: ['read:data', 'manage:websites'] } });
    expect(passed.passed).to.equal(true);
    const refused = await judge({ endpoint, caller: { scopes: ['read:data'] } });
    expect([refused.status, refused.code]).to.deep.equal([403, 'INSUFFICIENT_SCOPE']);
    expect(refused.text).to.contain('manage:websites').and.not.to.contain('read:data');
  });

  it('wants a session of one of the roles, and no key, where the endpoint is for sessions', async () => {
    const endpoint = { access: 'session', scopes: [], roles: ['owner', 'admin'] } as const;
    const session = { id: 'ses_a', kind: 'session', userId: 'usr_a' } as const;
    expect((await judge({ endpoint, caller: { ...session, role: 'admin' } })).passed).to.equal(true);
    for (const caller of [{ ...session, role: 'viewer' } as const, { scopes: ['read:data'] } as const]) {
      const refused = await judge({ endpoint, caller: { ...caller, scopes: ['read:data'] } });
      expect([refused.status, refused.code]).to.deep.equal([403, 'ACCESS_DENIED']);
      expect(refused.text).to.contain('owner or admin');
    }
  });

  it('lets nobody in particular pass a keyless endpoint, and no key without the scope', async () => {
    const endpoint = { access: 'keyless', scopes: ['track:events'] } as const;
    const nobody = { id: 'public', kind: 'public', organizationId: null, plan: null } as const;
    expect((await judge({ endpoint, caller: nobody })).passed).to.equal(true);
    expect((await judge({ endpoint, caller: {} })).code).to.equal('INSUFFICIENT_SCOPE');
  });

  it('leaves a refused credential to the decision that answers it', async () => {
    expect((await judge({ caller: null })).passed).to.equal(true);
  });
});
