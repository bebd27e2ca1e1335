/** A dataset as CSV: the rows of the JSON pages, whatever texts visitors send, bounded, and nothing but one dataset. */
import { expect } from 'chai';
import { DATASETS } from '../../../../services/query/datasets/index.ts';
import { MAX_FILE_ROWS } from '../../../../services/query/files/dataset-file.ts';
import { rowNames } from '../../../../services/query/stages/row-names.ts';
import type { EventStore } from '../../../../services/shared/ports/event-store.ts';
import { HOSTILE_TEXTS } from '../../../support/hostile-texts.ts';
import { asked } from '../../../support/query/asked-datasets.ts';
import { eventRecord } from '../../../support/query/event.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../support/query/start-query-service.ts';
import { withRun } from '../../../support/query/with-run.ts';
import { readCsv } from '../../../support/read-csv.ts';
import { until } from '../../../support/until.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };
const MAY = { startDate: '2025-05-01', endDate: '2025-05-01' };
const JUNE = { startDate: '2025-06-01', endDate: '2025-06-01' };
const FORMULAS = ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', ' =1', '\u200b=1', '＝1'];
const TEXTS = [...HOSTILE_TEXTS, ...FORMULAS, 'a,b', 'say "hi"\r\nthere', "'quoted'", 'ünï\u{1F600}'];
const MANY = 12_345;

const at = (day: string, path: string) =>
  eventRecord({ at: `${day}T10:00:00.000Z`, anonymous_id: 'v', session_id: 's', path });

describe('a dataset as CSV', () => {
  let service: StartedQueryService;
  let run: EventStore['run'] | null = null;
  before(async () => {
    const log = [
      ...GOLDEN_LOG,
      ...TEXTS.map((text) => at('2025-05-01', text)),
      ...Array.from({ length: MANY }, (_, index) => at('2025-06-01', `/${index}`)),
    ];
    const wrapEvents = (events: EventStore) =>
      withRun(events, (query, read) => (run ?? events.run.bind(events))(query, read));
    service = await startQueryService({ log, now: GOLDEN_NOW, wrapEvents });
  });
  afterEach(() => {
    run = null;
  });
  after(() => service.close());

  const open = (body: unknown, signal?: AbortSignal) =>
    service.open('/v1/query?website_id=web_a', {
      method: 'POST',
      body,
      headers: { accept: 'text/csv' },
      ...(signal === undefined ? {} : { signal }),
    });

  async function fileOf(body: unknown) {
    const response = await open(body);
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    const [header = [], ...rows] = readCsv(text);
    return { headers: response.headers, header, rows };
  }

  /** JSON cells as a file has them, texts that no spreadsheet computes. */
  const textOf = (value: unknown) =>
    value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);

  for (const { names, kind } of DATASETS) {
    for (const granularity of kind === 'series' ? ['daily', 'hourly'] : ['daily']) {
      it(`has the rows and columns of the JSON answer of ${names[0]}, ${granularity}`, async () => {
        const request = { parameters: [asked(names[0])], granularity, ...MARCH };
        const rows = rowsOf(await service.query(request));
        const file = await fileOf(request);
        expect(file.rows).to.deep.equal(rows.map((row) => Object.values(row).map(textOf)));
        if (rows[0]) expect(file.header).to.deep.equal(Object.keys(rows[0]));
        else expect(file.header).to.not.deep.equal([]);
      });
    }
  }

  it('is a header row alone when the list is empty', async () => {
    const { header, rows } = await fileOf({
      parameters: ['pages'],
      startDate: '2020-01-01',
      endDate: '2020-01-01',
    });
    expect([header[0], rows]).to.deep.equal(['path', []]);
  });

  it('keeps every text as it came, save an apostrophe before what a spreadsheet would compute', async () => {
    const { rows } = await fileOf({ parameters: ['pages'], ...MAY });
    const computed = /^[\s\p{Cf}]*[=+\-@\t\r＝]/u;
    const kept = rows.map(([path = '']) => path);
    expect(kept.filter((text) => computed.test(text))).to.deep.equal([]);
    const wanted = TEXTS.map((text) => (computed.test(text) ? `'${text}` : text));
    expect(new Set(kept)).to.deep.equal(new Set(wanted));
    for (const formula of FORMULAS) expect(kept).to.include(`'${formula}`);
  });

  it('has the whole list, in the order of its pages', async () => {
    const pages = [];
    for (const page of [1, 2]) {
      const answer = await service.query({ parameters: ['pages'], limit: 10_000, page, ...JUNE });
      pages.push(...rowsOf(answer).map(({ path }) => path));
    }
    const { headers, rows } = await fileOf({ parameters: ['pages'], ...JUNE });
    expect(rows.map(([path]) => path)).to.deep.equal(pages);
    expect(rows).to.have.length(MANY);
    expect(headers.get('x-truncated')).to.equal(null);
    expect(headers.get('content-disposition')).to.equal(
      'attachment; filename="pages_2025-06-01_2025-06-01.csv"',
    );
  });

  it('obeys limit and page where the request has them', async () => {
    const asked = { parameters: ['pages'], limit: 7, page: 3, ...JUNE };
    const paths = rowsOf(await service.query(asked)).map(({ path }) => path);
    const { headers, rows } = await fileOf(asked);
    expect(rows.map(([path]) => path)).to.deep.equal(paths);
    expect([rows.length, headers.get('x-truncated')]).to.deep.equal([7, null]);
  });

  for (const [more, truncated] of [
    [0, null],
    [1, 'true'],
  ] as const) {
    it(`has ${MAX_FILE_ROWS} rows of ${MAX_FILE_ROWS + more}, truncated: ${truncated}`, async () => {
      const row = { [rowNames.dimension('path')]: '/' };
      run = async () => Array.from({ length: MAX_FILE_ROWS + more }, () => row);
      const { headers, rows } = await fileOf({ parameters: ['pages'], ...JUNE });
      expect([rows.length, headers.get('x-truncated')]).to.deep.equal([MAX_FILE_ROWS, truncated]);
    });
  }

  for (const [what, asked, field, text] of [
    ['two datasets', { parameters: ['pages', 'countries'] }, 'parameters', 'holds one dataset'],
    [
      'two request objects',
      [{ parameters: ['pages'], ...JUNE }, { parameters: ['pages'] }],
      'parameters',
      'asks for 2',
    ],
    ['a dataset that fails', { parameters: ['pages'], sortBy: 'nonsense' }, 'parameters[0]', 'nonsense'],
    ['a further page of the whole', { parameters: ['pages'], page: 2 }, 'page', 'whole list'],
  ] as const) {
    it(`refuses ${what} with 400`, async () => {
      const body = Array.isArray(asked) ? asked.map((one) => ({ ...JUNE, ...one })) : { ...JUNE, ...asked };
      const response = await open(body);
      const answer = (await response.json()) as {
        code: string;
        details: { field: string; message: string }[];
      };
      expect([response.status, answer.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
      expect(answer.details[0]?.field).to.equal(field);
      expect(answer.details[0]?.message).to.include(text);
    });
  }

  it('ends its query when the caller leaves', async () => {
    let state = 'none';
    run = (_query, { signal }) =>
      new Promise((_, reject) => {
        state = 'running';
        signal?.addEventListener('abort', () => {
          state = 'ended';
          reject(signal.reason);
        });
      });
    const left = new AbortController();
    const gone = open({ parameters: ['pages'], ...JUNE }, left.signal).catch(() => 'gone');
    await until('the query runs', () => state === 'running');
    left.abort();
    await until('the query ends', () => state === 'ended');
    expect(await gone).to.equal('gone');
  });

  it('breaks the connection rather than end a file that is not whole', async () => {
    // The second piece has a count that is none.
    run = async () =>
      Array.from({ length: 5_000 }, (_, index) => ({
        [rowNames.dimension('path')]: '/',
        [rowNames.measure('pageviews')]: index < 4_000 ? 1 : 'none',
      }));
    const response = await open({ parameters: ['pages'], ...JUNE });
    expect(response.status).to.equal(200);
    const read = await response.text().then(
      () => 'whole',
      () => 'broken',
    );
    expect(read).to.equal('broken');
  });
});
