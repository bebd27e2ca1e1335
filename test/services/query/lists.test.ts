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

  describe('search', () => {
    const names = async (name: string, search: string, more: object = {}) => {
      const answer = await service.query({ parameters: [name], ...MARCH, ...more, search });
      return rowsOf(answer).map((row) => row.path ?? row.name);
    };

    it('keeps rows that have the text, literally and whatever the case, on pages of their own', async () => {
      expect(await paths({ search: 'DOC' })).to.deep.equal(['/docs']);
      expect(await paths({ search: '0%_' })).to.deep.equal(['/100%_off']);
      expect(await paths({ search: 'unknown' })).to.deep.equal(['Unknown']);
      expect(await paths({ search: 'nothing' })).to.deep.equal([]);
      expect(await paths({ search: 'i', limit: 1, sortBy: 'path' })).to.deep.equal(['/pricing']);
      expect(await paths({ search: '/', limit: 3, page: 2 })).to.deep.equal(
        (await paths({ search: '/' })).slice(3),
      );
    });

    it('looks through what rows show, and through every text that they are grouped by', async () => {
      expect(await names('countries', 'germ')).to.deep.equal(['Germany']);
      expect(await names('countries', 'de')).to.deep.equal(['Germany']);
      expect(await names('countries', 'berlin')).to.deep.equal([]);
      expect(await names('custom_events', 'PRO', { groupBy: 'properties.plan' })).to.deep.equal([
        'purchase',
        'signup',
      ]);
    });

    it('looks through the columns that searchIn names alone, each of which the dataset must have', async () => {
      const ask = async (searchIn: readonly string[]) => {
        const parameters = ['custom_event_properties'];
        const [answer] = datasetsOf(await service.query({ parameters, ...MARCH, search: 'pro', searchIn }));
        return answer?.error ?? answer?.data?.map(({ name, property_value }) => `${name} ${property_value}`);
      };
      expect(await ask(['property_value'])).to.have.members(['purchase pro', 'signup pro']);
      expect(await ask(['name', 'property_key'])).to.deep.equal([]);
      expect(await ask(['count'])).to.equal(
        '"custom_event_properties" has no text "count" to search; it has name, property_key, property_value.',
      );
      const alone = await service.query({ parameters: ['pages'], ...MARCH, searchIn: ['path'] });
      expect([alone.status, (alone.body.details as object[])[0]]).to.deep.equal([
        400,
        { field: 'searchIn', message: 'Only beside search.' },
      ]);
    });

    it('leaves shares, and what rows are compared with, as they are without it', async () => {
      const ask = async (more: object) =>
        rowsOf(await service.query({ parameters: ['top_pages'], ...MARCH, compare: 'previous', ...more }));
      const all = await ask({});
      const [found] = await ask({ search: 'pricing' });
      expect(found).to.deep.equal(all.find(({ name }) => name === '/pricing'));
      expect(found?.percentage).to.be.above(0);
    });

    it('is asked of each list of a call by itself, beside lists that share a scan', async () => {
      const parameters = ['summary_metrics', 'top_pages', 'browser_name', 'os_name'];
      const search = 'pricing';
      const answer = await service.query([
        { parameters, ...MARCH },
        { parameters, ...MARCH, search },
      ]);
      const results = answer.body.results as {
        data: { parameter: string; data: Record<string, unknown>[] }[];
      }[];
      const found = results.map(
        ({ data }) => data.find(({ parameter }) => parameter === 'top_pages')?.data ?? [],
      );
      expect(found[0]?.length).to.be.above(1);
      expect(found[1]).to.deep.equal(found[0]?.filter(({ name }) => name === '/pricing'));
    });

    it('is refused where rows have no text, and in feeds; series take no notice', async () => {
      const parameters = ['summary', 'summary_metrics', 'session_duration_distribution', 'events_live'];
      const answer = await service.query({ parameters, ...MARCH, search: 'x' });
      expect(datasetsOf(answer).map(({ parameter, error }) => [parameter, error])).to.deep.equal([
        ['summary', undefined],
        ['summary_metrics', undefined],
        [
          'session_duration_distribution',
          'The rows of "session_duration_distribution" are grouped by no text that could be searched.',
        ],
        ['events_live', 'The dataset "events_live" has an order of its own; it takes no search.'],
      ]);
    });

    it('is a text of 1 to 256 characters', async () => {
      for (const search of ['', 'x'.repeat(257), 7, '\ud800']) {
        const { status } = await service.query({ parameters: ['pages'], ...MARCH, search });
        expect(status, String(search)).to.equal(400);
      }
    });
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
