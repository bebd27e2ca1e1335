/** A network that cuts connections under commands: each command has an outcome, and afterwards they succeed again. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { ApiError } from '../../../../../services/shared/errors/api-error.ts';
import { DocumentAccess } from '../../../../../services/shared/storage/mongodb/document-access.ts';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import { isOutage } from '../../../../../services/shared/storage/mongodb/outage.ts';
import { type FaultProxy, startFaultProxy } from '../../../../support/fault-proxy.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';
import { until } from '../../../../support/until.ts';

/** Within what a command over a lost connection has an outcome, in milliseconds; the driver by itself gives it none. */
const OUTCOME_MS = 15_000;

const succeeds = (action: () => Promise<unknown>) =>
  action().then(
    () => true,
    () => false,
  );

describe('a connection to MongoDB over a network that is cut', () => {
  const mongodb = useMongodb();
  let proxy: FaultProxy;
  let uri: string;
  let connection: Connection;
  let opened: Socket[];
  const note = (message: unknown) => void opened.push((message as { socket: Socket }).socket);

  before(async function () {
    if (mongodb.kind === 'given') this.skip();
  });
  beforeEach(async () => {
    const address = new URL(mongodb.newUri());
    proxy = await startFaultProxy(Number(address.port));
    address.port = `${proxy.port}`;
    uri = address.href;
    opened = [];
    subscribe('net.client.socket', note);
  });
  afterEach(async () => {
    unsubscribe('net.client.socket', note);
    await connection.destroy();
    await proxy.close();
  });

  const insert = () => connection.collection('things').insertOne({});
  /** Ends every socket of the driver, which learns of it only when this turn of the event loop is over. */
  const destroyAll = () => {
    for (const socket of opened) if (socket.remotePort === proxy.port) socket.destroy();
  };

  it('works again within seconds, again and again', async () => {
    connection = await openConnection(uri, { appName: 'tidegate-test' });
    for (let round = 0; round < 3; round++) {
      // A command is in flight, which is asked again at once, as a caller would.
      await proxy.set({ answersAfterMs: 60_000 });
      const ended = insert()
        .catch(insert)
        .catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 700));
      proxy.cut();
      await proxy.set('pass');
      await ended;
      const since = performance.now();
      await until('an insert succeeds', () => succeeds(insert));
      expect(performance.now() - since).to.be.below(OUTCOME_MS);
    }
  });

  for (const [kind, compressors] of [
    ['as it is', ''],
    ['compressed', '?compressors=zlib'],
  ]) {
    it(`fails what is sent ${kind} in the moment in which it closes, and goes on`, async () => {
      // There is one place for commands: a single one without an outcome would keep all others waiting.
      connection = await openConnection(`${uri}${compressors}`, { appName: 'tidegate-test', maxPoolSize: 1 });
      for (let round = 0; round < 3; round++) {
        await until('an insert succeeds', () => succeeds(insert));
        destroyAll();
        const since = performance.now();
        expect(await rejection(insert())).to.satisfy(isOutage);
        expect(performance.now() - since).to.be.below(OUTCOME_MS);
      }
      await until('an insert succeeds', () => succeeds(insert));
    });
  }

  it('goes on watching its server when a look at it is sent in that moment', async () => {
    connection = await openConnection(uri, { appName: 'tidegate-test' });
    const client = connection.getClient();
    for (let round = 0; round < 3; round++) {
      const failed = new Promise((resolve) => client.once('serverHeartbeatFailed', resolve));
      client.once('serverHeartbeatStarted', destroyAll);
      await failed;
      await new Promise((resolve) => client.once('serverHeartbeatSucceeded', resolve));
    }
    await until('an insert succeeds', () => succeeds(insert));
  });

  it('never keeps whoever asks for documents waiting without end', async () => {
    connection = await openConnection(uri, { appName: 'tidegate-test' });
    const access = new DocumentAccess(connection, 50);
    const fault = await rejection(access.run(() => new Promise(() => undefined)));
    expect(fault).to.be.instanceOf(ApiError).and.include({ kind: 'SERVICE_UNAVAILABLE' });
  });
});
