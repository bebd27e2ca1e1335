/** The API suites once more over separate processes, MongoDB and Redis: one contract, two modes. */
import { expect } from 'chai';
import { EMBEDDED_SUITES } from '../support/distributed/embedded-suites.ts';
import {
  distributedSuites,
  runDistributedSuites,
  suitesOfBothModes,
} from '../support/distributed/run-suites.ts';
import { isDistributedRun } from '../support/distributed/test-mode.ts';
import { requireMongodb } from '../support/mongodb/mongodb-server.ts';
import { requireRedis } from '../support/redis-server.ts';

describe('the API over separate processes', () => {
  it('keeps what the same suites hold of an embedded server', async function () {
    this.timeout(900_000);
    expect(isDistributedRun(), 'this run is that of separate processes already').to.equal(false);
    requireRedis(this);
    requireMongodb(this);
    const { code, output } = await runDistributedSuites(distributedSuites(), 'dot');
    expect(code, output).to.equal(0);
  });

  it('leaves out only suites that there are, each with a reason', () => {
    expect(suitesOfBothModes()).to.include.members(Object.keys(EMBEDDED_SUITES));
    for (const reason of Object.values(EMBEDDED_SUITES)) expect(reason).to.not.equal('');
  });
});
