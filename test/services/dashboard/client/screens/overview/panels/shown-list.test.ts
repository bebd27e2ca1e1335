/** Checks the rows that panels of the overview show of an answer. */
import { expect } from 'chai';
import type { DatasetAnswer } from '../../../../../../../services/dashboard/client/api/wire.ts';
import {
  fileOf,
  filtersOfRow,
  shownList,
} from '../../../../../../../services/dashboard/client/screens/overview/panels/shown-list.ts';
import { type List, PANELS } from '../../../../../../../services/dashboard/client/screens/overview/panels.ts';
import { limitOf } from '../../../../../../../services/dashboard/client/screens/overview/questions.ts';

const answer = (data: DatasetAnswer['data'], parameter = 'x'): DatasetAnswer => ({
  parameter,
  success: true,
  data,
});
const listOf = (dataset: string): List => {
  const found = PANELS.flatMap(({ lists }) => lists).find((list) => list.dataset === dataset);
  if (found === undefined) throw new Error(`no list ${dataset}`);
  return found;
};
const campaigns = listOf('session_utm_campaigns');
const pages = PANELS[0]?.lists[0];
const named = (name: string, count: number) => ({
  name,
  pageviews: count,
  sessions: count,
  visitors: 1,
  percentage: 2,
});

describe('the rows of a panel', () => {
  it('tells what a row was in the other period, and where there was none', () => {
    const rows = [
      { ...named('/', 9), previous: { pageviews: 6, visitors: 1 } },
      { ...named('/new', 3), previous: null },
    ];
    const shown = shownList(answer(rows as unknown as DatasetAnswer['data']), listOf('top_pages'), 10).rows;
    expect(shown.map((row) => row.before)).to.deep.equal([6, null]);
  });

  it('leaves sessions without a campaign out of the campaigns, and nothing else', () => {
    const rows = [named('Unknown', 90), named('spring', 10), named('may', 4)];
    const { rows: kept } = shownList(answer(rows), campaigns, 10);
    expect(kept.map(({ name, share, numbers }) => [name, share, numbers[0]])).to.deep.equal([
      ['spring', 1, 10],
      ['may', 0.4, 4],
    ]);
  });

  it('filters by the sessions of a row: a country by its code, a city with its country, a row without a value by what is missing', () => {
    const row = (dataset: string, source: DatasetAnswer['data'][number]) => {
      const list = listOf(dataset);
      const [shown] = shownList(answer([source]), list, 10).rows;
      if (!shown) throw new Error('no row');
      return filtersOfRow(shown, list).map(({ dimension, operator, value }) => [dimension, operator, value]);
    };
    expect(row('countries', { name: 'Germany', country_code: 'DE' })).to.deep.equal([
      ['country', 'eq', 'DE'],
    ]);
    expect(row('cities', { name: 'Bern', country_code: 'CH' })).to.deep.equal([
      ['country', 'eq', 'CH'],
      ['city', 'eq', 'Bern'],
    ]);
    expect(row('browser_name', { name: 'Unknown' })).to.deep.equal([['browser', 'missing', '']]);
    expect(row('session_sources', { name: 'Direct' })).to.deep.equal([['source', 'missing', '']]);
    expect(row('session_channels', { name: 'direct' })).to.deep.equal([['channel', 'eq', 'direct']]);
  });

  it('has goals in their order, each with its rate, and no filter for what is none', () => {
    const goals = listOf('goals');
    const rows = [
      { name: 'Paid', goal_id: 'gol_1', visitors: 2, conversions: 3, conversion_rate: 4 },
      { name: 'Signed up', goal_id: 'gol_2', visitors: 8, conversions: 9, conversion_rate: 16 },
    ];
    const shown = shownList(answer(rows), goals, 10).rows;
    expect(
      shown.map(({ id, numbers, percentage, share }) => [id, ...numbers, percentage, share]),
    ).to.deep.equal([
      ['gol_1', 2, 3, 4, 0.25],
      ['gol_2', 8, 9, 16, 1],
    ]);
    expect(shown.flatMap((row) => filtersOfRow(row, goals))).to.deep.equal([]);
  });

  it('says that there are more rows when there are, and when an answer may have been cut', () => {
    if (!pages) throw new Error('no list');
    const rows = (count: number) => Array.from({ length: count }, (_, index) => named(`/${index}`, 1));
    expect(shownList(answer(rows(10)), pages, 10).hasMore).to.equal(false);
    expect(shownList(answer(rows(11)), pages, 10)).to.have.property('hasMore', true);
    expect(shownList(answer(rows(11)), pages, 10).rows).to.have.length(10);
    const own = Array.from({ length: limitOf(campaigns.dataset, 10) }, () => named('Unknown', 1));
    expect(shownList(answer(own), campaigns, 10).hasMore).to.equal(true);
  });

  it('writes rows under the columns of the API', () => {
    if (!pages) throw new Error('no list');
    const row = { name: '/', pageviews: 3, visitors: 2, percentage: 60, previous: { pageviews: 1 } };
    const shown = shownList(answer([row] as unknown as DatasetAnswer['data']), pages, 10);
    expect(fileOf(shown)).to.deep.equal({
      header: ['name', 'pageviews', 'visitors', 'percentage', 'previous_pageviews'],
      rows: [['/', 3, 2, 60, 1]],
    });
    expect(fileOf(shownList(answer([]), pages, 10)).rows).to.deep.equal([]);
  });
});
