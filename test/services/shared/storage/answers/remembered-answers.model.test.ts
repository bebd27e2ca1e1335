/** Model: an embedded store that remembers answers shows what a plain list holds, after and during whatever happens. */
import { expect } from 'chai';
import type { EventRecord } from '../../../../../services/shared/model/event-record.ts';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
} from '../../../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { seededNumbers } from '../../../../support/columns/arrival-model.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';

const DAY_MS = 86_400_000;
const WEBSITES = ['web_a', 'web_b', null] as const;
const VISITORS = ['anna', 'bert', 'carl'] as const;
const STEPS = 150;

describe('an embedded store that remembers answers', () => {
  let directory: TempDirectory;
  let store: DuckDbEventStore;
  let held: EventRecord[];

  beforeEach(async () => {
    directory = createTempDirectory();
    store = await createDuckDbEventStore({ path: directory.file('events.duckdb'), threads: 1, answersMb: 8 });
    held = [];
  });
  afterEach(async () => {
    await store.close();
    directory.remove();
  });

  interface Asked {
    readonly websiteId: (typeof WEBSITES)[number];
    readonly from: number;
    readonly to: number;
  }
  const answer = async ({ websiteId, from, to }: Asked): Promise<string[]> => {
    const rows = await store.run(
      {
        engine: 'duckdb',
        sql: `SELECT title FROM events WHERE website_id IS NOT DISTINCT FROM $website
          AND "timestamp" >= make_timestamp($from::BIGINT * 1000) AND "timestamp" < make_timestamp($to::BIGINT * 1000)`,
        params: { website: websiteId, from, to },
      },
      {
        reach: {
          organizationId: 'org_a',
          websiteIds: websiteId === null ? [] : [websiteId],
          organizationEvents: websiteId === null,
          range: { from, to },
        },
      },
    );
    return rows.map(({ title }) => String(title)).sort();
  };
  const expected = ({ websiteId, from, to }: Asked): string[] =>
    held
      .filter((event) => event.website_id === websiteId && event.timestamp >= from && event.timestamp < to)
      .map(({ title }) => String(title))
      .sort();

  for (const seed of [1, 2, 3, 4]) {
    it(`shows after each write what a plain list holds, and remembers what no write touched (seed ${seed})`, async () => {
      const random = seededNumbers(seed);
      const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
      // Few enough that most are asked again.
      const asked: Asked[] = WEBSITES.flatMap((websiteId) =>
        [
          [0, 3],
          [3, 4],
          [2, 9],
        ].map(([from = 0, to = 0]) => ({ websiteId, from: from * DAY_MS, to: to * DAY_MS })),
      );
      for (let step = 0; step < STEPS; step++) {
        // Some queries run while something is written: they may or may not see it, and later ones must.
        const meanwhile = Promise.all([pick(asked), pick(asked)].map(answer));
        const kind = random(10);
        if (kind < 7) {
          const events = Array.from({ length: 1 + random(3) }, (_, i) =>
            eventRecord({
              organization_id: 'org_a',
              title: `t${step}-${i}`,
              event_id: `e${step}-${i}`,
              website_id: pick(WEBSITES),
              anonymous_id: pick(VISITORS),
              timestamp: random(9) * DAY_MS + random(DAY_MS),
            }),
          );
          await store.append(events);
          held.push(...events);
        } else if (kind === 7) {
          const selection = {
            organizationId: 'org_a',
            websiteId: pick(WEBSITES),
            anonymousId: pick(VISITORS),
          };
          await store.erase(selection);
          held = held.filter(
            (event) =>
              event.anonymous_id !== selection.anonymousId ||
              (selection.websiteId !== null && event.website_id !== selection.websiteId),
          );
        } else if (kind === 8 && random(4) === 0) {
          const before = random(5) * DAY_MS;
          await store.erase({ organizationId: 'org_a', websiteId: null, anonymousId: null, before });
          held = held.filter(({ timestamp }) => timestamp >= before);
        }
        for (const each of [pick(asked), pick(asked), pick(asked), pick(asked)])
          expect(await answer(each), `step ${step}`).to.deep.equal(expected(each));
        await meanwhile;
      }
      for (const each of asked) expect(await answer(each)).to.deep.equal(expected(each));
      expect(store.answers.hits).to.be.above(50);
      expect(store.answers.misses).to.be.above(50);
    }).timeout(60_000);
  }

  it('remembers old days while events of today come, and nothing that a late event or an erasure touches', async () => {
    const day = (of: number): Asked => ({ websiteId: 'web_a', from: of * DAY_MS, to: (of + 1) * DAY_MS });
    const add = async (title: string, of: number) => {
      const event = eventRecord({
        organization_id: 'org_a',
        website_id: 'web_a',
        title,
        timestamp: of * DAY_MS,
      });
      await store.append([event]);
    };
    await add('a', 1);
    expect(await answer(day(1))).to.deep.equal(['a']);
    await add('today', 5);
    const { hits } = store.answers;
    expect(await answer(day(1))).to.deep.equal(['a']);
    expect(store.answers.hits).to.equal(hits + 1);
    await add('late', 1);
    expect(await answer(day(1))).to.deep.equal(['a', 'late']);
    expect(await answer(day(1))).to.deep.equal(['a', 'late']);
    expect(store.answers.hits).to.equal(hits + 2);
    await store.erase({ organizationId: 'org_a', websiteId: null, anonymousId: null, before: 2 * DAY_MS });
    expect(await answer(day(1))).to.deep.equal([]);
  });
});
