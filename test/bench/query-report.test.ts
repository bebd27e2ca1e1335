/** The arithmetic of the query bench, and its comparison of answers. */
import { expect } from 'chai';
import type { Answers } from './query-engine.ts';
import { readQueryOptions } from './query-options.ts';
import { overviewRows } from './query-overview.ts';
import { PATHS, pathRows } from './query-paths.ts';
import {
  differenceOf,
  judge,
  type QueryMeasures,
  type QuerySample,
  quantile,
  renderQueryReport,
  timesSlower,
} from './query-report.ts';
import { WEBSITES, websitesOf, windowBefore } from './query-workload.ts';

function sample(engine: QuerySample['engine'], round: number, milliseconds: number[]): QuerySample {
  return { engine, round, website: 'middle', milliseconds, cpuMilliseconds: 10 };
}

function measures(parts: Partial<QueryMeasures>): QueryMeasures {
  return { samples: [], megabytes: {}, phases: [], custom: [], ...parts };
}

const ANSWERS: Answers = {
  summary: [['2025-01-01', '3', '2', '2', 'not compared']],
  top_pages: [['/', '2', '1']],
  traffic_sources: [['direct', '3', '2']],
  countries: [
    ['DE', '2', '1'],
    ['SE', '2', '1'],
  ],
  browsers: [['Firefox', '120.0', '3', '2']],
};

describe('query bench report', () => {
  it('takes a quantile that is one of the values', () => {
    const values = Array.from({ length: 100 }, (_, i) => 100 - i);
    expect([0.5, 0.99, 1].map((share) => quantile(values, share))).to.deep.equal([50, 99, 100]);
    expect(quantile([7], 0.99)).to.equal(7);
  });

  it('compares engines within each round: a slow round of both does not show', () => {
    const samples = [
      sample('tidegate', 1, [10]),
      sample('postgresql', 1, [90]),
      sample('tidegate', 2, [100]),
      sample('postgresql', 2, [900]),
      sample('tidegate', 3, [1]),
    ];
    expect(timesSlower(samples, 'postgresql', 'middle', ({ milliseconds }) => milliseconds[0] ?? 0)).to.equal(
      9,
    );
    expect(timesSlower(samples, 'sqlite', 'middle', () => 1)).to.equal(null);
  });

  it('judges the compared overview and its first line by their medians, and shows what comparing costs', () => {
    const alone = { milliseconds: [50, 100, 300], cpuMilliseconds: 80 };
    const overview = (compared: number, firstLine: number) => ({
      alone,
      compared: { milliseconds: [1, compared, 999], cpuMilliseconds: 120 },
      firstLine: [1, firstLine, 999],
    });
    const met = (compared: number, firstLine: number) =>
      judge(measures({ overview: overview(compared, firstLine) })).map((goal) => goal.met);
    expect(met(200, 60)).to.deep.equal([true, true]);
    expect(met(200.1, 60.1)).to.deep.equal([false, false]);
    expect(overviewRows(overview(150, 20))).to.deep.equal([
      ['overview', 'p50 ms', '× alone', 'CPU ms', '× alone'],
      ['14 datasets', '100.0', '1.00', '80.0', '1.00'],
      ['compared', '150.0', '1.50', '120.0', '1.50'],
      ['first line, compared', '20.0', '', '', ''],
    ]);
  });

  it('judges funnel and retention by their medians, and shows what all of them cost', () => {
    const cost = (middle: number) => ({ milliseconds: [1, middle, 999], cpuMilliseconds: 90 });
    const paths = (middle: number) =>
      Object.fromEntries(Object.keys(PATHS).map((name) => [name, cost(middle)]));
    const met = (middle: number) => judge(measures({ paths: paths(middle) })).map((goal) => goal.met);
    expect([met(400), met(400.1)]).to.deep.equal([
      [true, true],
      [false, false],
    ]);
    expect(pathRows(paths(7))[1]).to.deep.equal(['funnel of five steps', '7.0', '90.0', '–']);
    const beside = { 'funnel of five steps': { ...cost(10), postgres: [1, 80, 999] } };
    expect(judge(measures({ paths: { ...paths(10), ...beside } }))[1]).to.deep.equal({
      text: 'funnel of five steps ≥ 8 × faster than PostgreSQL',
      value: '8.0 ×',
      met: true,
    });
    expect(pathRows(beside)[1]).to.deep.equal(['funnel of five steps', '10.0', '90.0', '8.0']);
  });

  it('meets each goal at exactly its value and misses it beyond', () => {
    const met = (own: number, postgres: number, append: number, custom: number) =>
      judge(
        measures({
          samples: [sample('tidegate', 1, [own]), sample('postgresql', 1, [postgres])],
          phases: [{ clients: 4, queries: [], appends: [append], eventsPerSecond: 5_000, failures: 0 }],
          custom: [custom],
        }),
      ).map((goal) => goal.met);
    expect(met(50, 400, 100, 300)).to.deep.equal([true, true, true, true]);
    expect(met(50.1, 400, 100.1, 300.1)).to.deep.equal([false, false, false, false]);
  });

  it('judges nothing that was not measured', () => {
    const phases = [{ clients: 1, queries: [], appends: [1_000], eventsPerSecond: 5_000, failures: 0 }];
    expect(judge(measures({ phases }))).to.deep.equal([]);
  });

  it('shows every engine with its ratio to Tidegate', () => {
    const samples = [sample('tidegate', 1, [10]), sample('postgresql', 1, [85])];
    const text = renderQueryReport(measures({ samples, megabytes: { tidegate: 300, postgresql: 700 } }));
    expect(text).to.match(/middle +postgresql +85\.0 +85\.0 +8\.5 /);
    expect(text).to.match(/faster than PostgreSQL +8\.5 × +met/);
    expect(text).not.to.include('sqlite');
  });

  it('finds a count that differs, a row too many, and nothing where only the order or an empty day differs', () => {
    const other = (parts: Partial<Answers>) => differenceOf(ANSWERS, { ...ANSWERS, ...parts });
    expect(other({})).to.equal(null);
    expect(other({ countries: [...ANSWERS.countries].reverse() })).to.equal(null);
    expect(other({ summary: [...ANSWERS.summary, ['2025-01-02', '0', '0', '0']] })).to.equal(null);
    expect(other({ top_pages: [['/', '2', '2']] })).to.equal('top_pages, row 1: "/ | 2 | 1" and "/ | 2 | 2"');
    expect(other({ browsers: [] })).to.include('browsers, row 1');
    expect(other({ top_pages: [...ANSWERS.top_pages, ['/a', '1', '1']] })).to.equal(
      'top_pages: 1 rows and 2',
    );
    expect(differenceOf({ ...ANSWERS, top_pages: [] }, { ...ANSWERS, top_pages: [] })).to.include('no rows');
  });
});

describe('query bench workload', () => {
  it('has every event once, in the stated proportions', () => {
    const websites = websitesOf(10_000_000);
    expect(websites.reduce((sum, { events }) => sum + events, 0)).to.equal(10_000_000);
    const asked = WEBSITES.map(
      ({ websiteId }) => websites.find((website) => website.websiteId === websiteId)?.events,
    );
    expect(asked).to.deep.equal([600_000, 60_000, 12_000]);
    expect(new Set(websites.map(({ websiteId }) => websiteId)).size).to.equal(websites.length);
  });

  it('lies in the thirty whole days before today', () => {
    const { from, to } = windowBefore(Date.parse('2025-03-31T10:00:00Z'));
    const shown = [from, to].map((at) => new Date(at).toISOString());
    expect(shown).to.deep.equal(['2025-03-01T00:00:00.000Z', '2025-03-31T00:00:00.000Z']);
  });
});

describe('query bench options', () => {
  it('names every fault at once', () => {
    expect(() => readQueryOptions(['--events', 'many', '--runs', '0', '--engines', 'oracle'])).to.throw(
      /--engines: "oracle".*\n--events: "many".*\n--runs: "0"/,
    );
    expect(() => readQueryOptions(['--nonsense'])).to.throw('--nonsense');
  });

  it('always measures Tidegate', () => {
    expect(readQueryOptions(['--engines', 'sqlite']).engines).to.deep.equal(['tidegate', 'sqlite']);
  });
});
