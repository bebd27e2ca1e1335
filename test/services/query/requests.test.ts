/** The wire of POST /v1/query: single and batch, partial failure, and every fault of a request. */
import { expect } from 'chai';
import { expectError } from '../../support/query/expect-error.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { type StartedQueryService, startQueryService } from '../../support/query/start-query-service.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };
const META = { page: 1, limit: 100, filters_applied: 0, failed: 0 };

describe('POST /v1/query', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });
  after(() => service.close());

  const fieldsOf = async (body: unknown, code = 'VALIDATION_ERROR') =>
    expectError(await service.query(body), 400, code).map(({ field }) => field);

  it('answers a single request object', async () => {
    const body = { id: 'q1', parameters: ['custom_events_summary'], ...MARCH };
    const answer = await service.query(body);
    expect(answer.status).to.equal(200);
    expect(answer.body).to.deep.equal({
      success: true,
      requestId: 'r-1',
      queryId: 'q1',
      data: [
        {
          parameter: 'custom_events_summary',
          success: true,
          data: [
            { total_events: 5, unique_event_types: 3, unique_users: 4, unique_sessions: 3, unique_pages: 3 },
          ],
        },
      ],
      meta: { parameters: ['custom_events_summary'], total_parameters: 1, ...META },
    });
  });

  it('answers a batch in its order, each with its own range and id', async () => {
    const answer = await service.query([
      { id: 'late', parameters: ['pages'], startDate: '2025-03-31', endDate: '2025-03-31' },
      { parameters: ['pages'], startDate: '2025-03-01', endDate: '2025-03-01', limit: 5 },
    ]);
    expect(answer.body).to.deep.equal({
      success: true,
      requestId: 'r-1',
      batch: true,
      results: [
        {
          queryId: 'late',
          data: [
            { parameter: 'pages', success: true, data: [{ path: 'Unknown', pageviews: 1, visitors: 1 }] },
          ],
          meta: { parameters: ['pages'], total_parameters: 1, ...META },
        },
        {
          data: [{ parameter: 'pages', success: true, data: [] }],
          meta: { parameters: ['pages'], total_parameters: 1, ...META, limit: 5 },
        },
      ],
    });
  });

  it('an array of one is a batch too; 50 datasets and 50 request objects pass', async () => {
    const one = await service.query([{ parameters: ['pages'], ...MARCH }]);
    expect(one.body).to.include({ batch: true });
    const parameters = Array.from({ length: 50 }, () => 'custom_events_summary');
    const many = await service.query({ parameters, ...MARCH });
    expect(many.body.data).to.have.length(50);
    const batch = await service.query(parameters.map((name) => ({ parameters: [name], ...MARCH })));
    expect(batch.body.results).to.have.length(50);
  });

  it('an unknown dataset beside known ones fails alone, stands last and suggests the nearest name', async () => {
    const answer = await service.query({ parameters: ['pagse', 'pages', 'traffik', 'traffic'], ...MARCH });
    const data = answer.body.data as {
      parameter: string;
      success: boolean;
      data: unknown[];
      error?: string;
    }[];
    expect(data.map(({ parameter, success, error }) => [parameter, success, error])).to.deep.equal([
      ['pages', true, undefined],
      ['traffic', true, undefined],
      ['pagse', false, 'No dataset is named "pagse"; did you mean "pages"?'],
      ['traffik', false, 'No dataset is named "traffik"; did you mean "traffic"?'],
    ]);
    expect(answer.body.meta).to.deep.equal({
      parameters: ['pagse', 'pages', 'traffik', 'traffic'],
      total_parameters: 4,
      ...META,
      failed: 2,
    });
  });

  it('is 200 when every dataset fails', async () => {
    const answer = await service.query({ parameters: ['pages'], ...MARCH, groupBy: 'country' });
    expect(answer.status).to.equal(200);
    expect(answer.body).to.include({ success: true });
  });

  it('is INVALID_QUERY_TYPE with the nearest names when no name of the whole call is known', async () => {
    const details = expectError(
      await service.query([
        { parameters: ['sumary'], ...MARCH },
        { parameters: ['custom_event', '__proto__'], ...MARCH },
      ]),
      400,
      'INVALID_QUERY_TYPE',
    );
    expect(details.map(({ field, suggestion }) => [field, suggestion])).to.deep.equal([
      ['[0].parameters[0]', 'summary'],
      ['[1].parameters[0]', 'custom_events'],
      ['[1].parameters[1]', undefined],
    ]);
    const batch = await service.query([
      { parameters: ['sumary'], ...MARCH },
      { parameters: ['pages'], ...MARCH },
    ]);
    expect(batch.status).to.equal(200);
  });

  it('names every fault of a request at once', async () => {
    const body = {
      parameters: [],
      startDate: 'yesterday',
      endDate: '2025-02-30',
      preset: 'last_year',
      granularity: 'secondly',
      limit: 10_001,
      page: 0,
      sortOrder: 'up',
      filters: [
        { field: 'path', op: 'near', value: 'x' },
        { field: 'path', op: 'eq', value: ['x'] },
        { op: 'eq', value: null },
      ],
    };
    expect(await fieldsOf(body)).to.have.members([
      'parameters',
      'startDate',
      'endDate',
      'preset',
      'granularity',
      'limit',
      'page',
      'sortOrder',
      'filters[0].op',
      'filters[1].value',
      'filters[2].field',
      'filters[2].value',
    ]);
  });

  it('says what came and what is allowed', async () => {
    const details = expectError(
      await service.query({ parameters: ['pages'], ...MARCH, granularity: 'secondly', limit: 0 }),
      400,
      'VALIDATION_ERROR',
    );
    expect(details).to.deep.equal([
      { field: 'granularity', message: '"secondly" is not one of minute, hourly, daily, weekly, monthly.' },
      { field: 'limit', message: 'limit starts at 1.' },
    ]);
  });

  it('prefixes the faults of a batch with the element, and refuses the whole of it', async () => {
    const fields = await fieldsOf([
      { parameters: ['pages'], ...MARCH },
      { parameters: ['pages', 7, { name: 'pages', granularity: 'x' }], ...MARCH },
      'pages',
      { parameters: ['pages'] },
    ]);
    expect(fields).to.deep.equal([
      '[1].parameters[1]',
      '[1].parameters[2].granularity',
      '[2]',
      '[3].startDate',
      '[3].endDate',
    ]);
  });

  const malformed: readonly [string, unknown, string[]][] = [
    ['text', '"pages"', ['body']],
    ['null', 'null', ['body']],
    ['a number', 7, ['body']],
    ['an empty batch', [], ['body']],
    ['51 request objects', Array.from({ length: 51 }, () => ({ parameters: ['pages'], ...MARCH })), ['body']],
    ['51 datasets', { parameters: Array(51).fill('pages'), ...MARCH }, ['parameters']],
    ['parameters that are no list', { parameters: 'pages', ...MARCH }, ['parameters']],
    ['no parameters', MARCH, ['parameters']],
    ['no dates', { parameters: ['pages'] }, ['startDate', 'endDate']],
    ['no end', { parameters: ['pages'], startDate: '2025-01-01' }, ['endDate']],
    [
      'a date that is none',
      { parameters: ['pages'], startDate: '1.1.2025', endDate: '2025-01-02' },
      ['startDate'],
    ],
    [
      '21 filters',
      { parameters: ['pages'], ...MARCH, filters: Array(21).fill({ field: 'path', op: 'eq', value: '/' }) },
      ['filters'],
    ],
    [
      'NUL in a filter',
      { parameters: ['pages'], ...MARCH, filters: [{ field: 'path', op: 'eq', value: 'a\0' }] },
      ['filters[0].value'],
    ],
    [
      'half a character in a filter',
      { parameters: ['pages'], ...MARCH, filters: [{ field: 'properties.\ud800', op: 'eq', value: 'a' }] },
      ['filters[0].field'],
    ],
    [
      'NUL and half a character in a dimension',
      { parameters: ['pages'], ...MARCH, groupBy: ['properties.a\0', 'country', 'properties.\ud800'] },
      ['groupBy[0]', 'groupBy[2]'],
    ],
    [
      'NUL in the only dimension',
      { parameters: ['pages'], ...MARCH, groupBy: 'properties.a\0' },
      ['groupBy'],
    ],
    ['a fraction as limit', { parameters: ['pages'], ...MARCH, limit: 1.5 }, ['limit']],
    [
      'a bad date of one dataset',
      { parameters: [{ name: 'pages', endDate: '20250131' }], ...MARCH },
      ['parameters[0].endDate'],
    ],
  ];
  for (const [what, body, fields] of malformed) {
    it(`refuses ${what} with VALIDATION_ERROR`, async () => {
      expect(await fieldsOf(body)).to.deep.equal(fields);
    });
  }

  const impossible: readonly [string, object, string][] = [
    ['30 February', { startDate: '2025-02-30', endDate: '2025-03-01' }, 'startDate'],
    ['month 13', { startDate: '2025-01-01', endDate: '2025-13-01' }, 'endDate'],
    ['25 o’clock', { startDate: '2025-01-01T25:00:00Z', endDate: '2025-03-01' }, 'startDate'],
    ['a start after the end', { startDate: '2025-03-02', endDate: '2025-03-01' }, 'startDate'],
    [
      'a start after the end by a millisecond',
      { startDate: '2025-03-01T00:00:00.001Z', endDate: '2025-03-01T00:00:00Z' },
      'startDate',
    ],
  ];
  for (const [what, range, field] of impossible) {
    it(`refuses ${what} with INVALID_DATE_RANGE`, async () => {
      expect(await fieldsOf({ parameters: ['pages'], ...range }, 'INVALID_DATE_RANGE')).to.deep.equal([
        field,
      ]);
    });
  }

  it('refuses malformed JSON with VALIDATION_ERROR', async () => {
    const answer = await service.query('{"parameters": [');
    expect(expectError(answer, 400, 'VALIDATION_ERROR')).to.deep.equal([
      {
        field: 'body',
        message: 'The body is not valid JSON: line 1, column 17: came the end; allowed: a value or "]".',
      },
    ]);
    const empty = await service.call('/v1/query', { method: 'POST' });
    expectError(empty, 400, 'VALIDATION_ERROR');
  });

  it('reads bodies up to 2 MB and answers PAYLOAD_TOO_LARGE above', async () => {
    const body = { parameters: ['custom_events_summary'], ...MARCH };
    const padded = (bytes: number) => JSON.stringify(body) + ' '.repeat(bytes);
    expect((await service.query(padded(2 * 1024 * 1024 - 200))).status).to.equal(200);
    expectError(await service.query(padded(2 * 1024 * 1024)), 413, 'PAYLOAD_TOO_LARGE');
  });
});
