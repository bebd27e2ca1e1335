/** Redis by TLS and with passwords, in every form: who is who is proven both ways, and refused without showing a secret. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadSettings, PACKAGE_ROOT } from '../../../../../config/settings.ts';
import type { LimitUse } from '../../../../../services/shared/ports/counter-store.ts';
import { openConnection } from '../../../../../services/shared/storage/redis/open-redis.ts';
import type { RedisAddress } from '../../../../../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../../../../../services/shared/storage/redis/redis-bus.ts';
import { RedisCounterStore } from '../../../../../services/shared/storage/redis/redis-counter-store.ts';
import { record } from '../../../../contract/bus.contract.ts';
import {
  type Authority,
  type CertificateFiles,
  makeAuthority,
  missingOpenssl,
} from '../../../../support/certificates.ts';
import { freePort } from '../../../../support/free-port.ts';
import { requireRedis, startRedis } from '../../../../support/redis-server.ts';

const PASSWORD = 'secret-of-redis';
const USE: LimitUse = {
  name: 'plan',
  limit: 50,
  windowMs: 60_000,
  cost: 1,
  algorithm: 'fixed',
  onStoreFailure: 'local',
};
/** What the documentation says that a gateway must be allowed, and no more. */
const RIGHTS = /ACL SETUSER tidegate on >PASSWORD (.+)/
  .exec(readFileSync(join(PACKAGE_ROOT, 'docs/operations.md'), 'utf8'))?.[1]
  ?.split(' ') as string[];

describe('Redis by TLS', () => {
  let folder: string;
  let authority: Authority;
  let server: CertificateFiles;
  let client: CertificateFiles;
  const closers: (() => Promise<unknown>)[] = [];

  before(function () {
    requireRedis(this);
    const reason = missingOpenssl();
    if (reason !== null) {
      process.stderr.write(`      ${reason}\n`);
      this.skip();
    }
    folder = mkdtempSync(join(tmpdir(), 'tidegate-tls-'));
    authority = makeAuthority(folder, 'authority');
    server = authority.sign('server', 'IP:127.0.0.1');
    client = authority.sign('client', 'DNS:gateway.example.com');
  });
  after(() => folder && rmSync(folder, { recursive: true, force: true }));
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  const tlsArguments = ({ cert, key }: CertificateFiles, clients: 'yes' | 'no') => [
    ...['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', authority.cert],
    ...['--tls-auth-clients', clients],
  ];
  async function start(further: readonly string[]) {
    const redis = await startRedis(further);
    closers.push(() => redis.kill());
    return redis;
  }
  const addressOf = (environment: Readonly<Record<string, string>>): RedisAddress => {
    const { redis } = loadSettings(environment);
    if (redis === null) throw new Error('REDIS_URL is missing');
    return redis;
  };
  const trusting = (url: string) => addressOf({ REDIS_URL: url, REDIS_TLS_CA: authority.cert });
  const withClient = (url: string) =>
    addressOf({
      REDIS_URL: url,
      REDIS_TLS_CA: authority.cert,
      REDIS_TLS_CERT: client.cert,
      REDIS_TLS_KEY: client.key,
    });

  /** Counts in it, and tells another process of a change. */
  async function expectServes(address: RedisAddress): Promise<void> {
    const store = new RedisCounterStore({ address, commandTimeoutMs: 10_000, onConnection: () => {} });
    const [here, there] = [1, 2].map(() => new RedisBus({ address, onConnection: () => {} })) as [
      RedisBus,
      RedisBus,
    ];
    for (const each of [store, here, there]) closers.push(() => each.close());
    await Promise.all([store.connected(), here.connected(), there.connected()]);
    expect((await store.decide('a', [USE])).states[0]?.remaining).to.equal(49);
    const { heard, until } = record(there);
    here.publish({ kind: 'organization', id: 'org_a' });
    await until(1);
    expect(heard).to.deep.equal([{ kind: 'organization', id: 'org_a' }]);
  }

  /** What counters and bus are told when they cannot connect. */
  async function faultsOf(address: RedisAddress): Promise<readonly string[]> {
    const faults = [RedisCounterStore, RedisBus].map(
      (Client) =>
        new Promise<string>((resolve) => {
          const opened = new Client({ address, onConnection: (fault) => resolve(String(fault?.message)) });
          closers.push(() => opened.close());
        }),
    );
    return Promise.all(faults);
  }
  async function expectRefused(address: RedisAddress, reason: RegExp): Promise<void> {
    for (const fault of await faultsOf(address)) expect(fault).to.match(reason).and.not.contain('secret');
  }

  it('serves who trusts its authority, and is refused by who does not', async () => {
    const { url } = await start(tlsArguments(server, 'no'));
    await expectServes(trusting(url));
    const stranger = makeAuthority(folder, 'stranger');
    const refused = /self-signed certificate|unable to verify/;
    await expectRefused(addressOf({ REDIS_URL: url }), refused);
    await expectRefused(addressOf({ REDIS_URL: url, REDIS_TLS_CA: stranger.cert }), refused);
    await expectRefused(addressOf({ REDIS_URL: url.replace('rediss', 'redis') }), /closed|ECONNRESET/);
  });

  it('is refused where its certificate is for another name', async () => {
    const { url } = await start(tlsArguments(authority.sign('other', 'DNS:other.example.com'), 'no'));
    await expectRefused(trusting(url), /does not match certificate's altnames/);
  });

  it('serves who proves itself by a certificate, and nobody else', async () => {
    const { url } = await start(tlsArguments(server, 'yes'));
    await expectServes(withClient(url));
    await expectRefused(trusting(url), /certificate required|closed|ECONNRESET|EPIPE/);
  });

  it('serves through a Sentinel, both by TLS', async () => {
    const { port } = await start([...tlsArguments(server, 'yes'), '--tls-replication', 'yes']);
    const sentinel = await startTlsSentinel(port);
    await expectServes(withClient(`rediss-sentinel://127.0.0.1:${sentinel}/counters`));
    await expectRefused(
      trusting(`rediss-sentinel://127.0.0.1:${sentinel}/counters`),
      /sentinels are unreachable/,
    );
  });

  it('serves as a Cluster', async () => {
    const { url } = await startClusterOfOne(tlsArguments(server, 'yes'));
    await expectServes(withClient(url.replace('rediss', 'rediss-cluster')));
    const untrusted = {
      ...withClient(url.replace('rediss', 'rediss-cluster')),
      tls: { ca: null, cert: null, key: null },
    };
    const [counters, bus] = await faultsOf(untrusted);
    // ioredis keeps the reason of a Cluster's node to itself; the bus has a plain connection and tells it.
    expect(counters).to.contain('Failed to refresh slots cache');
    expect(bus).to.match(/self-signed certificate|unable to verify/);
  });

  for (const form of ['single', 'cluster'] as const) {
    it(`lets in who knows the password, with the rights of the documentation, and nobody else (${form})`, async () => {
      const { url } = await (form === 'single' ? start([]) : startClusterOfOne([]));
      const control = openConnection(addressOf({ REDIS_URL: url }));
      closers.push(async () => control.disconnect());
      await once(control, 'ready');
      await control.acl('SETUSER', 'gateway', 'reset', 'on', `>${PASSWORD}`, ...RIGHTS);
      await control.acl('SETUSER', 'default', 'off');
      const as = (login: string) =>
        addressOf({
          REDIS_URL: url.replace('redis://', `redis${form === 'single' ? '' : '-cluster'}://${login}`),
        });
      await expectServes(as(`gateway:${PASSWORD}@`));
      await expectRefused(as('gateway:wrong-secret@'), /WRONGPASS/);
      await expectRefused(as(''), /NOAUTH/);
    });
  }

  /** One node that has all slots. */
  async function startClusterOfOne(further: readonly string[]) {
    const secured = further.length > 0;
    const redis = await start([
      ...['--cluster-enabled', 'yes', '--cluster-announce-ip', '127.0.0.1'],
      ...['--cluster-port', `${await freePort()}`, '--dir', folder],
      ...['--cluster-config-file', `nodes-${await freePort()}.conf`, ...further],
      ...(secured ? ['--tls-cluster', 'yes'] : []),
    ]);
    const control = openConnection(secured ? withClient(redis.url) : addressOf({ REDIS_URL: redis.url }));
    await once(control, 'ready');
    await control.call('CLUSTER', 'ADDSLOTSRANGE', 0, 16_383);
    while (!String(await control.cluster('INFO')).includes('cluster_state:ok'));
    control.disconnect();
    return redis;
  }

  /** A Sentinel of `counters` on 127.0.0.1; returns its port. */
  async function startTlsSentinel(masterPort: number): Promise<number> {
    const port = await freePort();
    const file = join(folder, 'sentinel.conf');
    writeFileSync(
      file,
      `port 0
tls-port ${port}
bind 127.0.0.1
tls-cert-file ${server.cert}
tls-key-file ${server.key}
tls-ca-cert-file ${authority.cert}
tls-replication yes
sentinel monitor counters 127.0.0.1 ${masterPort} 1
`,
    );
    const child = spawn('redis-server', [file, '--sentinel'], { stdio: ['ignore', 'pipe', 'ignore'] });
    closers.push(async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    });
    let text = '';
    for await (const chunk of child.stdout) {
      text += chunk;
      if (text.includes('+monitor master')) break;
    }
    return port;
  }
});
