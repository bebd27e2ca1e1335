/** A flood of requests whose organization's queue the service called full: refused at the gateway until there may be room. */
import type { ServerResponse } from 'node:http';
import { expect } from 'chai';
import { createForwardedHeaders } from '../../../plugins/kit/forwarded-headers.ts';
import { FullQueues, type QueuePlace } from '../../../plugins/proxy/full-queues.ts';
import { ApiError } from '../../../services/shared/errors/api-error.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import type { LimitUse } from '../../../services/shared/ports/counter-store.ts';
import { MemoryCounterStore } from '../../../services/shared/storage/memory/memory-counter-store.ts';
import { expectCommonHeaders } from '../../support/answers.ts';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import { until } from '../../support/until.ts';

const FULL = { 'x-tidegate-queue-full': 'organization', 'retry-after': '5' };
const CUSTOM_SQL: LimitUse = {
  name: 'custom-sql',
  limit: 30,
  windowMs: 60_000,
  cost: 1,
  algorithm: 'fixed',
  onStoreFailure: 'local',
};

describe('a full queue of one organization', () => {
  describe('at the gateway', () => {
    let gateway: TestGateway;
    let upstream: Awaited<ReturnType<typeof startUpstream>>;
    let counters: MemoryCounterStore;
    let answer: (res: ServerResponse) => void;
    let came = 0;

    beforeEach(async () => {
      came = 0;
      upstream = await startUpstream((req, res) => {
        req.resume();
        req.on('end', () => {
          came++;
          answer(res);
        });
      });
      counters = new MemoryCounterStore(systemClock);
      gateway = await startGateway({ upstream: upstream.origin, counters });
    });
    afterEach(async () => {
      await gateway.close();
      await upstream.close();
    });

    const ask = (path = '/v1/query/custom') =>
      fetch(gateway.origin + path, {
        method: 'POST',
        headers: { 'x-api-key': gateway.key, 'content-type': 'application/json' },
        body: '{}',
      });
    const refuse = (res: ServerResponse) => res.writeHead(503, FULL).end('{}');

    /** One request that the service holds, and one that it refused because of that. */
    async function fill(): Promise<{ end: () => void; held: Promise<Response> }> {
      let end = () => undefined as unknown;
      answer = (res) => {
        end = () => res.end('{}');
      };
      const held = ask();
      await until('the service holds it', () => came === 1);
      answer = refuse;
      const refused = await ask();
      expect([refused.status, refused.headers.get('x-tidegate-queue-full')]).to.deep.equal([503, null]);
      return { end: () => void end(), held };
    }

    it('refuses further requests with the same 503, which count like any other and reach no service', async () => {
      const { end, held } = await fill();
      const before = came;
      const left = () => counters.peek('organization:org_t', CUSTOM_SQL).remaining;
      const leftBefore = left();
      const texts: unknown[] = [];
      for (let sent = 0; sent < 10; sent++) {
        const refused = await ask();
        expect([refused.status, refused.headers.get('retry-after')]).to.deep.equal([503, '5']);
        expectCommonHeaders(refused.headers);
        texts.push(((await refused.json()) as { readonly error?: string }).error);
      }
      // Each second one asks the service again.
      expect(came - before).to.be.at.most(5);
      expect(leftBefore - left()).to.equal(10);
      expect(texts).to.include(
        'As many requests of this organization as may wait here wait already; try again shortly.',
      );
      end();
      await held;
    });

    it('lets requests through as soon as one is over, and those of other endpoints at any time', async () => {
      const { end, held } = await fill();
      answer = (res) => res.end('{}');
      expect((await ask('/v1/query')).status).to.equal(200);
      end();
      expect((await held).status).to.equal(200);
      expect((await ask()).status).to.equal(200);
    });

    it('is 429 once the limit of requests is used up by refusals', async () => {
      const { end, held } = await fill();
      const statuses: number[] = [];
      for (let sent = 2; sent < 31; sent++) statuses.push((await ask()).status);
      expect(statuses.slice(0, -1)).to.deep.equal(Array.from({ length: 28 }, () => 503));
      expect(statuses.at(-1)).to.equal(429);
      end();
      await held;
    });

    it('is no header that reaches a client', () => {
      const { responseName } = createForwardedHeaders(() => true);
      for (const name of ['x-tidegate-queue-full', 'X_Tidegate_Queue_Full']) {
        expect(responseName(name)).to.equal(false);
      }
    });
  });

  describe('as it is remembered', () => {
    let nowMs = 0;
    let queues: FullQueues;
    beforeEach(() => {
      nowMs = 0;
      queues = new FullQueues(() => nowMs);
    });

    const enter = (organizationId = 'org_a'): QueuePlace => {
      const place = queues.enter(organizationId);
      if (place instanceof ApiError) throw place;
      return place;
    };
    const isRefused = (organizationId = 'org_a'): boolean => {
      const place = queues.enter(organizationId);
      if (place instanceof ApiError) return true;
      place.leave(true);
      return false;
    };
    const isFull = (place: QueuePlace) => {
      place.answers(503, FULL);
      place.leave(true);
    };

    it('is that of one organization', () => {
      enter();
      isFull(enter());
      expect([isRefused(), isRefused('org_b')]).to.deep.equal([true, false]);
    });

    it('is forgotten when one begins to run, when one is over, and after a second', () => {
      const first = enter();
      isFull(enter());
      first.answers(102, {});
      expect(isRefused()).to.equal(false);
      isFull(enter());
      expect(isRefused()).to.equal(true);
      nowMs += 1_001;
      expect(isRefused()).to.equal(false);
      isFull(enter());
      first.leave(false);
      expect(isRefused()).to.equal(false);
      expect(queues.size).to.equal(0);
    });

    it('is not believed when one was over while the refusal was under way, or none is under way here', () => {
      const [first, second, late] = [enter(), enter(), enter()];
      first.leave(false);
      isFull(late);
      expect(isRefused()).to.equal(false);
      second.leave(false);
      isFull(enter());
      expect(isRefused()).to.equal(false);
    });

    it('is nothing but what the header says: another 503 is one for this request alone', () => {
      enter();
      const other = enter();
      other.answers(503, { 'retry-after': '5' });
      other.leave(false);
      expect(isRefused()).to.equal(false);
    });
  });
});
