/** Checks what a list says in its address and asks of the API, and what a click on its values keeps. */
import { expect } from 'chai';
import {
  filtersOfCell,
  type Listing,
  lastPage,
  listingQuestion,
  listingState,
} from '../../../../../services/dashboard/client/drill/listing.ts';
import type { Scene } from '../../../../../services/dashboard/client/website/scene.ts';

const LISTING: Listing = {
  dataset: 'page_details',
  sort: '-pageviews',
  searched: ['path'],
  columns: [
    { key: 'path', kind: 'text', dimension: 'path' },
    { key: 'pageviews', kind: 'count' },
    { key: 'title', kind: 'text', isUnsorted: true },
  ],
};
const SCENE: Scene = {
  websiteId: 'web_1',
  timezone: 'UTC',
  range: { preset: 'today' },
  granularity: 'hourly',
  filters: [{ dimension: 'country', operator: 'eq', value: 'DE', of: 'session' }],
  comparison: { period: 'previous', isByWeekday: false },
};
const COUNTRY = { field: 'country', op: 'eq', value: 'DE', of: 'session' };
const FIRST = { sort: '-pageviews', search: '', page: 1 };

describe('a list', () => {
  it('is as it is at first where its address makes no sense', () => {
    const state = (parameters: Record<string, string>) => listingState(LISTING, parameters);
    expect(state({})).to.deep.equal(FIRST);
    for (const sort of ['', '-', '--pageviews', 'title', 'constructor', 'visitors']) {
      expect(state({ sort }), sort).to.deep.equal(FIRST);
    }
    for (const page of ['0', '1', '-2', '1.5', 'x', '201', '1e9']) {
      expect(state({ page }), page).to.deep.equal(FIRST);
    }
    expect(state({ sort: 'path', search: 'a', page: '200' })).to.deep.equal({
      ...{ sort: 'path', search: 'a', page: 200 },
    });
    const { searched: _none, ...unsearched } = LISTING;
    expect(listingState(unsearched, { search: 'a' }).search).to.equal('');
  });

  it('is compared with nothing where its rows are single things', () => {
    const { compare: _compare, ...question } = listingQuestion(SCENE, LISTING, FIRST);
    expect(listingQuestion(SCENE, { ...LISTING, isUncompared: true }, FIRST)).to.deep.equal(question);
  });

  it('asks for a page of its rows under the range, filters and comparison of the scene', () => {
    expect(listingQuestion(SCENE, LISTING, { sort: 'path', search: 'a', page: 3 })).to.deep.equal({
      id: 'page_details',
      parameters: ['page_details'],
      preset: 'today',
      filters: [COUNTRY],
      compare: 'previous',
      search: 'a',
      searchIn: ['path'],
      sortBy: 'path',
      sortOrder: 'asc',
      limit: 50,
      page: 3,
    });
  });

  it('adds filters, groups, arguments, a name and a length of its own', () => {
    const where = [{ field: 'metric_name', op: 'eq', value: 'LCP' }];
    const own = { id: 'mine', arguments: { goalId: 'gol_1' }, where, groupBy: ['country'], rows: 20 };
    const question = listingQuestion(SCENE, { ...LISTING, ...own }, FIRST);
    expect(question).to.deep.include({
      id: 'mine',
      parameters: [{ name: 'page_details', goalId: 'gol_1' }],
      filters: [COUNTRY, ...where],
      groupBy: ['country'],
      limit: 20,
    });
    expect(question).not.to.have.any.keys('search', 'searchIn');
    expect(listingQuestion({ ...SCENE, filters: [] }, { ...LISTING, where }, FIRST).filters).to.deep.equal(
      where,
    );
    expect([lastPage(LISTING), lastPage({ ...LISTING, rows: 20 })]).to.deep.equal([200, 500]);
    expect(lastPage({ ...LISTING, rows: 20, reading: { rows: 100, pages: 3 } })).to.equal(15);
  });

  it('keeps the sessions of a value that is clicked, and those without one where it has none', () => {
    const [path] = LISTING.columns;
    expect(filtersOfCell({ path: '/a' }, path)).to.deep.equal([
      { dimension: 'path', operator: 'eq', value: '/a', of: 'session' },
    ]);
    expect(filtersOfCell({ path: 'Unknown' }, path)).to.deep.equal([
      { dimension: 'path', operator: 'missing', value: '', of: 'session' },
    ]);
    const source = { key: 'name', kind: 'text', dimension: 'source', missing: 'Direct' } as const;
    expect(filtersOfCell({ name: 'Direct' }, source)[0]).to.include({ operator: 'missing' });
    expect(filtersOfCell({ name: 'Unknown' }, source)[0]).to.include({ operator: 'eq', value: 'Unknown' });
    expect(filtersOfCell({ pageviews: 1 }, { key: 'pageviews', kind: 'count' })).to.deep.equal([]);
    const city = {
      key: 'name',
      kind: 'text',
      dimension: 'city',
      names: 'place',
      codeFrom: 'country_code',
    } as const;
    expect(filtersOfCell({ name: 'Bonn', country_code: 'DE' }, city).map(({ value }) => value)).to.deep.equal(
      ['DE', 'Bonn'],
    );
    const property = { key: 'value', kind: 'text', dimension: () => 'properties.plan' as const } as const;
    expect(filtersOfCell({ value: 'pro' }, property)[0]).to.include({
      dimension: 'properties.plan',
      value: 'pro',
    });
    expect(filtersOfCell({ value: 'pro' }, { ...property, dimension: () => undefined })).to.deep.equal([]);
  });
});
