/** Usage adds up by organization and month, is written in batches, and outlives a store that does not answer. */
import { expect } from 'chai';
import type { UsageIncrement } from '../../../../services/shared/model/organization-usage.ts';
import { createUsageCounter } from '../../../../services/shared/usage/usage-counter.ts';
import { createStrictLogger } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

describe('the usage counter', () => {
  const setUp = async () => {
    const clock = createTestClock('2026-01-31T23:59:59.000Z');
    const documents = createMemoryDocumentStore(clock);
    for (const id of ['org_a', 'org_b', 'org_c']) {
      await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
    }
    const create = () => createUsageCounter({ documents, clock, logger: createStrictLogger() });
    const stored = async (organizationId: string) =>
      (await documents.organizationUsage.all(organizationId)).map(({ month, requests, events }) => [
        month,
        requests,
        events,
      ]);
    return { clock, documents, create, stored };
  };

  it('adds up what several counters saw, apart by organization', async () => {
    const { create, stored } = await setUp();
    const [one, two] = [create(), create()];
    for (let i = 0; i < 1000; i++) {
      one.addRequest('org_a');
      two.addRequest(i % 2 === 0 ? 'org_a' : 'org_b');
    }
    one.addEvents('org_b', 7);
    one.addEvents('org_c', 0);
    await Promise.all([one.close(), two.close()]);
    await one.flush();
    expect(await stored('org_a')).to.deep.equal([['2026-01', 1500, 0]]);
    expect(await stored('org_b')).to.deep.equal([['2026-01', 500, 7]]);
    expect(await stored('org_c')).to.deep.equal([]);
  });

  it('counts in the month in which it happened, in UTC, whenever it is written', async () => {
    const { clock, create, stored } = await setUp();
    const usage = create();
    usage.addRequest('org_a');
    clock.advance(1_000);
    usage.addRequest('org_a');
    usage.addRequest('org_a');
    clock.advance(-1);
    usage.addRequest('org_a');
    await usage.close();
    expect(await stored('org_a')).to.deep.equal([
      ['2026-01', 2, 0],
      ['2026-02', 2, 0],
    ]);
  });

  it('writes a thousand organizations at a time, and what is counted meanwhile the next time', async () => {
    const { clock } = await setUp();
    const writes: number[] = [];
    const usage = createUsageCounter({
      clock,
      logger: createStrictLogger(),
      documents: {
        async addUsage(increments) {
          writes.push(increments.length);
          if (writes.length === 1) usage.addRequest('org_0');
        },
      },
    });
    for (let i = 0; i < 2500; i++) usage.addRequest(`org_${i}`);
    await usage.flush();
    expect(writes).to.deep.equal([1000, 1000, 500]);
    await usage.close();
    expect(writes.slice(3)).to.deep.equal([1]);
  });

  it('keeps what a store did not take, says so, and writes it with the rest later, once', async () => {
    const { clock } = await setUp();
    const taken = new Map<string, number>();
    const warned: unknown[] = [];
    let down = 1;
    const usage = createUsageCounter({
      clock,
      logger: { warn: (...line: unknown[]) => warned.push(line) },
      documents: {
        async addUsage(increments: readonly UsageIncrement[]) {
          // The first thousand is taken, the second is not.
          if (taken.size > 0 && down-- > 0) throw new Error('the disk is full');
          for (const { organizationId, requests } of increments) {
            taken.set(organizationId, (taken.get(organizationId) ?? 0) + requests);
          }
        },
      },
    });
    for (let i = 0; i < 1500; i++) usage.addRequest(`org_${i}`);
    await usage.flush();
    expect(taken.size).to.equal(1000);
    expect(warned).to.have.length(1);
    usage.addRequest('org_1499');
    await usage.close();
    expect(taken.size).to.equal(1500);
    expect([taken.get('org_0'), taken.get('org_1400'), taken.get('org_1499')]).to.deep.equal([1, 1, 2]);
  });

  it('holds at most 100,000 counts between two writes, and tells how much it did not count', async () => {
    const { clock } = await setUp();
    const warned: unknown[] = [];
    let written = 0;
    const usage = createUsageCounter({
      clock,
      logger: { warn: (line: unknown) => warned.push(line) },
      documents: {
        async addUsage(increments) {
          written += increments.length;
        },
      },
    });
    for (let i = 0; i < 100_003; i++) usage.addRequest(`org_${i}`);
    await usage.close();
    expect(written).to.equal(100_000);
    expect(warned).to.deep.equal([{ requests: 3, events: 0 }]);
  });
});
