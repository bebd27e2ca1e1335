/** A network that cuts connections under commands: afterwards they succeed again, whatever the driver waits for. */
import { expect } from 'chai';
import { type Connection, createConnection } from 'mongoose';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { DocumentAccess } from '../../../services/shared/storage/mongodb/document-access.ts';
import { watchMonitors } from '../../../services/shared/storage/mongodb/monitor-watch.ts';
import { openConnection } from '../../../services/shared/storage/mongodb/open-connection.ts';
import { type FaultProxy, startFaultProxy } from '../../support/fault-proxy.ts';
import { useMongodb } from '../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../support/rejection.ts';
import { until } from '../../support/until.ts';

const succeeds = (action: () => Promise<unknown>) =>
  action().then(
    () => true,
    () => false,
  );

describe('a connection to MongoDB over a network that is cut', function () {
  this.timeout(60_000);
  const mongodb = useMongodb();
  let proxy: FaultProxy;
  let uri: string;
  let connection: Connection;

  before(async function () {
    if (mongodb.kind === 'given') this.skip();
  });
  beforeEach(async () => {
    const address = new URL(mongodb.newUri());
    proxy = await startFaultProxy(Number(address.port));
    address.port = `${proxy.port}`;
    uri = address.href;
  });
  afterEach(async () => {
    await connection.destroy();
    await proxy.close();
  });

  const insert = () => connection.collection('things').insertOne({});

  /** Cuts all connections while one has a command in flight, which is asked again at once, as a caller would. */
  async function cutUnderCommand(): Promise<void> {
    await proxy.set({ answersAfterMs: 60_000 });
    const asked = insert().catch(insert);
    const ended = asked.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 700));
    proxy.cut();
    await proxy.set('pass');
    await ended;
  }

  it('works again within 5 s, again and again', async () => {
    connection = await openConnection(uri, { appName: 'tidegate-test' });
    for (let round = 0; round < 3; round++) {
      await cutUnderCommand();
      const since = performance.now();
      await until('an insert succeeds', () => succeeds(insert));
      expect(performance.now() - since).to.be.below(5_000);
    }
  });

  /** A connection as the driver makes it by itself, with a watch that takes a heartbeat of 3 s for lost. */
  async function openWatched(): Promise<void> {
    connection = await createConnection(uri, {
      ...{ connectTimeoutMS: 500, serverSelectionTimeoutMS: 1_000, heartbeatFrequencyMS: 1_000 },
      bufferCommands: false,
    }).asPromise();
    watchMonitors(connection, { lostAfterLooks: 3 });
  }
  const countConnects = () => {
    let connects = 0;
    connection.getClient().on('topologyOpening', () => connects++);
    return () => connects;
  };

  it('is made anew when its monitor waits for ever, for those who hold its database', async () => {
    await openWatched();
    const database = connection.getClient().db(connection.name);
    const connects = countConnects();
    // Whether a cut meets the moment in which the driver never wakes is a matter of luck; it nearly always does.
    for (let round = 0; round < 10 && connects() === 0; round++) {
      await cutUnderCommand();
      await until('a command succeeds', () => succeeds(() => database.command({ ping: 1 })));
    }
    await insert();
    expect(connects()).to.equal(1);
  });

  it('is made anew as often as it takes, and not after it was closed', async () => {
    await openWatched();
    const connects = countConnects();
    for (let round = 0; round < 10 && connects() === 0; round++) {
      await cutUnderCommand();
      await proxy.set('refuse');
      // By then the watch has found a monitor that waits.
      await new Promise((resolve) => setTimeout(resolve, 6_000));
      if (connects() === 0) await proxy.set('pass');
    }
    await until('it tries again', () => connects() > 1);
    await proxy.set('pass');
    await until('an insert succeeds', () => succeeds(insert));
    await connection.close();
    const before = connects();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(connects()).to.equal(before);
  });

  it('is left alone while its server answers, is slow, refuses, or never answers', async () => {
    await openWatched();
    const connects = countConnects();
    for (const fault of ['pass', { answersAfterMs: 200 }, 'refuse', 'freeze'] as const) {
      await proxy.set(fault);
      await new Promise((resolve) => setTimeout(resolve, 5_000));
    }
    await proxy.set('pass');
    await until('an insert succeeds', () => succeeds(insert));
    expect(connects()).to.equal(0);
  });

  it('never keeps whoever asks for documents waiting without end', async () => {
    connection = await openConnection(uri, { appName: 'tidegate-test' });
    const access = new DocumentAccess(connection, 50);
    const fault = await rejection(access.run(() => new Promise(() => undefined)));
    expect(fault).to.be.instanceOf(ApiError).and.include({ kind: 'SERVICE_UNAVAILABLE' });
  });
});
