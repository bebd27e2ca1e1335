/** A lease in the database: one holder at a time over all connections, given back however the work ends, and outlived by nobody's death. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { LEASE_COLLECTION, Leases, withLease } from '../../../../../services/shared/storage/mongodb/lease.ts';
import { openConnection } from '../../../../../services/shared/storage/mongodb/open-connection.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';

describe('a lease in MongoDB', () => {
  const mongodb = useMongodb();
  let connections: Connection[];
  /** Milliseconds of the monotonic clock that waiting processes are given. */
  let now: number;

  beforeEach(async () => {
    now = 0;
    const uri = mongodb.newUri();
    connections = await Promise.all([1, 2].map(() => openConnection(uri, { appName: 'tidegate-test' })));
  });
  afterEach(async () => {
    await connections[0]?.dropDatabase();
    await Promise.all(connections.map((connection) => connection.close()));
  });

  const first = () => connections[0] as Connection;
  const waiting = () => new Leases(connections[1] as Connection, () => now);
  const leases = () =>
    first().collection<{ _id: string; holder: string; renewals?: number; expiresAt?: number }>(
      LEASE_COLLECTION,
    );

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

  it('is null for who does not wait while another holds it, and there once it was given back', async () => {
    const held = await new Leases(first()).tryLease('build');
    expect(await waiting().tryLease('build')).to.equal(null);
    await held?.release();
    const next = await waiting().tryLease('build');
    expect(next).to.not.equal(null);
    await next?.release();
  });

  it('of a holder that died is taken by who saw it unchanged for 30 s, whatever the clocks of machines say', async () => {
    for (const state of [{ renewals: 4 }, { expiresAt: Date.now() + 3_600_000 }]) {
      await leases().insertOne({ _id: 'start', holder: 'dead', ...state });
      const other = waiting();
      expect(await other.tryLease('start')).to.equal(null);
      now += 29_999;
      expect(await other.tryLease('start')).to.equal(null);
      now += 1;
      const taken = await other.tryLease('start');
      expect(taken?.signal.aborted).to.equal(false);
      await taken?.release();
    }
  });

  it('stays with a holder that renewed it meanwhile', async () => {
    await leases().insertOne({ _id: 'start', holder: 'alive', renewals: 4 });
    const other = waiting();
    expect(await other.tryLease('start')).to.equal(null);
    now += 30_000;
    await leases().updateOne({ _id: 'start' }, { $inc: { renewals: 1 } });
    expect(await other.tryLease('start')).to.equal(null);
    now += 29_999;
    expect(await other.tryLease('start')).to.equal(null);
  });

  it('of a dead holder goes to one alone of those who take it at the same time', async () => {
    await leases().insertOne({ _id: 'start', holder: 'dead', renewals: 0 });
    const others = [waiting(), waiting(), waiting()];
    await Promise.all(others.map((other) => other.tryLease('start')));
    now += 30_000;
    const taken = await Promise.all(others.map((other) => other.tryLease('start')));
    const [one, ...more] = taken.filter((lease) => lease !== null);
    expect(more).to.deep.equal([]);
    await one?.release();
  });

  it('that was lost to another ends the work by its signal, and is not taken from that one', async function () {
    this.timeout(60_000);
    const reason = await withLease(first(), 'start', async (signal) => {
      await leases().updateOne({ _id: 'start' }, { $set: { holder: 'next' } });
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      return signal.reason;
    });
    expect(reason).to.include({ name: 'LeaseLostError' });
    expect(await leases().findOne({ _id: 'start' })).to.include({ holder: 'next' });
  });
});
