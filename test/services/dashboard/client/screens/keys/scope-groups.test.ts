/** Scopes by purpose: each stands in one group, and no purpose ticks what it does not need. */
import { expect } from 'chai';
import {
  inOrder,
  isPurpose,
  offeredGroups,
  PURPOSES,
  SCOPE_GROUPS,
  scopesInForce,
} from '../../../../../../services/dashboard/client/screens/keys/scope-groups.ts';
import { SCOPES } from '../../../../../../services/shared/access/scopes.ts';

describe('the scopes of a new API key', () => {
  it('stand each in one group', () => {
    expect(Object.values(SCOPE_GROUPS).flat()).to.have.members([...SCOPES]);
  });

  it('write nothing for who reads, and read nothing for who sends', () => {
    expect(PURPOSES.send).to.deep.equal(['track:events']);
    for (const purpose of ['reports', 'assistant'] as const) {
      expect(PURPOSES[purpose].filter((scope) => !scope.startsWith('read:'))).to.deep.equal([]);
    }
  });

  it('are a purpose only when they are all of it and nothing more', () => {
    expect(isPurpose('assistant', ['read:links', 'read:data'])).to.equal(true);
    expect(isPurpose('assistant', ['read:data'])).to.equal(false);
    expect(isPurpose('reports', ['read:data', 'read:links'])).to.equal(false);
    expect(isPurpose('send', [])).to.equal(false);
  });

  it('are those that the session holds and a key may hold, with what the key holds already', () => {
    const listedScopes = [
      { name: 'read:data', text: 'Read', holders: ['keys' as const, 'sessions' as const] },
      { name: 'write:links', text: 'Write', holders: ['keys' as const, 'sessions' as const] },
      { name: 'read:orders', text: 'Orders', holders: ['keys' as const, 'sessions' as const] },
      { name: 'see:console', text: 'Console', holders: ['sessions' as const] },
    ];
    const session = { scopes: ['read:data', 'read:orders', 'see:console'], listedScopes };
    expect(offeredGroups(session, [])).to.deep.equal([
      ['read', ['read:data']],
      ['own', ['read:orders']],
    ]);
    expect(offeredGroups(session, ['write:links'])).to.deep.equal([
      ['read', ['read:data']],
      ['manage', ['write:links']],
      ['own', ['read:orders']],
    ]);
  });

  it('leave out what the configuration lists no more', () => {
    expect(scopesInForce({ scopes: ['read:data', 'read:old'], unknownScopes: ['read:old'] })).to.deep.equal([
      'read:data',
    ]);
    expect(scopesInForce({ scopes: ['read:data'] })).to.deep.equal(['read:data']);
  });

  it('keep one order, whatever the order of ticking', () => {
    expect(inOrder(['read:orders', 'read:data', 'add:orders'])).to.deep.equal([
      'read:data',
      'add:orders',
      'read:orders',
    ]);
    expect(inOrder(['manage:config', 'read:data', 'track:events'])).to.deep.equal([
      'track:events',
      'read:data',
      'manage:config',
    ]);
  });
});
