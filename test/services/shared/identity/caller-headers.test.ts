/** Who calls, as plain headers: complete, and readable by no other meaning than its own. */
import { expect } from 'chai';
import fc from 'fast-check';
import { callerHeaders } from '../../../../services/shared/identity/caller-headers.ts';
import { testCaller } from '../../../support/identity.ts';

/** The headers by name. */
function headersOf(caller: Parameters<typeof callerHeaders>[0]): Record<string, string> {
  const list = callerHeaders(caller);
  return Object.fromEntries(
    Array.from({ length: list.length / 2 }, (_, index) => [
      list[2 * index] as string,
      list[2 * index + 1] as string,
    ]),
  );
}

describe('a caller as plain headers', () => {
  it('has all that the token has, and no header for what it lacks', () => {
    const caller = testCaller({ userId: 'user_1', role: 'admin', access: { level: 'global' } });
    expect(headersOf(caller)).to.deep.equal({
      'x-gateway-caller': 'key_1',
      'x-gateway-kind': 'key',
      'x-gateway-organization': 'org_a',
      'x-gateway-user': 'user_1',
      'x-gateway-roles': 'admin',
      'x-gateway-plan': 'free',
      'x-gateway-scopes': 'read:data,track:events',
      'x-gateway-websites': '*',
    });
    expect(headersOf(testCaller({ organizationId: null, plan: null }))).to.not.have.any.keys(
      'x-gateway-organization',
      'x-gateway-plan',
      'x-gateway-user',
      'x-gateway-roles',
    );
  });

  it('is made once', () => {
    const caller = testCaller();
    expect(callerHeaders(caller)).to.equal(callerHeaders(caller));
  });

  it('tells a website that is named "*" from every website, and any list from any other', () => {
    const websitesOf = (websiteIds: string[]) =>
      headersOf(testCaller({ access: { level: 'website', websiteIds } }))['x-gateway-websites'];
    expect(websitesOf(['*'])).to.equal('%2A');
    expect(websitesOf(['a,b'])).to.equal('a%2Cb');
    expect(websitesOf([])).to.equal('');
    const ids = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }));
    fc.assert(
      fc.property(ids, (websiteIds) => {
        const text = websitesOf(websiteIds) ?? '';
        expect(text).to.match(/^[!-~]*$/);
        const read = text === '' ? [] : text.split(',').map(decodeURIComponent);
        expect(read).to.deep.equal(websiteIds);
      }),
    );
  });
});
