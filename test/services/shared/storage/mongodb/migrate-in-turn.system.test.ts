/** The migration of a start: one process at a time, and on through servers that are lost for a while. */
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { migrate, requireMigrated } from '../../../../../services/shared/storage/mongodb/migrate.ts';
import { migrateInTurn } from '../../../../../services/shared/storage/mongodb/migrate-in-turn.ts';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import { type FaultProxy, startFaultProxy } from '../../../../support/fault-proxy.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';

describe('the migration of a start', () => {
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

  it('is made by one of several processes that start at once; the others find nothing to do', async () => {
    const others = await Promise.all([1, 2].map(() => openConnection(uri, { appName: 'tidegate-test' })));
    const { indexes } = await migrate(connection, { dryRun: true });
    const reports = await Promise.all([connection, ...others].map((each) => migrateInTurn(each)));
    for (const other of others) await other.close();
    expect(reports.map((report) => report.indexes.length).sort((a, b) => a - b)).to.deep.equal([
      0,
      0,
      indexes.length,
    ]);
    await requireMigrated(connection);
  });

  it('refuses at once what is no fault of a server', async () => {
    await connection.collection('users').insertOne({ name: 'of another product' });
    const told: string[] = [];
    const fault = await rejection(migrateInTurn(connection, { told: (step) => told.push(step) }));
    expect(String(fault)).to.contain('name another database in MONGODB_URI');
    expect(told).to.deep.equal([]);
    const names = (await connection.listCollections()).map(({ name }) => name);
    expect(names, 'what it made there').to.deep.equal(['users']);
  });

  describe('through servers that are lost', () => {
    let proxy: FaultProxy;
    let lossy: Connection;

    beforeEach(async function () {
      // A server that the test did not start may be reached by other names than this.
      if (mongodb.kind === 'given') this.skip();
      proxy = await startFaultProxy(Number(new URL(uri).port));
      lossy = await openConnection(`mongodb://127.0.0.1:${proxy.port}/${connection.name}`, {
        appName: 'tidegate-test',
      });
    });
    afterEach(async () => {
      await lossy?.close();
      await proxy?.close();
    });

    it('goes on where it was interrupted', async () => {
      const steps: string[] = [];
      const report = await migrateInTurn(lossy, {
        told(step) {
          steps.push(step);
          if (steps.length === 3) void proxy.set('refuse');
          if (step.includes('trying again')) void proxy.set('pass');
        },
      });
      expect(steps.some((step) => step.includes('trying again'))).to.equal(true);
      expect(report.indexes).to.not.be.empty;
      await requireMigrated(connection);
      expect((await migrate(connection)).indexes).to.deep.equal([]);
    });

    it('gives up when none comes back within the bound', async () => {
      const steps: string[] = [];
      const lost = migrateInTurn(
        lossy,
        {
          told(step) {
            steps.push(step);
            void proxy.set('refuse');
          },
        },
        1,
      );
      expect(await rejection(lost)).to.be.instanceOf(Error);
      expect(steps.filter((step) => step.includes('trying again')).length).to.be.at.most(2);
    });
  });
});
