/** Requests made to hurt or misread: each gets a bounded answer that says what is allowed. */
import { expect } from 'chai';
import { ILL_FORMED } from '../../../services/shared/text/faulty-text.ts';
import { startCpuTime } from '../../support/cpu-time.ts';
import { expectError } from '../../support/query/expect-error.ts';
import { GOLDEN_NOW } from '../../support/query/golden-log.ts';
import {
  datasetsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };

describe('faults of POST /v1/query', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: [], now: GOLDEN_NOW });
  });
  after(() => service.close());

  it('says what is allowed where something is missing or of the wrong kind', async () => {
    const filters = [
      { op: 'eq', value: null },
      { field: 7, op: 'eq' },
      { field: 'path', value: { a: 1 } },
      { field: 'path', op: 'in', value: ['/', [1], {}] },
      { field: 'path', op: 'in', value: ['/', 'a\0'] },
    ];
    const answer = await service.query({ ...MARCH, filters });
    expect(expectError(answer, 400, 'VALIDATION_ERROR')).to.have.deep.members([
      { field: 'parameters', message: 'Required: a list of dataset names, such as ["pages"].' },
      { field: 'filters[0].field', message: 'Required: the name of a field, such as "path".' },
      {
        field: 'filters[0].value',
        message: 'null is not allowed; allowed: a text, number, boolean, or a list of them.',
      },
      {
        field: 'filters[1].field',
        message: '7 is not allowed; allowed: the name of a field, such as "path".',
      },
      { field: 'filters[1].value', message: 'Required: a text, number, boolean, or a list of them.' },
      {
        field: 'filters[2].op',
        message:
          'Required: one of eq, ne, contains, not_contains, starts_with, in, not_in, matches, gt, gte, lt, lte, missing, present.',
      },
      {
        field: 'filters[2].value',
        message: 'an object is not allowed; allowed: a text, number, boolean, or a list of them.',
      },
      {
        field: 'filters[3].value[1]',
        message: 'a list is not allowed; allowed: a text, number or boolean.',
      },
      { field: 'filters[4].value[1]', message: ILL_FORMED },
    ]);
  });

  it('says of a name that stands twice in the query string that once is allowed', async () => {
    const body = { parameters: ['pages'], ...MARCH };
    const twice = '&website_id=web_b&timezone=UTC&timezone=UTC&start_date=2025-01-01&start_date=2025-01-02';
    expect(expectError(await service.query(body, twice), 400, 'VALIDATION_ERROR')).to.deep.equal([
      { field: 'website_id', message: 'Given twice; allowed: once.' },
      { field: 'timezone', message: 'Given twice; allowed: once.' },
      { field: 'start_date', message: 'Given twice; allowed: once.' },
    ]);
  });

  it('names the nearest column where sortBy names none', async () => {
    const answer = await service.query({ parameters: ['pages'], ...MARCH, sortBy: 'pageview' });
    expect(datasetsOf(answer)[0]?.error).to.equal(
      'The dataset "pages" has no column "pageview"; it has path, pageviews, visitors; did you mean "pageviews"?',
    );
  });

  const deep = (open: string, close: string, times = 60) => open.repeat(times) + close.repeat(times);
  for (const field of [
    'granularity',
    'startDate',
    'limit',
    'sortOrder',
    'preset',
    'sortBy',
    'filters',
    'id',
  ]) {
    it(`refuses values of ${field} that are nested as deep as JSON may be, in words`, async () => {
      for (const [value, word] of [
        [deep('[', ']'), 'list'],
        [`{"a":${deep('[', ']')}}`, 'object'],
      ]) {
        const given = field === 'filters' ? `[{"field":"path","op":"eq","value":${value}}]` : value;
        const body = JSON.stringify({ parameters: ['pages'], ...MARCH }).replace('{', `{"${field}":0,`);
        const answer = await service.query(
          body
            .replace(`"${field}":0`, `"${field}":${given}`)
            .replace(/,"startDate":"[^"]*"/, (own) => (field === 'startDate' ? '' : own)),
        );
        const [detail] = expectError(answer, 400, 'VALIDATION_ERROR');
        expect(detail?.field).to.match(new RegExp(`^${field}`));
        expect(detail?.message).to.include(word);
      }
    });
  }

  it('refuses a body that is nested deeper or holds more names than JSON may, before it is parsed', async () => {
    const names = Array.from({ length: 60_000 }, (_, index) => `"${index}":0`).join();
    for (const [field, message] of [
      [deep('[', ']', 200_000), /^JSON may be nested 64 deep/],
      [`{${names}}`, /^JSON may hold .* this holds more\.$/],
    ] as const) {
      const answer = await service.query(`{"parameters":["pages"],"startDate":"x","filters":${field}}`);
      const [detail, ...others] = expectError(answer, 400, 'VALIDATION_ERROR');
      expect([detail?.field, others]).to.deep.equal(['body', []]);
      expect(detail?.message).to.match(message);
    }
  });

  const tooLong: readonly [string, (list: string) => string, string, string][] = [
    [
      'filter values',
      (list) => `"filters":[{"field":"path","op":"in","value":${list}}]`,
      'filters[0].value',
      'At most 1,000 values, not 60,000.',
    ],
    ['filters', (list) => `"filters":${list}`, 'filters', 'At most 20 filters, not 60,000.'],
    ['dimensions', (list) => `"groupBy":${list}`, 'groupBy', 'At most 50 dimensions, not 60,000.'],
    ['datasets', (list) => `"parameters":${list}`, 'parameters', 'At most 50 datasets, not 60,000.'],
  ];
  for (const [what, fieldOf, field, message] of tooLong) {
    it(`refuses 60,000 ${what} with one fault, beside the other faults, without looking at each`, async () => {
      const list = `[${'{},'.repeat(59_999)}{}]`;
      const cpuMs = startCpuTime();
      const answer = await service.query(
        `{"parameters":["pages"],"startDate":"2025-01-01","endDate":"x",${fieldOf(list)}}`,
      );
      expect(cpuMs()).to.be.lessThan(3_000);
      const details = expectError(answer, 400, 'VALIDATION_ERROR');
      expect(details).to.deep.include({ field, message });
      expect(details.map((detail) => detail.field)).to.have.members([field, 'endDate']);
    });
  }

  it('takes 1,000 filter values, refuses 1,001 of whatever kind, and tells one fault of a list', async () => {
    const of = (value: unknown[]) =>
      service.query({ parameters: ['pages'], ...MARCH, filters: [{ field: 'path', op: 'in', value }] });
    expect((await of(Array(1_000).fill(7))).status).to.equal(200);
    expectError(await of(Array(1_001).fill(7)), 400, 'VALIDATION_ERROR');
    expect(expectError(await of(Array(1_000).fill({})), 400, 'VALIDATION_ERROR')).to.deep.equal([
      {
        field: 'filters[0].value[0]',
        message: 'an object is not allowed; allowed: a text, number or boolean.',
      },
    ]);
  });
});
