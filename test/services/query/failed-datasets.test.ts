/** Datasets that fail inside a 200 are counted, in the answer of each request object and in a header for the whole call. */
import { expect } from 'chai';
import { expectError } from '../../support/query/expect-error.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import {
  type Answer,
  datasetsOf,
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };
const NO_FIELD = [{ field: 'nonsense', op: 'eq', value: '1' }];

describe('failed datasets', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });
  after(() => service.close());

  const told = ({ status, headers, body }: Answer) => [
    status,
    headers.get('x-query-failed'),
    (body.meta as { failed: number } | undefined)?.failed,
  ];

  const cases: readonly [string, object, number][] = [
    ['none', { parameters: ['pages', 'traffic'] }, 0],
    ['a wrong filter field', { parameters: ['pages', 'traffic'], filters: NO_FIELD }, 2],
    ['a wrong sort column', { parameters: ['pages'], sortBy: 'nonsense' }, 1],
    ['a wrong dimension', { parameters: ['pages'], groupBy: 'nonsense' }, 1],
    [
      'too long a range',
      { parameters: ['pages', { name: 'summary', startDate: '2024-01-01', granularity: 'hourly' }] },
      1,
    ],
    ['an unknown name beside a known one', { parameters: ['pagse', 'pages'] }, 1],
  ];
  for (const [what, asked, failed] of cases) {
    it(`are told of ${what}: ${failed}`, async () => {
      const answer = await service.query({ ...MARCH, ...asked });
      expect(told(answer)).to.deep.equal([200, `${failed}`, failed]);
      expect(datasetsOf(answer).filter(({ success }) => !success)).to.have.length(failed);
    });
  }

  it('are counted for each request object of a batch, and all of them in the header', async () => {
    const answer = await service.query([
      { parameters: ['pages'], ...MARCH },
      { parameters: ['pages', 'traffic'], ...MARCH, filters: NO_FIELD },
      { parameters: ['pagse', 'pages'], ...MARCH },
    ]);
    const results = answer.body.results as { meta: { failed: number } }[];
    expect(results.map(({ meta }) => meta.failed)).to.deep.equal([0, 2, 1]);
    expect(answer.headers.get('x-query-failed')).to.equal('3');
  });
});

describe('the operator of a filter', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });
  after(() => service.close());

  const pages = (filter: object) => service.query({ parameters: ['pages'], ...MARCH, filters: [filter] });
  const custom = (filter: object) =>
    service.custom({
      query: { table: 'events', selects: [{ aggregate: 'count' }], filters: [{ field: 'path', ...filter }] },
    });

  it('may be called operator as well as op', async () => {
    const [op, value] = ['contains', '/'];
    const wanted = rowsOf(await pages({ field: 'path', op, value }));
    expect(wanted).to.not.deep.equal(rowsOf(await pages({ field: 'path', op: 'not_contains', value })));
    for (const named of [{ operator: op }, { operator: 'like' }, { op: 'like', operator: op }]) {
      expect(rowsOf(await pages({ field: 'path', ...named, value }))).to.deep.equal(wanted);
      const answers = [await custom({ ...named, value }), await custom({ op, value })];
      expect(answers.map(({ body }) => body.data)[0]).to.deep.equal(answers[1]?.body.data);
    }
    const list = { field: 'path', operator: 'in', value: ['/'] };
    expect(rowsOf(await pages(list))).to.deep.equal(
      rowsOf(await pages({ field: 'path', op: 'in', value: ['/'] })),
    );
  });

  it('is a fault when it is missing, wrong, or named twice with two values', async () => {
    const faults: readonly [object, string[]][] = [
      [{ value: 'x' }, ['op']],
      [{}, ['op', 'value']],
      [{ operator: 'near', value: 'x' }, ['operator']],
      [{ op: 'eq', operator: 'ne', value: 'x' }, ['operator']],
      [{ operator: 'eq', value: ['x'] }, ['value']],
    ];
    for (const [filter, names] of faults) {
      const [query, structured] = [await pages({ field: 'path', ...filter }), await custom(filter)];
      const fieldsOf = (answer: Answer) =>
        expectError(answer, 400, 'VALIDATION_ERROR').map(({ field }) => field);
      expect(fieldsOf(query)).to.have.members(names.map((name) => `filters[0].${name}`));
      expect(fieldsOf(structured)).to.have.members(names.map((name) => `query.filters[0].${name}`));
    }
  });
});
