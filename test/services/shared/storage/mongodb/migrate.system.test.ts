/** The migration of a MongoDB database: it makes what is declared, once, and says what it would do. */
import { expect } from 'chai';
import { type Connection, createConnection } from 'mongoose';
import { COLLECTIONS } from '../../../../../services/shared/model/collections.ts';
import {
  MONGODB_SCHEMA_VERSION,
  migrate,
  requireMigrated,
} from '../../../../../services/shared/storage/mongodb/migrate.ts';
import { createMongodbDocumentStore } from '../../../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import { startFaultProxy } from '../../../../support/fault-proxy.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';
import { createTestClock } from '../../../../support/test-clock.ts';

describe('the migration of a MongoDB database', () => {
  const mongodb = useMongodb();
  let uri: string;
  let connection: Connection;

  beforeEach(async () => {
    uri = mongodb.newUri();
    connection = await openConnection(uri, { appName: 'tidegate-test' });
  });
  afterEach(async () => {
    await connection.dropDatabase();
    await connection.close();
  });

  it('makes every declared index once and writes the version; a second run has nothing to do', async () => {
    const steps: string[] = [];
    const report = await migrate(connection, { told: (step) => steps.push(step) });
    expect(report).to.include({ fromVersion: null, toVersion: MONGODB_SCHEMA_VERSION });
    expect(report.indexes).to.include.members(['events.website_timestamp', 'api_keys.keyHash', 'links.slug']);
    for (const { name } of Object.values(COLLECTIONS))
      expect(report.indexes).to.include(`${name}.organizationId_id`);
    expect(steps).to.have.length(report.indexes.length + 1);
    await requireMigrated(connection);
    expect(await migrate(connection)).to.deep.equal({
      fromVersion: MONGODB_SCHEMA_VERSION,
      toVersion: MONGODB_SCHEMA_VERSION,
      indexes: [],
    });
  });

  it('changes nothing in a dry run', async () => {
    const planned = await migrate(connection, { dryRun: true });
    expect(planned.indexes).to.not.be.empty;
    expect(await connection.listCollections()).to.deep.equal([]);
    expect(String(await rejection(requireMigrated(connection)))).to.contain('run tidegate migrate');
    expect((await migrate(connection)).indexes).to.deep.equal(planned.indexes);
  });

  it('goes on where it was interrupted', async () => {
    const { indexes } = await migrate(connection, { dryRun: true });
    let steps = 0;
    const interrupted = migrate(connection, {
      told: () => {
        steps++;
        if (steps === 4) throw new Error('interrupted');
      },
    });
    expect(String(await rejection(interrupted))).to.contain('interrupted');
    expect(String(await rejection(requireMigrated(connection)))).to.contain('no schema version');
    expect((await migrate(connection)).indexes).to.deep.equal(indexes.slice(3));
    await requireMigrated(connection);
  });

  it('waits for an index as long as it takes, however short the silence that ends other commands', async function () {
    // Several hosts do not go through one proxy.
    if (mongodb.kind === 'given') this.skip();
    await migrate(connection);
    await connection.collection('events').dropIndex('website_timestamp');
    const proxy = await startFaultProxy(Number(new URL(uri).port));
    const impatient = await createConnection(`mongodb://127.0.0.1:${proxy.port}/${connection.name}`, {
      socketTimeoutMS: 2_000,
    }).asPromise();
    try {
      const told = () => void proxy.set({ answersAfterMs: 4_000 });
      const { indexes } = await migrate(impatient, { told });
      expect(indexes).to.deep.equal(['events.website_timestamp']);
      // Of any other command it ends the connection.
      expect(await rejection(migrate(impatient))).to.have.property('name', 'MongoNetworkTimeoutError');
    } finally {
      await impatient.close();
      await proxy.close();
    }
    expect((await migrate(connection)).indexes).to.deep.equal([]);
  });

  it('lets an email have several accounts where it had one, which counts everywhere', async () => {
    await migrate(connection);
    const users = connection.collection<{ _id: string; [field: string]: unknown }>('users');
    await users.dropIndex('emailHome');
    await users.createIndex({ email: 1 }, { name: 'email', unique: true, sparse: true });
    const time = '2026-01-15T09:30:00.000Z';
    const stored = { version: 1, createdAt: time, updatedAt: time, passwordHash: 'hash' };
    await users.insertOne({ _id: 'usr_1', organizationId: 'usr_1', email: 'a@b.c', ...stored });
    await connection
      .collection<{ _id: string }>('tidegate_schema')
      .updateOne({ _id: 'version' }, { $set: { version: 1 } });
    expect(String(await rejection(requireMigrated(connection)))).to.contain('run tidegate migrate');

    expect(await migrate(connection)).to.deep.equal({
      fromVersion: 1,
      toVersion: MONGODB_SCHEMA_VERSION,
      indexes: ['users.emailHome'],
    });
    await requireMigrated(connection);
    const store = createMongodbDocumentStore({
      connection: await openConnection(uri, { appName: 'tidegate-test' }),
      clock: createTestClock(),
    });
    const account = { email: 'a@b.c', passwordHash: 'hash' };
    expect(await store.users.findUnique('emailHome', ['a@b.c', '*'])).to.include({ id: 'usr_1' });
    const another = { id: 'usr_2', organizationId: 'usr_2', ...account };
    expect(await rejection(store.users.insert({ ...another, home: '*' }))).to.include({ index: 'emailHome' });
    await store.users.insert({ ...another, home: 'org_a' });
    expect((await store.usersOf('a@b.c')).map(({ home }) => home)).to.have.members(['*', 'org_a']);
    await store.close();
  });

  it('leaves a database alone in which another product keeps collections of these names', async () => {
    const users = connection.collection<{ _id: number; email: string }>('users');
    await users.insertMany([
      { _id: 1, email: 'one@example.com' },
      { _id: 2, email: 'one@example.com' },
    ]);
    await connection.collection('orders').insertOne({ price: 1 });
    for (const dryRun of [true, false]) {
      const fault = String(await rejection(migrate(connection, { dryRun })));
      expect(fault).to.contain(
        `the database ${connection.name} has documents in users and no schema version`,
      );
    }
    expect(await users.indexes()).to.have.length(1);
    expect((await connection.listCollections()).map(({ name }) => name).sort()).to.deep.equal([
      'orders',
      'users',
    ]);
    await users.deleteMany({});
    await migrate(connection);
    await requireMigrated(connection);
  });

  it('refuses a database of a newer version, and an index that is not as declared', async () => {
    await connection
      .collection<{ _id: string; version: number }>('tidegate_schema')
      .insertOne({ _id: 'version', version: MONGODB_SCHEMA_VERSION + 1 });
    expect(String(await rejection(migrate(connection)))).to.contain('Start the newer version that wrote it');
    expect(String(await rejection(requireMigrated(connection)))).to.contain('Start the newer version');
    await connection.dropDatabase();
    await connection.collection('links').createIndex({ slug: 1 }, { name: 'slug' });
    expect(String(await rejection(migrate(connection)))).to.contain(
      'the index slug of links is not as declared',
    );
  });
});
