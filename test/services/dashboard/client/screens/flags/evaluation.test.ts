/** For whom a flag is tried: kept in the address, and asked as clients ask. */
import { expect } from 'chai';
import {
  callerOf,
  EVERYBODY,
  evaluationOf,
  isObject,
} from '../../../../../../services/dashboard/client/screens/flags/evaluation.ts';

const FLAG = { key: 'checkout', environment: null };

describe('trying a flag', () => {
  it('asks what was filled in, and the environment of the flag', () => {
    expect(evaluationOf(FLAG, 'web_1', { ...EVERYBODY, userId: 'ada' })).to.deep.equal({
      path: '/public/v1/flags/evaluate',
      query: { clientId: 'web_1', key: 'checkout', userId: 'ada' },
    });
    const staging = evaluationOf({ ...FLAG, environment: 'staging' }, 'web_1', EVERYBODY);
    expect(staging.query).to.deep.equal({ clientId: 'web_1', key: 'checkout', environment: 'staging' });
  });

  it('takes the caller from the address once somebody was tried, nobody included', () => {
    expect(callerOf({ userId: 'ada' })).to.equal(null);
    expect(callerOf({ try: 'yes' })).to.deep.equal(EVERYBODY);
    expect(callerOf({ try: 'yes', email: 'ada@example.com', other: 'x' })).to.deep.equal({
      ...EVERYBODY,
      email: 'ada@example.com',
    });
  });

  it('says which properties the API takes for none', () => {
    for (const text of ['', ' ', '{}', '{"plan": "pro"}']) expect(isObject(text), text).to.equal(true);
    for (const text of ['{', '[]', 'null', '5', '"x"']) expect(isObject(text), text).to.equal(false);
  });
});
