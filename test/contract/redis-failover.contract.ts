/** What holds when a server of Redis is lost and its replica takes its place, for every form that has replicas. */
import { expect } from 'chai';
import { type OpenCounters, openCounters } from '../../gateway/process/stores/open-counters.ts';
import { PrometheusMetrics } from '../../services/shared/metrics/prometheus-metrics.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { LimitDecision, LimitUse, StoreFailure } from '../../services/shared/ports/counter-store.ts';
import { parseRedisUrl } from '../../services/shared/storage/redis/redis-address.ts';
import { RedisCounterStore } from '../../services/shared/storage/redis/redis-counter-store.ts';
import { createLogWatch } from '../support/log-watch.ts';
import { rejection } from '../support/rejection.ts';

export interface Failover {
  readonly url: string;
  /** Subjects whose counters the server holds that will be lost. */
  readonly subjects: readonly [string, string];
  /** Ends that server; nothing takes its place yet. */
  kill(): Promise<void>;
  /** Lets its replica take its place. */
  succeed(): Promise<void>;
}

const LIMIT = 50;
const BEFORE = 10;

function use(onStoreFailure: StoreFailure): LimitUse {
  return {
    name: onStoreFailure,
    limit: LIMIT,
    windowMs: 600_000,
    cost: 1,
    algorithm: 'fixed',
    onStoreFailure,
  };
}

/** Declares the tests over `get`'s servers, which serve when they begin and are another pair's afterwards. */
export function redisFailoverContract(name: string, get: () => Failover): void {
  it(`${name}: each limit keeps its word without the server, and counts go on with its replica, each call once`, async () => {
    const { url, subjects, kill, succeed } = get();
    const [subject, another] = subjects;
    const redis = parseRedisUrl(url);
    const watch = createLogWatch();
    const closers: (() => Promise<unknown>)[] = [];
    const bare = new RedisCounterStore({ address: redis, onConnection: () => {} });
    closers.push(() => bare.close());
    const gateways: OpenCounters[] = [];
    try {
      for (let count = 0; count < 2; count++) {
        const ports = { clock: systemClock, logger: watch.logger, metrics: new PrometheusMetrics() };
        gateways.push(
          await openCounters(
            { redis, counting: 'exact', quotaFile: '', cookieKey: new Uint8Array(32) },
            ports,
            closers,
          ),
        );
      }
      await bare.connected();
      for (const { counters } of gateways) await remotely(() => counters.decide(another, [use('closed')]));
      const [gateway] = gateways as [OpenCounters];
      const { counters } = gateway;
      let asked = 0;
      const ask = () => {
        asked++;
        return bare.decide(subject, [use('local')]);
      };
      for (let count = 0; count < BEFORE; count++) await remotely(ask);
      // By its word of the store alone: what it decides by itself would be known of no server.
      const known = await remotely(() => {
        asked++;
        return counters.decide(subject, [{ ...use('local'), onStoreFailure: 'closed' }]);
      });
      await kill();

      const gone = await rejection((async () => counters.decide(another, [use('closed')]))());
      expect(gone).to.include({ code: 'UPSTREAM_UNAVAILABLE' });
      const open = await counters.decide(another, [use('open')]);
      expect([open.admitted, open.states[0]?.remaining]).to.deep.equal([true, LIMIT]);
      const left = known.states[0]?.remaining ?? 0;
      const alone: boolean[] = [];
      for (let count = 0; count <= left; count++)
        alone.push((await counters.decide(subject, [use('local')])).admitted);
      expect(alone).to.deep.equal([...Array(left).fill(true), false]);
      expect(await rejection(ask()), 'nobody decides without the replica').to.be.instanceOf(Error);

      await succeed();
      const first = await remotely(ask);
      expect(LIMIT - (first.states[0]?.remaining ?? 0), 'each call at most once').to.be.within(
        BEFORE + 2,
        asked,
      );
      const next = await remotely(ask);
      expect(next.states[0]?.remaining).to.equal((first.states[0]?.remaining ?? 0) - 1);

      for (const each of gateways) await remotely(() => each.counters.decide(another, [use('closed')]));
      const decisions = await Promise.all(
        Array.from({ length: 200 }, (_, index) =>
          gateways[index % 2]?.counters.decide(another, [{ ...use('local'), name: 'afterwards' }]),
        ),
      );
      expect(decisions.filter((decision) => decision?.admitted)).to.have.length(LIMIT);
    } finally {
      for (const close of closers.reverse()) await close();
      watch.assertClean();
    }
  });
}

/** A decision of the store, asked for until it makes one. */
async function remotely(ask: () => LimitDecision | Promise<LimitDecision>): Promise<LimitDecision> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
