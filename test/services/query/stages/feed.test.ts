/** Feeds: whatever arrives in whatever order, each event is given once, and none that came is left out. */
import { expect } from 'chai';
import fc from 'fast-check';
import { MOST_GIVEN } from '../../../../services/query/stages/feed.ts';
import type { EventRecord } from '../../../../services/shared/model/event-record.ts';
import { openColumnEvents } from '../../../support/columns/column-events.ts';
import { eventRecord } from '../../../support/query/event.ts';
import { type StartedQueryService, startQueryService } from '../../../support/query/start-query-service.ts';

const BEGIN = Date.parse('2025-04-02T10:00:00.000Z');
const MINUTE_MS = 60_000;

interface Feed {
  readonly data: readonly { readonly timestamp: string; readonly event_name: string }[];
  readonly cursor: string;
  readonly error?: string;
}

describe('feeds', () => {
  for (const [engine, openEvents] of Object.entries({ table: undefined, columns: openColumnEvents })) {
    describe(`over the ${engine}`, () => {
      let service: StartedQueryService;
      let website = 0;
      const clock = { now: BEGIN };
      before(async () => {
        const options = { log: [], ...(openEvents ? { openEvents } : {}) };
        service = await startQueryService({
          ...options,
          get now() {
            return clock.now;
          },
        });
      });
      after(() => service?.close());
      beforeEach(() => {
        clock.now = BEGIN;
      });

      async function newWebsite(): Promise<string> {
        website += 1;
        const id = `web_feed_${website}`;
        await service.documents.websites.insert({
          id,
          organizationId: 'org_a',
          name: id,
          domain: `${id}.example`,
          isPublic: false,
          settings: {},
        });
        return id;
      }

      async function ask(websiteId: string, cursor?: string, further: object = {}): Promise<Feed> {
        const { limit, filters, ...others } = { limit: 1000, filters: [], ...further };
        const answer = await service.call(`/v1/query?website_id=${websiteId}`, {
          method: 'POST',
          body: { parameters: [{ name: 'events_live', cursor }], limit, filters, ...others },
        });
        expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
        return (answer.body.data as Feed[])[0] as Feed;
      }

      const store = (websiteId: string, ...events: readonly (readonly [ms: number, name: string])[]) =>
        service.events.append(
          events.map(
            ([ms, event_name]): EventRecord =>
              eventRecord({ at: new Date(ms).toISOString(), event_name, website_id: websiteId }),
          ),
        );
      const namesOf = ({ data }: Feed) => data.map(({ event_name }) => event_name);

      it('give a late event with the next answer, alike events as often as they came, and nothing twice', async () => {
        const id = await newWebsite();
        await store(id, [BEGIN - 10_000, 'first'], [BEGIN - 5_000, 'same'], [BEGIN - 5_000, 'same']);
        const one = await ask(id);
        expect(namesOf(one)).to.deep.equal(['same', 'same', 'first']);
        await store(id, [BEGIN - 60_000, 'late'], [BEGIN - 5_000, 'same'], [BEGIN - 1_000, 'new']);
        const two = await ask(id, one.cursor);
        expect(namesOf(two)).to.deep.equal(['new', 'same', 'late']);
        const three = await ask(id, two.cursor);
        expect(namesOf(three)).to.deep.equal([]);
        // An answer that was lost is asked for again.
        expect(namesOf(await ask(id, one.cursor))).to.deep.equal(['new', 'same', 'late']);
      });

      it('give those that fit, the oldest new ones first, and go on', async () => {
        const id = await newWebsite();
        const { cursor } = await ask(id);
        const names = Array.from({ length: 7 }, (_, index) => `e${index}`);
        await store(id, ...names.map((name, index) => [BEGIN - 9_000 + index, name] as const));
        const found: string[][] = [];
        let next = cursor;
        for (let call = 0; call < 4; call++) {
          const answer = await ask(id, next, { limit: 3 });
          found.push(namesOf(answer));
          next = answer.cursor;
        }
        expect(found).to.deep.equal([['e2', 'e1', 'e0'], ['e5', 'e4', 'e3'], ['e6'], []]);
      });

      it('begin with the newest events, and leave out what is older than these', async () => {
        const id = await newWebsite();
        const names = Array.from({ length: 5 }, (_, index) => `e${index}`);
        await store(id, ...names.map((name, index) => [BEGIN - 9_000 + index, name] as const));
        const one = await ask(id, undefined, { limit: 2 });
        expect(namesOf(one)).to.deep.equal(['e4', 'e3']);
        await store(id, [BEGIN - 60_000, 'older'], [BEGIN - 9_000 + 3, 'beside']);
        expect(namesOf(await ask(id, one.cursor))).to.deep.equal(['beside']);
      });

      it('tell a bounded number of given events apart, and forget those of more than half an hour ago', async () => {
        const id = await newWebsite();
        const many = Array.from(
          { length: 2 * MOST_GIVEN },
          (_, index) => [BEGIN - 9_000 + index, 'x'] as const,
        );
        await store(id, ...many);
        const one = await ask(id);
        expect(one.data).to.have.length(2 * MOST_GIVEN);
        expect(one.cursor.length).to.be.below(8_192);
        await store(id, [BEGIN - 9_001, 'older'], [BEGIN, 'new']);
        const two = await ask(id, one.cursor);
        expect(namesOf(two)).to.deep.equal(['new']);
        clock.now = BEGIN + 31 * MINUTE_MS;
        const three = await ask(id, two.cursor);
        expect(three.data).to.deep.equal([]);
        expect(three.cursor.length).to.be.below(100);
      });

      it('refuse a cursor of another website, of other filters, a made up one, and an order', async () => {
        const [id, other] = [await newWebsite(), await newWebsite()];
        const { cursor } = await ask(id);
        const filters = [{ field: 'path', op: 'eq', value: '/' }];
        const message = 'No cursor of "events_live" about these events and filters; ask without one.';
        for (const asked of [
          ask(other, cursor),
          ask(id, cursor, { filters }),
          ask(id, 'AAAA'),
          ask(id, `${cursor}A`),
          ask(id, `${cursor.slice(0, -4)}!!!!`),
        ]) {
          expect((await asked).error).to.equal(message);
        }
        for (const own of ['sortBy', 'sortOrder']) {
          const { error } = await ask(id, cursor, { [own]: own === 'sortBy' ? 'timestamp' : 'asc' });
          expect(error).to.include(`takes no ${own}`);
        }
        expect((await ask(id, cursor, { page: 2 })).error).to.include('takes no page');
      });

      it('give every event of the last half hour exactly once, in any order of arrival', async () => {
        const arrivals = fc.array(
          fc.record({
            stored: fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.constantFrom('a', 'b')), {
              maxLength: 6,
            }),
            limit: fc.integer({ min: 1, max: 6 }),
            passes: fc.constantFrom(0, 1_000, MINUTE_MS),
          }),
          { minLength: 1, maxLength: 6 },
        );
        await fc.assert(
          fc.asyncProperty(arrivals, async (steps) => {
            clock.now = BEGIN;
            const id = await newWebsite();
            let { cursor } = await ask(id);
            const [came, given]: string[][] = [[], []];
            const take = async (limit: number) => {
              const answer = await ask(id, cursor, { limit });
              cursor = answer.cursor;
              const rows = answer.data.map(({ timestamp, event_name }) => `${timestamp} ${event_name}`);
              const instants = answer.data.map(({ timestamp }) => timestamp);
              expect(instants).to.deep.equal([...instants].sort().reverse());
              given?.push(...rows);
              return rows.length;
            };
            for (const { stored, limit, passes } of steps) {
              clock.now += passes;
              const events = stored.map(([ago, name]) => [clock.now - 1_000 * ago, name] as const);
              if (events.length > 0) await store(id, ...events);
              came?.push(...events.map(([ms, name]) => `${new Date(ms).toISOString()} ${name}`));
              await take(limit);
            }
            while ((await take(1000)) > 0);
            expect(given?.sort()).to.deep.equal(came?.sort());
          }),
          { numRuns: 12, endOnFailure: true },
        );
      }).timeout(180_000);
    });
  }
});
