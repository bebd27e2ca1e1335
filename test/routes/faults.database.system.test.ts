/** A network in trouble between the processes and their database: declared errors, no wrong answer, nobody waits for long, nothing is lost. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { parseRedisUrl } from '../../services/shared/storage/redis/redis-address.ts';
import { RedisBus } from '../../services/shared/storage/redis/redis-bus.ts';
import { FaultLoad } from '../support/distributed/fault-load.ts';
import { type Ledger, newLedger, pageviews, probesOf, track } from '../support/distributed/fault-probes.ts';
import { forgetEverything } from '../support/distributed/forget-everything.ts';
import { type DistributedSystem, startDistributed } from '../support/distributed/start-distributed.ts';
import { type FaultProxy, startFaultProxy } from '../support/fault-proxy.ts';
import { type EntryPoint, FailedStart, startProcess } from '../support/gateway-process.ts';
import { requireMongodb, startMongodb, type TestMongodb } from '../support/mongodb/mongodb-server.ts';
import { requireRedis } from '../support/redis-server.ts';
import { callerOf, type TestServer } from '../support/start-tidegate.ts';
import { KEYS, PROVISIONING } from '../support/test-organizations.ts';
import { until } from '../support/until.ts';

/** Within what every request is answered, in milliseconds. */
const ANSWERED_MS = 30_000;
/** Within what everything works again after a fault, in milliseconds: 5 s, and what a busy machine adds. */
const RECOVERED_MS = 60_000;
/** Within what a process that finds no database says so and ends, in milliseconds. */
const GIVEN_UP_MS = 90_000;

/** The same organizations, but custom SQL as often as the load asks for it. */
const UNLIMITED = PROVISIONING.replaceAll(
  'perMinute: 1000000 }',
  'perMinute: 1000000, customSqlPerMinute: 1000000 }',
);

describe('separate processes whose database', function () {
  this.timeout(400_000);
  let mongodb: TestMongodb;
  let proxy: FaultProxy;
  let system: DistributedSystem;
  let bus: RedisBus;
  let call: TestServer['call'];
  let ledger: Ledger;
  let load: FaultLoad;

  before(async function () {
    requireRedis(this);
    requireMongodb(this);
    mongodb = await startMongodb();
    if (mongodb.kind === 'given') this.skip();
    const direct = new URL(mongodb.newUri());
    proxy = await startFaultProxy(Number(direct.port));
    direct.port = `${proxy.port}`;
    const newUri = () => direct.href;
    system = await startDistributed({ provisioning: UNLIMITED, mongodb: { ...mongodb, newUri } });
    bus = new RedisBus({ address: parseRedisUrl(system.redis.url), onConnection: () => undefined });
    await bus.connected();
    call = callerOf(system.origin);
    ledger = newLedger();
    const link = { name: 'Sale', targetUrl: 'https://shop.example.com/sale', slug: 'the-sale' };
    const flag = { key: 'open', defaultValue: true, websiteId: 'web_shop' };
    expect((await call('POST', '/v1/links', { key: KEYS.all, body: link })).status).to.equal(201);
    expect((await call('POST', '/v1/flags', { key: KEYS.all, body: flag })).status).to.equal(201);
    load = new FaultLoad(probesOf(call, ledger));
    load.start();
    await load.recovered();
  });
  after(async () => {
    await proxy?.set('pass');
    await load?.end();
    await bus?.close();
    await system?.close();
    await proxy?.close();
    await mongodb?.close();
  });

  const processes = () => [system.gateway, ...Object.values(system.services)];

  /** Brings a fault about while nothing is remembered of documents, then ends it; the probes that it met. */
  async function through(fault: () => Promise<void>, end: () => Promise<void>): Promise<readonly string[]> {
    const forgetting = setInterval(() => bus.publish({ kind: 'everything' }), 500);
    try {
      load.begin();
      await fault();
      for (const { origin } of processes()) {
        expect((await fetch(`${origin}/health`)).status, 'a process that is alive').to.equal(200);
      }
    } finally {
      clearInterval(forgetting);
      await end();
    }
    const during = load.judged();
    load.begin();
    const recoveredMs = Math.round(await load.recovered());
    const after = load.judged();
    const longestMs = Math.max(during.longestMs, after.longestMs);
    const figures = `${during.right} right, ${during.declared} declared, longest ${longestMs} ms, recovered in ${recoveredMs} ms`;
    process.stdout.write(`      ${figures}\n`);
    expect([...during.wrong, ...after.wrong]).to.deep.equal([]);
    expect(longestMs).to.be.below(ANSWERED_MS);
    expect(recoveredMs).to.be.below(RECOVERED_MS);
    for (const { origin } of processes()) {
      const isReady = async () => (await fetch(`${origin}/health/ready`)).status === 200;
      await until('a process is ready', isReady);
    }
    return during.failing;
  }
  const pass = () => proxy.set('pass');
  /** Brings the fault about, and goes on asking once nothing is remembered any more. */
  const forgotten = (fault: 'freeze' | 'refuse') =>
    load.heldDuring(async () => {
      await proxy.set(fault);
      // What was under way ends first: it could be remembered again.
      await pause(700);
      await forgetEverything(system.redis.url, processes());
    });

  it('is slow answers rightly, if late', async () => {
    const failing = await through(async () => {
      await proxy.set({ answersAfterMs: 150 });
      await load.everyAnswered();
    }, pass);
    expect(failing).to.deep.equal([]);
  });

  it('loses its connections again and again answers rightly or by a declared error', async () => {
    await through(async () => {
      for (let cuts = 0; cuts < 12; cuts++) {
        proxy.cut();
        await pause(200);
      }
      await load.everyAnswered();
    }, pass);
  });

  it('does what it is asked while its answers are lost acknowledges only what is stored', async () => {
    await through(
      async () => {
        await proxy.set({ answersAfterMs: 60_000 });
        await pause(2_000);
        proxy.cutUnanswered();
        await pause(500);
      },
      async () => {
        proxy.cut();
        await pass();
      },
    );
  });

  it('accepts and never answers makes nobody wait without end', async () => {
    const failing = await through(async () => {
      await forgotten('freeze');
      await load.everyAnswered();
    }, pass);
    expect(failing).to.include.members(['query', 'website', 'redirect', 'flag', 'login', 'track']);
  });

  it('refuses connections says so by 503, never that a key, a website, a link or a flag is unknown', async () => {
    const failing = await through(async () => {
      await forgotten('refuse');
      await load.everyAnswered();
    }, pass);
    expect(failing).to.include.members(['query', 'website', 'redirect', 'flag', 'login', 'track']);
  });

  it('was in trouble holds every event and link that was acknowledged, and each event once', async () => {
    await load.end();
    expect(ledger.stored.size).to.be.above(20);
    expect(await pageviews(call)).to.be.within(ledger.stored.size, ledger.sent.size);
    for (const eventId of ledger.sent) {
      if (ledger.stored.has(eventId)) continue;
      expect((await track(call, eventId)).status).to.equal(200);
    }
    expect(await pageviews(call)).to.equal(ledger.sent.size);
    expect(ledger.links).to.have.length.above(5);
    for (const slug of ledger.links) expect((await call('GET', `/${slug}`)).status, slug).to.equal(302);
  });

  const starting: readonly ['refuse' | 'freeze', readonly EntryPoint[]][] = [
    ['refuse', ['main-gateway', 'main-query', 'main-tracking', 'main-resources']],
    ['freeze', ['main-resources']],
  ];
  for (const [fault, entries] of starting) {
    it(`is away at their start (${fault}) say where and end with 1`, async () => {
      await proxy.set(fault);
      const uri = `mongodb://somebody:secret-word@127.0.0.1:${proxy.port}/db`;
      const settings = { ...system.environment, MONGODB_URI: uri };
      const began = performance.now();
      const starts = entries.map((entry) => startProcess(entry, settings).catch((thrown: unknown) => thrown));
      for (const start of await Promise.all(starts)) {
        expect(start).to.be.instanceOf(FailedStart);
        const { code, output } = start as FailedStart;
        expect(code).to.equal(1);
        expect(output).to.contain(`MONGODB_URI: no server of 127.0.0.1:${proxy.port} answers`);
        expect(output).to.not.contain('secret-word');
      }
      expect(performance.now() - began).to.be.below(GIVEN_UP_MS);
      await pass();
    });
  }
});
