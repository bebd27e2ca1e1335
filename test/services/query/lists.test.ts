/** Lists: limit, page and order; what a dataset refuses of these; series take no notice of them. */
import { expect } from 'chai';
import { describeOnEngines } from '../../support/query/engines.ts';
import { GOLDEN_LOG, GOLDEN_NOW } from '../../support/query/golden-log.ts';
import { datasetsOf, rowsOf, type StartedQueryService } from '../../support/query/start-query-service.ts';

const MARCH = { startDate: '2025-03-29', endDate: '2025-03-31' };

describeOnEngines('lists', (start) => {
  let service: StartedQueryService;
  before(async () => {
    service = await start({ log: GOLDEN_LOG, now: GOLDEN_NOW });
  });

  const paths = async (request: object) =>
    rowsOf(await service.query({ parameters: ['pages'], ...MARCH, ...request })).map(({ path }) => path);

  it('pages never overlap and miss nothing; beyond the last one there is nothing', async () => {
    const whole = await paths({});
    const paged = [
      await paths({ limit: 2 }),
      await paths({ limit: 2, page: 2 }),
      await paths({ limit: 2, page: 3 }),
    ];
    expect(paged.map((page) => page.length)).to.deep.equal([2, 2, 1]);
    expect(paged.flat()).to.deep.equal(whole);
    expect(await paths({ limit: 2, page: 4 })).to.deep.equal([]);
    expect(await paths({ limit: 10_000, page: 1_000_000 })).to.deep.equal([]);
  });

  it('meta repeats page and limit', async () => {
    const answer = await service.query({ parameters: ['pages'], ...MARCH, limit: 2, page: 2 });
    expect(answer.body.meta).to.include({ page: 2, limit: 2 });
  });

  it('a share is that of the total before the limit', async () => {
    const answer = await service.query({ parameters: ['traffic'], ...MARCH, limit: 1, page: 2 });
    expect(rowsOf(answer)).to.deep.equal([
      { source: 'referral', referrer: 'blog.example', pageviews: 2, visitors: 1, percentage: 22.22 },
    ]);
  });

  it('sortBy takes any column, sortOrder turns it, ties go by name ascending', async () => {
    expect(await paths({ sortOrder: 'asc' })).to.deep.equal([
      '/100%_off',
      '/docs',
      'Unknown',
      '/pricing',
      '/',
    ]);
    expect(await paths({ sortBy: 'visitors' })).to.deep.equal([
      '/',
      '/pricing',
      '/100%_off',
      '/docs',
      'Unknown',
    ]);
    expect(await paths({ sortBy: 'path' })).to.deep.equal(['/', '/100%_off', '/docs', '/pricing', 'Unknown']);
    expect(await paths({ sortBy: 'path', sortOrder: 'desc' })).to.deep.equal([
      'Unknown',
      '/pricing',
      '/docs',
      '/100%_off',
      '/',
    ]);
    const request = { parameters: ['custom_events'], ...MARCH, sortBy: 'last_occurrence' };
    expect(rowsOf(await service.query(request)).map(({ name }) => name)).to.deep.equal([
      'ping',
      'purchase',
      'signup',
    ]);
    const share = { parameters: ['traffic'], ...MARCH, sortBy: 'percentage', sortOrder: 'asc', limit: 1 };
    expect(rowsOf(await service.query(share))[0]).to.include({ source: 'campaign', referrer: 'Direct' });
  });

  it('a column that a dataset does not have fails that dataset alone', async () => {
    const answer = await service.query({ parameters: ['pages', 'traffic'], ...MARCH, sortBy: 'source' });
    expect(datasetsOf(answer).map(({ parameter, error }) => [parameter, error])).to.deep.equal([
      ['traffic', undefined],
      ['pages', 'The dataset "pages" has no column "source"; it has path, pageviews, visitors.'],
    ]);
  });

  it('groupBy is refused where the dataset allows none, or has the column already', async () => {
    const parameters = ['website_totals', 'sessions', 'summary_metrics'];
    const answer = await service.query({ parameters, ...MARCH, groupBy: ['country'] });
    expect(datasetsOf(answer).map(({ error }) => error)).to.deep.equal(
      parameters.map((name) => `The dataset "${name}" cannot be grouped by "country"; it allows no groupBy.`),
    );
    const again = await service.query({ parameters: ['pages'], ...MARCH, groupBy: 'path' });
    expect(datasetsOf(again)[0]?.error).to.match(
      /^The dataset "pages" cannot be grouped by "path"; it allows query_string, referrer, country, /,
    );
    const near = await service.query({ parameters: ['pages'], ...MARCH, groupBy: 'contry' });
    expect(datasetsOf(near)[0]?.error).to.match(/did you mean "country"\?$/);
  });

  it('groupBy adds a column and a group for each of its values', async () => {
    const request = { parameters: ['pages'], ...MARCH, groupBy: ['country', 'country', 'utm_source'] };
    expect(rowsOf(await service.query(request)).slice(0, 3)).to.deep.equal([
      // Of v2 and v3; those of v1 came from Germany, and by a campaign.
      { country: 'Unknown', utm_source: 'Unknown', path: '/', pageviews: 2, visitors: 2 },
      { country: 'DE', utm_source: 'Unknown', path: '/', pageviews: 1, visitors: 1 },
      { country: 'Unknown', utm_source: 'news', path: '/', pageviews: 1, visitors: 1 },
    ]);
  });

  it('a property groups by its text, whatever its key', async () => {
    const by = async (groupBy: string) => {
      const answer = await service.query({
        parameters: ['custom_events'],
        ...MARCH,
        groupBy,
        sortBy: 'name',
      });
      return rowsOf(answer).map((row) => [row.name, row[groupBy], row.total_events, row.percentage]);
    };
    expect(await by('properties.plan')).to.deep.equal([
      ['ping', 'Unknown', 1, 20],
      ['purchase', 'free', 1, 20],
      ['purchase', 'pro', 1, 20],
      ['signup', 'Unknown', 1, 20],
      ['signup', 'pro', 1, 20],
    ]);
    expect(await by('properties.a/b')).to.deep.include(['purchase', 'slashed', 1, 20]);
    expect(await by('properties.seats')).to.deep.include(['signup', '3', 1, 20]);
    expect(await by("properties.x') AS d_name, 1; --")).to.deep.include(['ping', 'Unknown', 1, 20]);
  });

  it('series return every bucket, ascending, whatever limit, page and order say', async () => {
    const request = { parameters: ['summary'], ...MARCH };
    const plain = rowsOf(await service.query(request));
    const turned = { ...request, limit: 1, page: 2, sortBy: 'visitors', sortOrder: 'desc' };
    expect(rowsOf(await service.query(turned))).to.deep.equal(plain);
  });
});
