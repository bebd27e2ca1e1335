/** A server that does what the stores rely on passes, and leaves nothing behind; one that does not is refused with the reason. */
import { expect } from 'chai';
import { type Connection, mongo } from 'mongoose';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import {
  PROBE_COLLECTION,
  requireAbilities,
} from '../../../../../services/shared/storage/mongodb/server-abilities.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';

type Method = (...parameters: never[]) => unknown;

describe('what is asked of a MongoDB server', () => {
  const mongodb = useMongodb();
  let connection: Connection;

  beforeEach(async () => {
    connection = await openConnection(mongodb.newUri(), { appName: 'tidegate-test' });
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  /** The same server, one of whose commands does something else. */
  function otherwise(command: string, instead: (real: Method) => Method): Connection {
    const collection = (name: string) => {
      const real = connection.collection(name);
      return new Proxy(real, {
        get(target, key) {
          const own: unknown = Reflect.get(target, key, target);
          if (typeof own !== 'function') return own;
          const bound = own.bind(target) as Method;
          return key === command ? instead(bound) : bound;
        },
      });
    };
    return { collection } as unknown as Connection;
  }
  const probes = () => connection.collection(PROBE_COLLECTION);
  const refusal = async (other: Connection) => String(await rejection(requireAbilities(other)));

  it('is done by this one, any number of times and by several processes at once, and leaves nothing', async () => {
    await requireAbilities(connection);
    await Promise.all([1, 2, 3].map(() => requireAbilities(connection)));
    expect(await probes().countDocuments()).to.equal(0);
  });

  it('is refused to one that keeps no unique index', async () => {
    const other = otherwise('createIndex', () => async () => 'value');
    expect(await refusal(other)).to.include(
      'a unique index refuses a second value and names itself; but it answered',
    );
    expect(await probes().countDocuments(), 'documents left').to.equal(0);
  });

  it('is refused to one that does not name the index', async () => {
    const other = otherwise('insertOne', (real) => async (...parameters) => {
      try {
        return await real(...parameters);
      } catch (fault) {
        const unnamed = fault as mongo.MongoServerError;
        delete unnamed.keyPattern;
        unnamed.message = 'E11000 duplicate key error';
        throw unnamed;
      }
    });
    expect(await refusal(other)).to.include(
      'a unique index refuses a second value and names itself; but it answered MongoServerError',
    );
  });

  it('is refused to one that makes every update', async () => {
    const other = otherwise('findOneAndUpdate', () => async () => ({ version: 2 }));
    expect(await refusal(other)).to.include(
      'of several updates from one version, one is made; but it made 3 of them',
    );
  });

  it('is refused to one that does not sort', async () => {
    const other = otherwise('find', (real) => (...parameters) => {
      const found = real(...parameters) as mongo.FindCursor;
      found.sort = () => found;
      return found;
    });
    expect(await refusal(other)).to.include('texts are sorted by their bytes; but it sorted B, a, b as');
  });

  it('leaves to the server what a killed process could not remove', async () => {
    await requireAbilities(otherwise('deleteMany', () => async () => ({ deletedCount: 4 })));
    const left = await probes().find({}).toArray();
    expect(left).to.have.lengthOf(4);
    for (const { at } of left) expect(at).to.be.instanceOf(Date);
    const index = (await probes().indexes()).find(({ key }) => Object.keys(key).join() === 'at');
    expect(index?.expireAfterSeconds).to.equal(86_400);
    await requireAbilities(connection);
    expect(await probes().countDocuments(), 'those of the other process stay').to.equal(4);
  });

  for (const [command, times] of [
    ['insertOne', 4],
    ['updateOne', 1],
  ] as const) {
    for (let lost = 1; lost <= times; lost++) {
      it(`passes on the fault of a server that is lost at ${command} ${lost} of ${times}`, async () => {
        let call = 0;
        const other = otherwise(command, (real) => async (...parameters) => {
          if (++call === lost) throw new mongo.MongoNetworkError('the primary steps down');
          return real(...parameters);
        });
        const fault = await rejection(requireAbilities(other));
        expect(fault).to.be.instanceOf(mongo.MongoNetworkError);
        expect(call).to.equal(lost);
      });
    }
  }

  it('passes on the fault of a server that is lost', async () => {
    await connection.close();
    expect(await refusal(connection)).to.not.include('Needed');
    connection = await openConnection(mongodb.newUri(), { appName: 'tidegate-test' });
  });
});
