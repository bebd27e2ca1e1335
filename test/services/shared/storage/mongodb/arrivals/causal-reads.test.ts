/** What reads of arrivals ask of a server, by what it says of itself. */
import { expect } from 'chai';
import { mongo } from 'mongoose';
import {
  CausalReads,
  type ReadOptions,
} from '../../../../../../services/shared/storage/mongodb/arrivals/causal-reads.ts';

const LONE = {};
const REPLICA_SET = { setName: 'rs0', logicalSessionTimeoutMinutes: 30 };
const SHARDED = { msg: 'isdbgrid', logicalSessionTimeoutMinutes: 30 };

interface Session {
  operationTime?: mongo.Timestamp;
  clusterTime?: { clusterTime: mongo.Timestamp };
  isEnded: boolean;
}

/** A client of a server that greets like this; the sessions that were begun, and how often the server was asked. */
function clientOf(greeting: object) {
  const sessions: Session[] = [];
  const asked: object[] = [];
  const client = {
    startSession(options: object) {
      expect(options).to.deep.equal({ causalConsistency: true });
      const session: Session & Record<string, unknown> = {
        isEnded: false,
        advanceClusterTime: (time: Session['clusterTime']) => Object.assign(session, { clusterTime: time }),
        advanceOperationTime: (time: mongo.Timestamp) => Object.assign(session, { operationTime: time }),
        endSession: async () => Object.assign(session, { isEnded: true }),
      };
      sessions.push(session);
      return session;
    },
  };
  const command = async (sent: object) => {
    asked.push(sent);
    return greeting;
  };
  const database = { admin: () => ({ command }) };
  const reads = new CausalReads(client as unknown as mongo.MongoClient, database as unknown as mongo.Db);
  return { reads, sessions, asked };
}

/** The options that a read is given; the server answers it at this time. */
async function optionsOf(reads: CausalReads, time?: mongo.Timestamp): Promise<ReadOptions | undefined> {
  let given: ReadOptions | undefined;
  const read = async function* (options: ReadOptions) {
    given = options;
    if (time)
      Object.assign(options.session ?? {}, { operationTime: time, clusterTime: { clusterTime: time } });
    yield 1;
  };
  for await (const row of reads.run(read)) expect(row).to.equal(1);
  return given;
}

const at = (t: number) => new mongo.Timestamp({ t, i: 1 });

describe('reads of arrivals', () => {
  it('go to the primary of a lone server, which has neither majority nor sessions', async () => {
    const { reads, sessions } = clientOf(LONE);
    expect(await optionsOf(reads)).to.deep.equal({ readPreference: 'primary' });
    expect(sessions).to.deep.equal([]);
  });

  for (const [what, greeting] of [
    ['a replica set', REPLICA_SET],
    ['a sharded cluster', SHARDED],
  ] as const) {
    it(`see what a majority of ${what} holds, each in a session that ends with it`, async () => {
      const { reads, sessions, asked } = clientOf(greeting);
      const options = await optionsOf(reads, at(5));
      expect(options).to.include({ readPreference: 'primary' });
      expect(options?.readConcern).to.deep.equal({ level: 'majority' });
      expect(options?.session).to.equal(sessions[0]);
      await optionsOf(reads);
      expect(sessions.map(({ isEnded }) => isEnded)).to.deep.equal([true, true]);
      expect(asked).to.deep.equal([{ isMaster: 1 }]);
    });
  }

  it('wait for the time of the latest read before them', async () => {
    const { reads, sessions } = clientOf(REPLICA_SET);
    await optionsOf(reads, at(5));
    await optionsOf(reads, at(3));
    await optionsOf(reads);
    expect(sessions[2]?.operationTime?.equals(at(5))).to.equal(true);
    expect(sessions[2]?.clusterTime).to.deep.equal({ clusterTime: at(5) });
  });

  it('end their session also when they fail', async () => {
    const { reads, sessions } = clientOf(REPLICA_SET);
    const failing = reads.run(async function* () {
      yield 1;
      throw new Error('the server is away');
    });
    let fault: unknown = null;
    try {
      for await (const row of failing) expect(row).to.equal(1);
    } catch (thrown) {
      fault = thrown;
    }
    expect(fault).to.be.an('error').with.property('message', 'the server is away');
    expect(sessions.map(({ isEnded }) => isEnded)).to.deep.equal([true]);
  });
});
