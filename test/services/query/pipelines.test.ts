/** Pipelines of MongoDB: which operators they use, what they are bound to, and texts that look like its language. */
import { expect } from 'chai';
import mingo from 'mingo';
import { DATASETS } from '../../../services/query/datasets/index.ts';
import { waysToBucket } from '../../../services/query/stages/bucket-stretches.ts';
import { bucketExpression } from '../../../services/query/stages/mongodb/bucket-expression.ts';
import { bucketsOf, GRANULARITIES } from '../../../services/query/time/buckets.ts';
import { createZone } from '../../../services/query/time/zone.ts';
import { compiledOf } from '../../support/query/compiled.ts';
import { describeOnEngines } from '../../support/query/engines.ts';
import { type EventFields, eventRecord } from '../../support/query/event.ts';
import { openMingoEvents } from '../../support/query/pipeline-events.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

const DAY = { startDate: '2025-01-15', endDate: '2025-01-15' };
const AT = '2025-01-15T12:00:00.000Z';

/** Pipelines take no arguments. */
const SERVED = DATASETS.filter((dataset) => !dataset.arguments);

function log(...events: Omit<EventFields, 'at'>[]) {
  return events.map((fields, index) =>
    eventRecord({ at: new Date(Date.parse(AT) + index).toISOString(), ...fields }),
  );
}

/** Stages and operators that MongoDB has had since 5.0 and that the servers of the tests run. */
const ALLOWED = new Set(
  [
    [
      '$match',
      '$project',
      '$addFields',
      '$group',
      '$unwind',
      '$sort',
      '$skip',
      '$limit',
      '$facet',
      '$replaceRoot',
    ],
    [
      '$eq',
      '$ne',
      '$gt',
      '$gte',
      '$lt',
      '$lte',
      '$in',
      '$nin',
      '$and',
      '$nor',
      '$not',
      '$regex',
      '$elemMatch',
    ],
    [
      '$add',
      '$subtract',
      '$multiply',
      '$divide',
      '$mod',
      '$floor',
      '$ceil',
      '$toLong',
      '$toInt',
      '$toDouble',
    ],
    ['$cond', '$ifNull', '$literal', '$arrayElemAt', '$indexOfArray', '$filter', '$map', '$reduce', '$range'],
    ['$size', '$concatArrays', '$mergeObjects', '$sum', '$min', '$max', '$push'],
  ].flat(),
);

/** Texts that look like paths, variables, operators, keys below others, and patterns. */
const TEXTS = [
  '$path',
  '$$ROOT',
  '$$this.k',
  '$literal',
  'a.b',
  '.',
  '',
  '*',
  '\\',
  '^$',
  '{"$gt":""}',
  '(?i)X',
  '[a]',
];

/** Keys that begin with $, wherever they stand but in literals. */
function operatorsOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const below = key === '$literal' ? [] : operatorsOf(inner);
    return key.startsWith('$') ? [key, ...below] : below;
  });
}

describe('pipelines', () => {
  let service: StartedQueryService;
  const start = async (events: Parameters<typeof log>) => {
    service = await startQueryService({
      log: log(...events),
      now: 0,
      openEvents: async () => openMingoEvents(),
    });
  };
  const rows = async (request: object) => rowsOf(await service.query({ ...DAY, ...request }));
  const pipelineOf = async (request: object, queryString = '?website_id=web_a') => {
    const path = `/v1/query/compile${queryString}`;
    const { body } = await service.call(path, { method: 'POST', body: { ...DAY, ...request } });
    const query = compiledOf(body);
    if (query.engine !== 'mongodb') throw new Error('not a pipeline');
    return query.pipeline;
  };
  afterEach(() => service.close());

  it('use only operators that every supported server has, and gather no members in lists', async () => {
    await start([]);
    const fields = ['path', 'properties.x'];
    const ops = ['eq', 'ne', 'contains', 'not_contains', 'starts_with', 'in', 'not_in'];
    const filters = fields.flatMap((field) => ops.map((op) => ({ field, op, value: 'x' })));
    for (const { names, columns, kind, ofLinks, extraDimensions } of SERVED) {
      const sortable = kind === 'list' ? columns.map(({ name }) => name) : [undefined];
      const groupBy = extraDimensions.includes('country') ? ['properties.x'] : undefined;
      for (const sortBy of sortable) {
        const of = ofLinks ? [] : filters;
        const pipeline = await pipelineOf({ parameters: [names[0]], sortBy, groupBy, filters: of });
        expect(operatorsOf(pipeline).filter((name) => !ALLOWED.has(name))).to.deep.equal([]);
      }
    }
  });

  it('begin with a match of website, instants and organization, which index and shard key serve', async () => {
    await start([]);
    for (const { names } of SERVED) {
      const [first] = await pipelineOf({ parameters: [names[0]] });
      const { $match } = first as { $match: Record<string, unknown> };
      expect(Object.keys($match).slice(0, 2)).to.deep.equal(['website_id', 'timestamp']);
      expect($match).to.deep.include({
        website_id: { $eq: 'web_a' },
        organization_id: { $eq: 'org_a' },
        is_bot: false,
      });
    }
    const [first] = await pipelineOf({ parameters: ['pages'] }, '?organization_id=org_a');
    expect(first)
      .to.have.nested.property('$match.website_id')
      .that.deep.equals({ $in: [null, 'web_a', 'web_b'] });
  });

  it('show and group texts and property keys that look like paths, variables and patterns as they are', async () => {
    await start(TEXTS.map((text) => ({ path: text, properties: JSON.stringify({ [text]: text }) })));
    const expected = TEXTS.map((text) => [text === '' ? 'Unknown' : text, 1]);
    const found = (await rows({ parameters: ['pages'] })).map(({ path, pageviews }) => [path, pageviews]);
    expect(found).to.have.deep.members(expected);
    for (const text of TEXTS.filter((key) => key !== '')) {
      const groupBy = `properties.${text}`;
      const groups = await rows({ parameters: ['pages'], groupBy });
      const own = groups.filter((row) => row[groupBy] === text).map(({ path }) => path);
      expect(own, text).to.deep.equal([text]);
    }
  });
});

describeOnEngines('literal texts of filters', (startOn) => {
  let service: StartedQueryService;
  before(async () => {
    const events = TEXTS.map((text) => ({
      path: `<${text}>`,
      properties: JSON.stringify({ [`k${text}`]: text, [text]: `<${text}>` }),
    }));
    service = await startOn({ log: log(...events), now: 0 });
  });

  const count = async (field: string, op: string, value: unknown) => {
    const filters = [{ field, op, value }];
    const answer = await service.query({ parameters: ['summary_metrics'], ...DAY, filters });
    return rowsOf(answer)[0]?.pageviews;
  };
  for (const text of TEXTS) {
    it(`${JSON.stringify(text)} is a text as any other, of a path and as key and value of a property`, async () => {
      const having = (test: (path: string) => boolean) => TEXTS.filter((other) => test(`<${other}>`)).length;
      const all = TEXTS.length;
      expect(await count('path', 'eq', `<${text}>`)).to.equal(1);
      expect(await count('path', 'ne', `<${text}>`)).to.equal(all - 1);
      expect(await count('path', 'in', [`<${text}>`, text])).to.equal(1);
      expect(await count('path', 'not_in', [`<${text}>`, text])).to.equal(all - 1);
      expect(await count('path', 'starts_with', `<${text}`)).to.equal(
        having((path) => path.startsWith(`<${text}`)),
      );
      expect(await count('path', 'contains', text)).to.equal(having((path) => path.includes(text)));
      expect(await count('path', 'not_contains', text)).to.equal(having((path) => !path.includes(text)));
      expect(await count(`properties.k${text}`, 'eq', text)).to.equal(1);
      if (text === '') return;
      expect(await count(`properties.${text}`, 'starts_with', `<${text}`)).to.equal(1);
      expect(await count(`properties.${text}`, 'not_contains', text)).to.equal(all - 1);
    });
  }
});

describeOnEngines('answers', (startOn) => {
  let service: StartedQueryService;
  const rows = async (request: object) => rowsOf(await service.query({ ...DAY, ...request }));

  it('count a value of a quantile as often as a session has it', async () => {
    const events = [1, 1, 1, 9].map((time_on_page) => ({ session_id: 's', time_on_page }));
    service = await startOn({ log: log(...events), now: 0 });
    expect((await rows({ parameters: ['engagement'] }))[0]).to.include({ median_time_on_page: 1 });
  });

  it('order groups of more fields than a server sorts by', async () => {
    const keys = Array.from({ length: 49 }, (_, index) => `properties.k${index}`);
    const events = ['b', 'a', 'c'].map((k48) => ({ properties: JSON.stringify({ k48 }) }));
    service = await startOn({ log: log(...events), now: 0 });
    const groups = await rows({ parameters: ['pages'], groupBy: keys });
    expect(groups.map((row) => row['properties.k48'])).to.deep.equal(['a', 'b', 'c']);
  });
});

describe('the expression of buckets', () => {
  /** Long ranges that start and end within a bucket; odd and uneven widths among them. */
  const RANGES: readonly [string, string, string][] = [
    ['UTC', '2015-02-03T04:05:06.789Z', '2025-01-17T23:59:59.999Z'],
    ['Africa/Casablanca', '2016-01-31T22:59:59.999Z', '2025-11-30T00:00:00.001Z'],
    ['Pacific/Apia', '2005-01-01T10:00:00.000Z', '2015-01-01T10:00:00.001Z'],
    ['America/New_York', '1883-11-01T00:00:00.001Z', '1883-11-29T00:00:00.000Z'],
  ];
  for (const [name, from, to] of RANGES) {
    it(`finds the bucket of the first and last instant of each (${name} from ${from})`, async () => {
      const ways = new Set<string>();
      for (const granularity of GRANULARITIES) {
        const start = Date.parse(from);
        const days = { minute: 1, hourly: 28, daily: Infinity, weekly: Infinity, monthly: Infinity }[
          granularity
        ];
        const end = start + days * 86_400_000;
        const buckets = bucketsOf(
          createZone(name),
          { from: start, to: Math.min(end, Date.parse(to)) },
          granularity,
        );
        ways.add(Object.keys(waysToBucket(buckets)).join());
        const instants = buckets.flatMap((bucket) => [bucket.from, bucket.to - 1]);
        const index = bucketExpression(buckets, '$ms');
        const found = mingo.aggregate(
          instants.map((ms) => ({ ms })),
          [{ $project: { _id: 0, index } }],
        );
        expect(found.map((row) => (row as { index: number }).index)).to.deep.equal(
          buckets.flatMap((_, at) => [at, at]),
        );
      }
      expect([...ways]).to.include('stretches');
    });
  }
});
