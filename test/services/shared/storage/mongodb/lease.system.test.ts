/** A lease in the database: one holder at a time over all connections, given back however the work ends, and outlived by nobody's death. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { LEASE_COLLECTION, withLease } from '../../../../../services/shared/storage/mongodb/lease.ts';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';

describe('a lease in MongoDB', () => {
  const mongodb = useMongodb();
  let connections: Connection[];

  beforeEach(async () => {
    const uri = mongodb.newUri();
    connections = await Promise.all([1, 2].map(() => openConnection(uri, { appName: 'tidegate-test' })));
  });
  afterEach(async () => {
    await connections[0]?.dropDatabase();
    await Promise.all(connections.map((connection) => connection.close()));
  });

  const first = () => connections[0] as Connection;
  const leases = () =>
    first().collection<{ _id: string; holder: string; expiresAt: number }>(LEASE_COLLECTION);

  it('is held by one at a time, over several connections', async () => {
    let holders = 0;
    const seen: number[] = [];
    const work = async () => {
      seen.push(++holders);
      await delay(20);
      holders--;
    };
    await Promise.all(
      Array.from({ length: 6 }, (_, i) => withLease(connections[i % 2] as Connection, 'start', work)),
    );
    expect(seen).to.deep.equal([1, 1, 1, 1, 1, 1]);
  });

  it('is another one under another name', async () => {
    const inner = () => withLease(connections[1] as Connection, 'other', async () => 'both');
    expect(await withLease(first(), 'start', inner)).to.equal('both');
  });

  it('is given back when the work ends, with its result or its fault', async () => {
    expect(await withLease(first(), 'start', async () => 7)).to.equal(7);
    const fault = new Error('work');
    expect(await rejection(withLease(first(), 'start', () => Promise.reject(fault)))).to.equal(fault);
    expect(await leases().countDocuments()).to.equal(0);
  });

  it('of a holder that died is free once it has expired, and not before', async () => {
    const expiresAt = Date.now() + 700;
    await leases().insertOne({ _id: 'start', holder: 'dead', expiresAt });
    const takenAt = await withLease(first(), 'start', async () => Date.now());
    expect(takenAt).to.be.at.least(expiresAt);
  });

  it('that was lost to another is not taken from that one when the work ends', async () => {
    const now = Date.now();
    await withLease(first(), 'start', async () => {
      await leases().updateOne({ _id: 'start' }, { $set: { holder: 'next', expiresAt: now + 60_000 } });
    });
    expect(await leases().findOne({ _id: 'start' })).to.include({ holder: 'next' });
  });
});
