/** Datasets that one statement answers together: exactly what each answers by itself, and which of them share one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { DATASETS } from '../../../services/query/datasets/index.ts';
import type { EventStore } from '../../../services/shared/ports/event-store.ts';
import { createDuckDbEventStore } from '../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { needsArguments } from '../../support/query/asked-datasets.ts';
import { describeOnEngines } from '../../support/query/engines.ts';
import { eventRecord } from '../../support/query/event.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { filterTrees } from '../../support/query/naive/filters.ts';
import { COMPARED, logs, ODD_PATHS } from '../../support/query/scenarios.ts';
import {
  type ShownDataset,
  type StartedQueryService,
  type StartOptions,
  startQueryService,
} from '../../support/query/start-query-service.ts';
import { withRun } from '../../support/query/with-run.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

/** Groups of events and of sessions, and a few datasets that are read by themselves between them. */
const NAMES = DATASETS.filter(
  (dataset) =>
    dataset.unit !== 'eachEvent' && !dataset.ofLinks && !dataset.fixedRange && !needsArguments(dataset),
).map(({ names: [main] }) => main);
/** These are asked for in most calls, since they share a statement. */
const NUMBERS = ['summary_metrics', 'summary', 'session_metrics', 'sessions_time_series'];

const scenario = fc.constantFrom(...COMPARED).chain(({ range, compare }) =>
  fc.record({
    range: fc.constant(range),
    // What is there at first, what comes later, of the same days.
    events: fc.tuple(logs(range, ODD_PATHS.astral), logs(range, ODD_PATHS.dollars)),
    // Two request objects, each with a page and granularity of its own.
    parts: fc.array(
      fc.record({
        parameters: fc
          .tuple(fc.subarray(NUMBERS), fc.shuffledSubarray(NAMES, { minLength: 3, maxLength: 7 }))
          .map((names) => [...new Set(names.flat())]),
        page: fc.record(
          {
            limit: fc.integer({ min: 1, max: 6 }),
            page: fc.integer({ min: 1, max: 2 }),
            granularity: fc.constantFrom('hourly', 'daily', 'monthly'),
          },
          { requiredKeys: [] },
        ),
      }),
      { minLength: 2, maxLength: 2 },
    ),
    terms: fc.record(
      {
        compare: fc.constant(compare),
        filters: filterTrees,
        sortBy: fc.constantFrom('name', 'pageviews', 'visitors', 'sessions', 'percentage', 'bounce_rate'),
        sortOrder: fc.constantFrom('asc', 'desc'),
        groupBy: fc.subarray(['country', 'path', 'properties.plan'], { minLength: 1, maxLength: 2 }),
      },
      { requiredKeys: [] },
    ),
  }),
);

/** One property for every store. `runs`: how many calls are tried. */
function answersAlike(start: (options: StartOptions) => Promise<StartedQueryService>, runs: number): void {
  let service: StartedQueryService;
  let websites = 0;
  before(async () => {
    service = await start({ log: [], now: NOW });
  });

  /** The answers to each request object, by dataset. */
  async function ask(
    websiteId: string,
    zone: string,
    body: readonly object[],
  ): Promise<Record<string, ShownDataset>[]> {
    const path = `/v1/query?website_id=${websiteId}&timezone=${zone}`;
    const answer = await service.call(path, { method: 'POST', body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    const results = answer.body.results as { data: ShownDataset[] }[];
    return results.map(({ data }) => Object.fromEntries(data.map((one) => [one.parameter, one])));
  }

  it('answers datasets of one call as each by itself, under writes, late events and erasures', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ range: { zone, ...dates }, events, parts, terms }) => {
        const id = `web_together_${++websites}`;
        const website = {
          id,
          organizationId: 'org_a',
          name: id,
          domain: `${websites}.example`,
          isPublic: false,
        };
        await service.documents.websites.insert({ ...website, settings: {} });
        const append = (log: (typeof events)[number]) =>
          service.events.append(
            log.map(({ timestamp, ...fields }) =>
              eventRecord({ ...fields, at: new Date(timestamp).toISOString(), website_id: id }),
            ),
          );
        const erase = (anonymousId: string) =>
          service.events.erase({ organizationId: 'org_a', websiteId: id, anonymousId });
        const steps = [() => append(events[0]), () => append(events[1]), () => erase('v1')];
        for (const step of steps) {
          await step();
          const requests = parts.map(({ parameters, page }) => ({ ...dates, ...terms, ...page, parameters }));
          const together = await ask(id, zone, requests);
          const alone: Record<string, ShownDataset>[] = [];
          for (const { parameters, ...request } of requests) {
            const own: Record<string, ShownDataset> = {};
            for (const name of parameters) {
              Object.assign(own, (await ask(id, zone, [{ ...request, parameters: [name] }]))[0]);
            }
            alone.push(own);
          }
          expect(together).to.deep.equal(alone);
        }
      }),
      { numRuns: runs, endOnFailure: true },
    );
  }).timeout(300_000);
}

describeOnEngines('datasets of one call', (start) => answersAlike(start, 8));

describe('datasets of one call, with answers remembered', () => {
  const directory = mkdtempSync(join(tmpdir(), 'tidegate-together-'));
  const started: { events: EventStore; service: StartedQueryService }[] = [];
  after(async () => {
    for (const { events, service } of started) {
      await service.close();
      await events.close();
    }
    rmSync(directory, { recursive: true, force: true });
  });
  answersAlike(async (options) => {
    const path = join(directory, 'events.duckdb');
    const events = await createDuckDbEventStore({ path, threads: 1, answersMb: 4 });
    const service = await startQueryService({ ...options, openEvents: async () => events });
    started.push({ events, service });
    return service;
  }, 4);
});

describe('the statements of a call', () => {
  let service: StartedQueryService;
  let statements = 0;
  before(async () => {
    const wrapEvents = (events: EventStore) =>
      withRun(events, (query, read) => {
        statements++;
        return events.run(query, read);
      });
    service = await startQueryService({ log: GOLDEN_LOG, now: GOLDEN_NOW, wrapEvents });
  });
  beforeEach(() => {
    statements = 0;
  });
  after(() => service.close());

  const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };
  const LISTS = ['top_pages', 'traffic_sources', 'countries', 'browsers'];

  it('are one for lists of the same events, whatever their pages', async () => {
    await service.query({ parameters: ['summary', ...LISTS], ...MARCH });
    expect(statements).to.equal(2);
    statements = 0;
    await service.query(LISTS.map((name, index) => ({ parameters: [name], ...MARCH, limit: index + 1 })));
    expect(statements).to.equal(1);
  });

  it('are one for rows and series of the same events, in each period', async () => {
    const parameters = ['summary_metrics', 'summary'];
    await service.query([
      { parameters, ...MARCH },
      { parameters: ['summary'], ...MARCH, granularity: 'hourly' },
    ]);
    expect(statements).to.equal(1);
    statements = 0;
    await service.query({ parameters, ...MARCH, compare: 'previous' });
    expect(statements).to.equal(2);
  });

  it('leave the first dataset of an answer in lines alone, which waits for no other', async () => {
    const parameters = ['summary_metrics', 'summary', ...LISTS];
    const accept = { accept: 'application/x-ndjson' };
    const body = { parameters, ...MARCH };
    const answer = await service.open('/v1/query?website_id=web_a', {
      method: 'POST',
      body,
      headers: accept,
    });
    await answer.text();
    expect(statements).to.equal(3);
  });

  it('are one more for the other period of these lists', async () => {
    await service.query({ parameters: ['summary', ...LISTS], ...MARCH, compare: 'previous' });
    expect(statements).to.equal(4);
  });

  it('are one for lists of the same sessions', async () => {
    await service.query({
      parameters: ['summary', 'session_channels', 'session_sources', 'session_referrers'],
      ...MARCH,
    });
    expect(statements).to.equal(2);
  });

  it('are one for each list of another range, and for one that is longer than a page of a screen', async () => {
    const days = LISTS.map((name, index) => ({
      name,
      startDate: '2025-03-29',
      endDate: `2025-03-${29 + (index % 3)}`,
    }));
    await service.query({ parameters: ['summary', ...days], ...MARCH });
    expect(statements).to.equal(4);
    statements = 0;
    await service.query({ parameters: ['summary', ...LISTS], ...MARCH, limit: 1_001 });
    expect(statements).to.equal(5);
  });
});
