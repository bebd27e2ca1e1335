/** The page of an invitation has no dead end: whatever was chosen first and whatever went wrong, another way is offered. */
import { expect } from 'chai';
import { faultOf, OFFLINE } from '../../../../../../services/dashboard/client/api/fault.ts';
import { belongsTo, waysIn } from '../../../../../../services/dashboard/client/screens/accept/ways.ts';

const refusal = (status: number) => faultOf(status, new Headers(), {});
const FAULTS = [undefined, OFFLINE, ...[400, 401, 403, 404, 409, 429, 500, 503].map(refusal)];

describe('the ways in from an invitation', () => {
  it('begin with the account that is logged in, or else with a new one', () => {
    expect(waysIn(true, null, undefined)).to.deep.equal({
      open: 'session',
      others: ['login', 'account'],
      problem: null,
    });
    expect(waysIn(false, null, undefined)).to.deep.equal({
      open: 'account',
      others: ['login'],
      problem: null,
    });
  });

  it('are open to a session of the invited email alone, once that is known', () => {
    const user = { email: 'ada@example.com' };
    expect(belongsTo(user, undefined)).to.equal(true);
    expect(belongsTo(user, { email: 'Ada@Example.com' })).to.equal(true);
    expect(belongsTo(user, { email: 'grace@example.com' })).to.equal(false);
    expect(belongsTo(undefined, undefined)).to.equal(false);
    expect(belongsTo(undefined, { email: 'ada@example.com' })).to.equal(false);
  });

  it('are what somebody chose, logged in or not, and always lead elsewhere too', () => {
    for (const isLoggedIn of [true, false]) {
      for (const fault of FAULTS) {
        for (const wish of ['account', 'login', null] as const) {
          const { open, others } = waysIn(isLoggedIn, wish, fault);
          if (wish !== null) expect(open).to.equal(wish);
          expect(others, `${open} ${fault?.status}`).to.have.length.of.at.least(1).and.not.to.include(open);
        }
      }
    }
  });

  it('of an account that the invitation is not for are named as that, and lead to a login and a new account', () => {
    const { problem, others } = waysIn(true, null, refusal(400));
    expect(problem).to.equal('otherAccount');
    expect(others).to.deep.equal(['login', 'account']);
    expect(waysIn(true, 'account', refusal(400)).problem, 'a faulty form').to.equal('fault');
  });

  it('of an invitation that is over say so, and every other fault is told as everywhere', () => {
    for (const fault of FAULTS) {
      const expected = fault === undefined ? null : [401, 404].includes(fault.status) ? 'refused' : 'fault';
      expect(waysIn(false, null, fault).problem, String(fault?.status)).to.equal(expected);
    }
  });
});
