/** GET /v1/query/types, and what must hold of every dataset of the catalogue. */
import { expect } from 'chai';
import { DATASETS, DATASETS_BY_NAME } from '../../../../services/query/datasets/index.ts';
import { NUMBER_COLUMNS, TEXT_COLUMNS } from '../../../../services/shared/model/event-record.ts';
import { GOLDEN_NOW } from '../../../support/query/golden-log.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../../support/query/start-query-service.ts';

interface Types {
  readonly types: string[];
  readonly presets: string[];
  readonly configs: Record<
    string,
    {
      allowedFilters: string[];
      defaultLimit: number;
      meta?: { description: string; output_fields: { name: string; type: string; needs?: string }[] };
    }
  >;
  readonly views: Record<string, { name: string; type: string; description: string }[]>;
}

describe('GET /v1/query/types', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: [], now: GOLDEN_NOW });
  });
  after(() => service.close());

  const types = async (queryString = '') => {
    const answer = await service.call(`/v1/query/types${queryString}`, { as: 'public' });
    expect(answer.status).to.equal(200);
    return answer.body as unknown as Types;
  };

  it('lists every name of every dataset, with filters and limits, to anybody', async () => {
    const body = await types();
    expect(body).to.include({ success: true });
    expect(body.types).to.include.members([
      'summary',
      'events_by_date',
      'summary_metrics',
      'pages',
      'traffic',
      'custom_events',
      'custom_events_summary',
    ]);
    expect(Object.keys(body.configs)).to.deep.equal(body.types);
    expect(body.configs.events_by_date).to.deep.equal(body.configs.summary);
    expect(body.configs.pages?.defaultLimit).to.equal(100);
    expect(body.configs.pages?.allowedFilters).to.include.members([
      'path',
      'utm_content',
      'properties.<key>',
    ]);
    expect(body.configs.pages?.allowedFilters).to.not.include('namespace');
    expect(body.configs.custom_events?.allowedFilters).to.include.members([
      'event_name',
      'namespace',
      'source',
    ]);
    expect(body.configs.pages).to.not.have.property('meta');
    expect(body.presets).to.include.members(['today', 'last_90d', 'this_year']);
  });

  it('marks the columns that are there only with a goal', async () => {
    const { configs } = await types('?include_meta=true');
    const marked = (name: string) =>
      configs[name]?.meta?.output_fields.filter(({ needs }) => needs === 'goalId').map((field) => field.name);
    expect(marked('session_sources')).to.deep.equal(['conversions', 'revenue']);
    expect(marked('pages')).to.deep.equal([]);
  });

  it('describes the output with include_meta=true', async () => {
    const { configs } = await types('?include_meta=true');
    for (const config of Object.values(configs))
      expect(config.meta?.description).to.be.a('string').and.not.empty;
    const operators = ['eq', 'ne', 'in', 'not_in', 'contains', 'not_contains', 'starts_with', 'matches'];
    expect(configs.pages?.meta?.output_fields).to.deep.equal([
      {
        name: 'path',
        type: 'string',
        filter: { field: 'path', operators: [...operators, 'missing', 'present'], missing: 'Unknown' },
      },
      { name: 'pageviews', type: 'number' },
      { name: 'visitors', type: 'number' },
    ]);
    expect(configs.pages?.meta?.description).to.include('visitors: Distinct visitors of the page.');
  });

  it('names every column that a series can have: hourly rows carry timestamp too', async () => {
    const { configs } = await types('?include_meta=true');
    const range = { startDate: '2025-03-29', endDate: '2025-03-29', granularity: 'hourly' };
    const [row] = rowsOf(await service.query({ parameters: ['summary'], ...range }));
    const names = configs.summary?.meta?.output_fields.map(({ name }) => name);
    expect(names).to.have.members(Object.keys(row ?? {}));
    expect(configs.summary?.meta?.description).to.include(
      'timestamp: Start of the minute or hour (UTC); only in rows of those.',
    );
  });

  it('describes the views of custom SQL', async () => {
    const { views } = await types();
    expect(Object.keys(views)).to.have.members([
      'events',
      'sessions',
      'pageviews',
      'custom_events',
      'errors',
      'web_vitals',
      'link_clicks',
    ]);
    expect(views.events?.map(({ name }) => name)).to.include.members([
      'event_name',
      'timestamp',
      'properties',
    ]);
    // The columns of the record of an event, and no more: whose it is goes without saying.
    const record = ['timestamp', 'is_bot', ...TEXT_COLUMNS, ...NUMBER_COLUMNS];
    expect(views.events?.map(({ name }) => name)).to.have.members(record);
  });

  it('refuses an include_meta that is neither true nor false', async () => {
    const answer = await service.call('/v1/query/types?include_meta=maybe', { as: 'public' });
    expect([answer.status, answer.body.code]).to.deep.equal([400, 'VALIDATION_ERROR']);
  });
});

describe('the catalogue', () => {
  it('has every name once', () => {
    expect(DATASETS_BY_NAME.size).to.equal(DATASETS.flatMap(({ names }) => names).length);
  });

  for (const dataset of DATASETS) {
    it(`${dataset.names[0]} refers to its own measures and dimensions only`, () => {
      const measures = Object.keys(dataset.measures);
      const dimensions = dataset.dimensions.map(({ name }) => name);
      for (const { name, value } of dataset.columns) {
        if ('measure' in value) expect(measures, name).to.include(value.measure);
        if ('dimension' in value) expect(dimensions, name).to.include(value.dimension);
        if (value.from === 'quotient') expect(measures, name).to.include.members([value.of, value.by]);
        if (value.from === 'span') expect(measures, name).to.include.members([value.first, value.last]);
        if (value.from === 'quantile') expect(dataset.measures[value.measure]).to.have.property('percent');
        if (value.from === 'share') {
          expect(dataset.measures[value.measure]?.kind).to.be.oneOf(['count', 'distinct', 'sessions']);
        }
        if (value.from === 'bucket' && !dataset.sequence?.keys.includes('bucket'))
          expect(dataset.kind).to.equal('series');
        if (value.from === 'band') expect(dataset).to.have.property('bands');
      }
      for (const key of dataset.sequence?.keys ?? []) expect([...measures, 'bucket']).to.include(key);
      if (dataset.having) expect(measures).to.include(dataset.having.measure);
      for (const [name, { kind }] of Object.entries(dataset.measures)) {
        // What tells rows apart must be told in the unit that rows are of.
        if (kind === 'number') expect(dataset.unit, name).to.equal('eachEvent');
        if (dataset.kind === 'list' && dataset.unit !== 'events') {
          expect(kind.startsWith('session'), name).to.equal(dataset.unit === 'sessions');
        }
        // Sessions by the page of the row: of a list of pages, and no other sessions beside them.
        if (kind === 'sessionsBy') {
          expect([dataset.kind, dataset.unit, dimensions.length]).to.deep.equal(['list', 'events', 1]);
          const others = Object.values(dataset.measures).map((measure) => measure.kind);
          expect(others.filter((other) => other.startsWith('session') && other !== kind)).to.be.empty;
        }
      }
      expect(new Set(dataset.columns.map(({ name }) => name)).size).to.equal(dataset.columns.length);
    });

    it(`${dataset.names[0]} is ordered exactly when it is a list, and grouped by nothing when it is a row`, () => {
      if (dataset.kind === 'list') {
        expect(dataset.columns.map(({ name }) => name)).to.include(dataset.order?.column);
        expect([...dataset.dimensions, ...(dataset.bands ?? []), ...(dataset.sequence?.keys ?? [])]).to.not.be
          .empty;
      } else {
        expect(dataset.order).to.equal(null);
      }
      if (dataset.kind === 'row') {
        expect([dataset.dimensions, dataset.extraDimensions]).to.deep.equal([[], []]);
      }
    });
  }
});
