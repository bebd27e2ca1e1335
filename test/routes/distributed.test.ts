/** Which API suites run over separate processes, MongoDB and Redis as well: one contract, two modes. */
import { expect } from 'chai';
import { suitesOfBothModes } from '../support/distributed/distributed-suites.ts';
import { EMBEDDED_SUITES } from '../support/distributed/embedded-suites.ts';

describe('the API over separate processes', () => {
  it('leaves out only suites that there are, each with a reason', () => {
    expect(suitesOfBothModes()).to.include.members(Object.keys(EMBEDDED_SUITES));
    for (const reason of Object.values(EMBEDDED_SUITES)) expect(reason).to.not.equal('');
  });
});
