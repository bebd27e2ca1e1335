/** What a caller is told of each fault that MongoDB answers to a look-up, and which faults are worth another try. */
import { expect } from 'chai';
import { MongooseError, mongo } from 'mongoose';
import { toLookUpError } from '../../../../../services/shared/storage/mongodb/event-faults.ts';
import { isOutage } from '../../../../../services/shared/storage/mongodb/outage.ts';

const serverError = (code: number) => new mongo.MongoServerError({ message: 'words of the server', code });

describe('a fault of MongoDB', () => {
  it('of code 50 says that the time is up', () => {
    expect(toLookUpError(serverError(50))).to.include({ kind: 'TIMEOUT' });
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
      expect(toLookUpError(passing)).to.include({ kind: 'SERVICE_UNAVAILABLE' });
    }
    for (const lasting of [serverError(40_324), new TypeError('a fault of ours')]) {
      expect(isOutage(lasting)).to.equal(false);
      expect(toLookUpError(lasting)).to.include({ kind: 'INTERNAL_ERROR' });
    }
  });
});
