/** Counts over time stand in the minute in which they happened, are bounded, and outlive a store that does not answer. */
import { expect } from 'chai';
import type { ActivityIncrement } from '../../../../services/shared/model/activity.ts';
import { createActivityCounter } from '../../../../services/shared/usage/activity-counter.ts';
import { createLogWatch, createStrictLogger } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

describe('the counter over time', () => {
  const setUp = async () => {
    const clock = createTestClock('2026-01-31T23:58:59.000Z');
    const documents = createMemoryDocumentStore(clock);
    for (const id of ['org_a', 'org_b']) {
      await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
    }
    const create = () =>
      createActivityCounter('requests', { documents, clock, logger: createStrictLogger() });
    const stored = async (organizationId: string, grain: string) =>
      (await documents.activity.all(organizationId))
        .filter(({ series }) => series.includes(grain))
        .map(({ startsAt, counts }) => [startsAt.slice(5, 16), counts]);
    return { clock, documents, create, stored };
  };

  it('adds up what several counters saw, by minute and by hour, apart by organization', async () => {
    const { clock, create, stored } = await setUp();
    const [one, two] = [create(), create()];
    for (let i = 0; i < 10; i++) {
      one.add('org_a', null, 'x', 'spare', 1);
      two.add('org_a', null, i % 2 === 0 ? 'x' : 'y', 'spare', 3);
    }
    await one.flush();
    clock.advance(1_000);
    one.add('org_a', null, 'x', 'spare', 1);
    clock.advance(60_000);
    one.add('org_a', null, 'x', 'spare', 1);
    two.add('org_b', null, 'x', 'spare', 7);
    await Promise.all([one.close(), two.close()]);
    expect(await stored('org_a', 'minute')).to.deep.equal([
      ['01-31T23:00', { '58|x': 25, '58|y': 15, '59|x': 1 }],
      ['02-01T00:00', { '0|x': 1 }],
    ]);
    expect(await stored('org_a', 'hour')).to.deep.equal([
      ['01-31T00:00', { '23|x': 26, '23|y': 15 }],
      ['02-01T00:00', { '0|x': 1 }],
    ]);
    expect(await stored('org_b', 'hour')).to.deep.equal([['02-01T00:00', { '0|x': 7 }]]);
  });

  it('tells 400 sets of labels apart within an hour, and counts further ones as the spare', async () => {
    const { clock, create, stored } = await setUp();
    const counter = create();
    for (let i = 0; i < 450; i++) counter.add('org_a', null, `label ${i}`, 'spare', 1);
    await counter.flush();
    for (let i = 0; i < 450; i++) counter.add('org_a', null, `label ${i}`, 'spare', 1);
    clock.advance(120_000);
    counter.add('org_a', null, 'of the next hour', 'spare', 1);
    await counter.close();
    const [[, first], [, second]] = (await stored('org_a', 'minute')) as [[string, object], [string, object]];
    expect(Object.keys(first)).to.have.length(401);
    expect(first).to.include({ '58|label 399': 2, '58|spare': 100 });
    expect(second).to.deep.equal({ '0|of the next hour': 1 });
  });

  it('tells 4,000 counts of a subject apart within an hour, so that its document stays small', async () => {
    const { clock, create, stored } = await setUp();
    clock.advance(61_000);
    const counter = create();
    for (let minute = 0; minute < 30; minute++) {
      for (let i = 0; i < 200; i++) counter.add('org_a', null, `label ${i}`, 'spare', 1);
      await counter.flush();
      for (let i = 0; i < 200; i++) counter.add('org_a', null, `label ${i}`, 'spare', 1);
      clock.advance(60_000);
    }
    await counter.close();
    const [[, counts]] = (await stored('org_a', 'minute')) as [[string, Record<string, number>]];
    const named = Object.keys(counts).filter((name) => !name.endsWith('spare'));
    expect(named).to.have.length(4_000);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).to.equal(30 * 400);
  });

  it('forgets what was used when there are more subjects than it tells apart, and counts all', async () => {
    const { documents, create, stored } = await setUp();
    const counter = create();
    counter.add('org_a', null, 'x', 'spare', 1);
    for (let i = 0; i < 20_001; i++) counter.add(`org_of_nobody_${i}`, null, 'x', 'spare', 1);
    counter.add('org_a', null, 'x', 'spare', 1);
    await counter.close();
    expect(await stored('org_a', 'hour')).to.deep.equal([['01-31T00:00', { '23|x': 2 }]]);
    expect(await documents.activity.all('org_of_nobody_1')).to.deep.equal([]);
  });

  it('keeps what the store did not take, and writes it once', async () => {
    const { clock } = await setUp();
    const written: ActivityIncrement[] = [];
    let isDown = true;
    const log = createLogWatch();
    const documents = {
      async addActivity(increments: readonly ActivityIncrement[]) {
        if (isDown) throw new Error('down');
        written.push(...increments);
      },
    };
    const counter = createActivityCounter('requests', { documents, clock, logger: log.logger });
    counter.add('org_a', null, 'x', 'spare', 2);
    await counter.flush();
    counter.add('org_a', null, 'x', 'spare', 3);
    clock.advance(60_000);
    counter.add('org_a', null, 'x', 'spare', 4);
    await counter.flush();
    expect(log.lines.join('')).to.include('counts could not be written; tried again');
    isDown = false;
    await counter.flush();
    await counter.close();
    const minutes = written.filter(({ grain }) => grain === 'minute').map(({ counts }) => counts);
    expect(minutes).to.deep.equal([{ '58|x': 5, '59|x': 4 }]);
  });

  it('holds a bounded number of counts while nothing is written, and tells how many it dropped', async () => {
    const { clock } = await setUp();
    const log = createLogWatch();
    const documents = { addActivity: async () => undefined };
    const counter = createActivityCounter('requests', { documents, clock, logger: log.logger });
    for (let i = 0; i < 50_100; i++) counter.add(`org_${i}`, null, 'x', 'spare', 1);
    await counter.close();
    expect(log.lines.join('')).to.include('too many counts wait');
  });
});
