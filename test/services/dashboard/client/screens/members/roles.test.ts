/** Holds what the pages say of roles equal to what the gateway and the services decide by. */
import { expect } from 'chai';
import { mayGive, ROLES } from '../../../../../../services/dashboard/client/screens/members/roles.ts';
import { scopes as german } from '../../../../../../services/dashboard/client/texts/de/scopes.ts';
import { scopes as english } from '../../../../../../services/dashboard/client/texts/en/scopes.ts';
import { mayGive as mayReallyGive } from '../../../../../../services/shared/access/given-roles.ts';
import { SCOPES } from '../../../../../../services/shared/access/scopes.ts';
import { ROLES as REAL_ROLES } from '../../../../../../services/shared/model/user.ts';

describe('the roles on the screen of members', () => {
  it('are all roles', () => {
    expect([...ROLES]).to.deep.equal([...REAL_ROLES]);
  });

  it('are offered to whom they may be given by', () => {
    for (const giver of REAL_ROLES) {
      for (const role of REAL_ROLES) {
        expect(mayGive(giver, role), `${giver} gives ${role}`).to.equal(mayReallyGive(giver, role));
      }
    }
    expect(mayGive(undefined, 'viewer')).to.equal(false);
  });

  it('are said in words for every scope, in both languages', () => {
    expect(Object.keys(english)).to.have.members([...SCOPES]);
    expect(Object.keys(german)).to.have.members([...SCOPES]);
  });
});
