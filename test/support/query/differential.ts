/** Asks services of several engines the same of the same events, and compares their answers with each other and a naive evaluation. */
import { expect } from 'chai';
import fc from 'fast-check';
import { DATASETS } from '../../../services/query/datasets/index.ts';
import type { EventRecord } from '../../../services/shared/model/event-record.ts';
import type { EventStore } from '../../../services/shared/ports/event-store.ts';
import {
  asked,
  askedWithGoals,
  datasetNames,
  datasetsOfGoals,
  type GivenArguments,
  givenArguments,
  inParts,
} from './asked-datasets.ts';
import { eventRecord } from './event.ts';
import type { NaiveRange } from './naive/calendar.ts';
import { compareNaively, type NaiveCompare, naivePeriod } from './naive/compare.ts';
import { evaluateNaively, type Keep } from './naive/evaluate.ts';
import { type FilterNode, filters, keptBy } from './naive/filters.ts';
import { goalIdOf, NAIVE_GOALS, type NaiveGoal } from './naive/goals.ts';
import { COMPARED, instants, logs, parametersOf, RANGES } from './scenarios.ts';
import { type ShownDataset, type StartedQueryService, startQueryService } from './start-query-service.ts';
import { storedGoal } from './stored-goal.ts';

/** Services over the same websites, by the name of their engine, whose clock is moved. */
export interface Engines {
  readonly services: Readonly<Record<string, StartedQueryService>>;
  /** A website that no run before had, with these events, whose other fields are those of `eventRecord`. */
  newWebsite(log: Log, now: number): Promise<{ websiteId: string; records: EventRecord[] }>;
  close(): Promise<void>;
}

type Log = readonly (Partial<EventRecord> & { readonly timestamp: number })[];

/** `openEvents` null: the embedded store. */
export async function startEngines(
  openEvents: Readonly<Record<string, (() => Promise<EventStore>) | null>>,
): Promise<Engines> {
  const clock = { now: 0 };
  const services: Record<string, StartedQueryService> = {};
  for (const [engine, open] of Object.entries(openEvents)) {
    services[engine] = await startQueryService({
      log: [],
      get now() {
        return clock.now;
      },
      ...(open ? { openEvents: open } : {}),
    });
  }
  let websites = 0;
  return {
    services,
    async newWebsite(log, now) {
      clock.now = now;
      websites += 1;
      const id = `web_run_${websites}`;
      const records = log.map(({ timestamp, ...fields }) =>
        eventRecord({ ...fields, at: new Date(timestamp).toISOString(), website_id: id }),
      );
      for (const { documents, events } of Object.values(services)) {
        const domain = `${id}.example`;
        const website = { id, organizationId: 'org_a', name: id, domain, isPublic: false, settings: {} };
        await documents.websites.insert(website);
        for (const [place, { stored, reachedBy: _, ...goal }] of NAIVE_GOALS.entries()) {
          const fields = { ...goal, ...stored, websiteId: id };
          await documents.goals.insert(storedGoal(goalIdOf(id, place), fields));
        }
        await events.append(records);
      }
      return { websiteId: id, records };
    },
    async close() {
      for (const service of Object.values(services)) await service.close();
    },
  };
}

/** A request for a page of a list, ordered and grouped further. */
interface ListRequest {
  readonly parameters: readonly [string | object];
  readonly limit: number;
  readonly page: number;
  readonly sortBy?: string;
  readonly sortOrder?: 'asc' | 'desc';
  readonly groupBy?: readonly string[];
  readonly search?: string;
}

const PROPERTIES = ['properties.plan', 'properties.n', 'properties.a/b'];

/** Of any of these lists, by any of its columns; most of them can be answered. */
const listRequests = (names: readonly string[]): fc.Arbitrary<ListRequest> =>
  fc
    .constantFrom(...DATASETS.filter(({ kind, names: [main] }) => kind === 'list' && names.includes(main)))
    .chain(({ names: [main], columns, extraDimensions }) => {
      const fields = extraDimensions.flatMap((field) => (field.includes('<') ? PROPERTIES : [field]));
      return fc.record(
        {
          parameters: fc.constant<readonly [string | object]>([asked(main)]),
          limit: fc.integer({ min: 1, max: 12 }),
          page: fc.integer({ min: 1, max: 3 }),
          sortBy: fc.constantFrom(...columns.map(({ name }) => name)),
          sortOrder: fc.constantFrom('asc' as const, 'desc' as const),
          groupBy: fields.length === 0 ? fc.constant([]) : fc.subarray(fields, { maxLength: 3 }),
          search: fc.constantFrom('P', 'unknown', '/', 'ü', '%'),
        },
        { requiredKeys: ['parameters', 'limit', 'page'] },
      );
    });

/** The goals of a website, and which of them a list of sessions is asked for. */
function goalsOf(websiteId: string) {
  const goals: Record<string, NaiveGoal> = {};
  for (const [index, name] of datasetsOfGoals().entries()) {
    const goal = NAIVE_GOALS[index % NAIVE_GOALS.length];
    if (goal) goals[name] = goal;
  }
  return { goals, goalIdOf: (place: number) => goalIdOf(websiteId, place) };
}

/** Every dataset, those that count a goal also with one. */
function parametersOn(websiteId: string, range: NaiveRange, given: GivenArguments): (string | object)[] {
  const withGoals = askedWithGoals(NAIVE_GOALS.length, goalsOf(websiteId).goalIdOf);
  return [...parametersOf(datasetNames(), range, given), ...withGoals];
}

/** How far a comparison goes. */
export interface Extent {
  readonly runs: number;
  /** Texts of paths besides the usual ones. */
  readonly paths: readonly string[];
  /** Which filters are tried; default: single filters of events. */
  readonly filters?: fc.Arbitrary<readonly FilterNode[]>;
}

/** @throws when an engine answers anything but the naive evaluation, or a page of a list unlike another engine */
export async function expectAlike(
  engines: Engines,
  { runs, paths, filters: tried = filters }: Extent,
): Promise<void> {
  const names = datasetNames();
  const scenario = fc.constantFrom(...RANGES).chain((range) =>
    fc.record({
      range: fc.constant(range),
      log: logs(range, paths),
      filters: tried,
      now: instants(range),
      given: givenArguments,
      pages: fc.array(listRequests(names), { minLength: 20, maxLength: 40 }),
    }),
  );
  await fc.assert(
    fc.asyncProperty(scenario, async ({ range, log, filters, now, given, pages }) => {
      const { websiteId, records } = await engines.newWebsite(log, now);
      const naive = (keep?: Keep) =>
        evaluateNaively(websiteId, records, range, {
          ...{ now, given, keep },
          ...goalsOf(websiteId),
        });
      const [all, filtered] = [naive(), naive(keptBy(filters))];
      const parameters = parametersOn(websiteId, range, given);
      const answered: unknown[] = [];
      for (const [engine, service] of Object.entries(engines.services)) {
        expect(await askAll(service, websiteId, range, parameters, []), engine).to.deep.equal(all);
        const answer = await askAll(service, websiteId, range, parameters, filters);
        expect(answer, `${engine}, filtered`).to.deep.equal(filtered);
        const dates = { startDate: range.startDate, endDate: range.endDate };
        const body = pages.map((page) => ({ ...page, ...dates }));
        answered.push((await ask(service, websiteId, range, body)).map(({ data }) => data));
        expect(answered.at(-1), `${engine}, pages`).to.deep.equal(answered[0]);
      }
    }),
    // Without shrinking, which would hide a counterexample behind the time limit.
    { numRuns: runs, endOnFailure: true },
  );
}

const OF_NOW = DATASETS.flatMap(({ names, fixedRange }) => (fixedRange ? names : []));

/** @throws when an engine compares a row of a range that is over with anything but what the naive evaluation finds */
export async function expectComparedAlike(
  engines: Engines,
  { runs, paths, filters: tried = filters }: Extent,
): Promise<void> {
  const scenario = fc.constantFrom(...COMPARED).chain(({ range, compare }) => {
    const period = naivePeriod(range, compare);
    const paired = fc.tuple(logs(range, paths), logs(period.range, paths));
    return fc.record({
      range: fc.constant(range),
      compare: fc.constant(compare),
      log: paired.map((both) => both.flat()),
      filters: tried,
      given: givenArguments,
    });
  });
  const now = Date.parse('2026-01-01T00:00:00Z');
  await fc.assert(
    fc.asyncProperty(scenario, async ({ range, compare, log, filters, given }) => {
      const { websiteId, records } = await engines.newWebsite(log, now);
      const parameters = parametersOn(websiteId, range, given);
      // Asked first: the naive evaluation lasts longer than an idle connection is kept.
      const answered: Record<string, Record<string, unknown>> = {};
      for (const [engine, service] of Object.entries(engines.services)) {
        answered[engine] = await askAll(service, websiteId, range, parameters, filters, compare);
      }
      const period = naivePeriod(range, compare);
      const expected = compareNaively(websiteId, records, range, period, {
        ...{ now, given, keep: keptBy(filters) },
        ...goalsOf(websiteId),
      });
      for (const [engine, answer] of Object.entries(answered)) {
        // They have ranges of their own, in which nothing lies here.
        for (const own of OF_NOW) {
          delete answer[own];
          delete expected[own];
        }
        expect(answer, engine).to.deep.equal(expected);
      }
    }),
    { numRuns: runs, endOnFailure: true },
  );
}

/** The rows of every dataset, by name and granularity. */
async function askAll(
  service: StartedQueryService,
  websiteId: string,
  range: NaiveRange,
  parameters: readonly (string | object)[],
  filters: readonly FilterNode[],
  compare?: NaiveCompare,
): Promise<Record<string, unknown>> {
  const { startDate, endDate } = range;
  const request = { startDate, endDate, filters, limit: 1000, compare };
  const body = inParts(parameters).map((some) => ({ parameters: some, ...request }));
  const results = await ask(service, websiteId, range, body);
  return Object.fromEntries(
    results.flatMap(({ data }) => data.map(({ parameter, data: rows, error }) => [parameter, error ?? rows])),
  );
}

async function ask(
  service: StartedQueryService,
  websiteId: string,
  { zone }: NaiveRange,
  body: unknown,
): Promise<readonly { readonly data: readonly ShownDataset[] }[]> {
  const path = `/v1/query?website_id=${websiteId}&timezone=${zone}`;
  const answer = await service.call(path, { method: 'POST', body });
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return answer.body.results as { data: ShownDataset[] }[];
}
