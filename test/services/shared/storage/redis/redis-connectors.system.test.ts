/** Connections by TLS that are closed amid the handshake: a late fault of theirs never ends the process. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { loadSettings } from '../../../../../config/settings.ts';
import { openConnection, openRedis } from '../../../../../services/shared/storage/redis/open-redis.ts';
import { makeAuthority, missingOpenssl } from '../../../../support/certificates.ts';
import { requireRedis, startRedis, type TestRedis } from '../../../../support/redis-server.ts';

/** Two of five met two faults before each connection had a listener for the second. */
const CLIENTS = 100;
/** A handshake takes less, in milliseconds. */
const LONGEST_MS = 12;
/** An alert comes before that, in milliseconds. */
const LATE_MS = 300;

describe('connections to Redis that are closed amid the TLS handshake', () => {
  let folder: string;
  let redis: TestRedis;

  before(async function () {
    requireRedis(this);
    const reason = missingOpenssl();
    if (reason !== null) {
      process.stderr.write(`      ${reason}\n`);
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'tidegate-connectors-'));
    const authority = makeAuthority(folder, 'authority');
    const { cert, key } = authority.sign('server', 'IP:127.0.0.1');
    redis = await startRedis([
      ...['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority.cert],
      ...['--tls-auth-clients', 'no'],
    ]);
  });
  after(async () => {
    await redis?.kill();
    if (folder) rmSync(folder, { recursive: true, force: true });
  });

  for (const [form, open] of [
    ['rediss', openRedis],
    ['rediss-cluster', openRedis],
    ['rediss-cluster', openConnection],
  ] as const)
    it(`end with no uncaught fault (${open.name}, ${form})`, async () => {
      // Its authority is unknown, so each connection has a fault of its own beside the server's alert.
      const { redis: address } = loadSettings({ REDIS_URL: redis.url.replace('rediss', form) });
      if (address === null) throw new Error('no address');
      const clients = [];
      for (let i = 0; i < CLIENTS; i++) {
        const client = open(address);
        client.on('error', () => {});
        await delay(Math.random() * LONGEST_MS);
        client.disconnect();
        clients.push(client);
      }
      // An uncaught fault of the last ones would fail this test, too.
      await delay(LATE_MS);
      expect(clients.filter(({ status }) => status === 'connect' || status === 'ready')).to.deep.equal([]);
    });
});
