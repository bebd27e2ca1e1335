/** What a caller is told of each fault that MongoDB answers to a query, and which faults are worth another try. */
import { expect } from 'chai';
import { MongooseError, mongo } from 'mongoose';
import { toQueryError } from '../../../../../services/shared/storage/mongodb/event-faults.ts';
import { isOutage } from '../../../../../services/shared/storage/mongodb/outage.ts';

const serverError = (code: number) => new mongo.MongoServerError({ message: 'words of the server', code });

describe('a fault of MongoDB', () => {
  for (const code of [146, 292, 10_334, 17_419, 17_420]) {
    it(`of code ${code} says that the answer is too large, and to ask for fewer days`, () => {
      expect(toQueryError(serverError(code), 30)).to.include({
        kind: 'QUERY_ERROR',
        message:
          'The answer, or a step towards it, is larger than the database can hold; ask for fewer days.',
      });
    });
  }

  it('of code 50 says how long the query took', () => {
    const fault = toQueryError(serverError(50), 30);
    expect(fault).to.include({ kind: 'TIMEOUT' });
    expect(fault.message).to.contain('longer than 30 s');
  });

  it('of an election or a lost connection is SERVICE_UNAVAILABLE and worth another try, any other is neither', () => {
    for (const passing of [
      serverError(10_107),
      serverError(11_602),
      new mongo.MongoNetworkError('connection closed'),
      new mongo.MongoOperationTimeoutError('too slow'),
      // As Node says it of a socket that ended under a command; the driver passes it on.
      Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' }),
      new MongooseError('Cannot call `events.aggregate()` before initial connection is complete'),
      new mongo.MongoClientClosedError(),
    ]) {
      expect(isOutage(passing)).to.equal(true);
      expect(toQueryError(passing, 30)).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    }
    for (const lasting of [serverError(40_324), new TypeError('a fault of ours')]) {
      expect(isOutage(lasting)).to.equal(false);
      expect(toQueryError(lasting, 30)).to.include({ kind: 'INTERNAL_ERROR' });
    }
  });
});
