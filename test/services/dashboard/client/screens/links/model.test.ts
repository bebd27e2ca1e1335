/** What the screens of links make of answers: a link without a click, a part that failed, lists that go on, CSV. */
import { expect } from 'chai';
import {
  bucketsOf,
  CSV_COLUMNS,
  csvRow,
  topOf,
  totalsOf,
} from '../../../../../../services/dashboard/client/screens/links/model.ts';

type Rows = readonly Readonly<Record<string, string | number>>[];
const answer = (parameter: string, data: Rows, success = true) => ({ parameter, success, data }) as never;
const batch = (...answers: never[]) => ({ results: [{ data: answers }] }) as never;
const ROW = {
  ...{ link_id: 'lnk_1', clicks: 7, unique_visitors: 5 },
  last_click: '2026-06-15T09:30:00.000Z',
};

describe('the clicks of links', () => {
  it('are told by link, and none of one that has no row', () => {
    const totals = totalsOf(batch(answer('link_totals', [ROW])));
    const lastClick = '2026-06-15T09:30:00.000Z';
    expect(totals?.('lnk_1')).to.deep.equal({ clicks: 7, visitors: 5, lastClick });
    expect(totals?.('lnk_2')).to.deep.equal({ clicks: 0, visitors: 0, lastClick: null });
  });

  it('are not known, and not none, before they came and when they could not be computed', () => {
    expect(totalsOf(undefined)).to.equal(undefined);
    expect(totalsOf(batch(answer('link_totals', [], false)))).to.equal(undefined);
  });

  it('are told over time, with what a bucket is of the range', () => {
    const rows = [
      { date: '2026-06-14', clicks: 3 },
      { date: '2026-06-15', clicks: 1 },
      { date: '2026-06-16', clicks: 0 },
    ];
    const clock = { now: Date.parse('2026-06-15T12:00:00Z'), today: '2026-06-15' };
    const days = { first: '2026-06-14', last: '2026-06-16' };
    const buckets = bucketsOf(answer('link_clicks_by_day', rows), 'daily', clock, days);
    expect(buckets.map(({ clicks, state }) => [clicks, state])).to.deep.equal([
      [3, 'whole'],
      [1, 'running'],
      [0, 'future'],
    ]);
  });
});

describe('a list of what clicks are made of', () => {
  const rows = [
    { name: 'Germany', country: 'DE', clicks: 8 },
    { name: 'Unknown', country: '', clicks: 2 },
    { name: 'France', country: 'FR', clicks: 1 },
  ];

  it('has its first rows with bars by the first, and says whether it goes on', () => {
    const top = topOf(answer('link_top_countries', rows), 2);
    expect(top.hasMore).to.equal(true);
    expect(top.rows).to.deep.equal([
      { name: 'Germany', country: 'DE', clicks: 8, share: 1 },
      { name: 'Unknown', country: '', clicks: 2, share: 0.25 },
    ]);
    expect(topOf(answer('link_top_countries', rows), 3).hasMore).to.equal(false);
  });

  it('may be empty, and its rows without a country', () => {
    expect(topOf(answer('link_top_referrers', []), 10)).to.deep.equal({ rows: [], hasMore: false });
    const [row] = topOf(answer('link_top_referrers', [{ name: 'Direct', clicks: 1 }]), 10).rows;
    expect(row?.country).to.equal('');
  });
});

describe('a link as a row of CSV', () => {
  const link = {
    ...{ id: 'lnk_1', name: 'Sale', slug: 'sale', targetUrl: 'https://a.example/', websiteId: null },
    ...{ expiresAt: null, tags: ['a', 'b'] },
  };

  it('has a cell for each column, and leaves unknown clicks empty', () => {
    const known = csvRow(link as never, { clicks: 7, visitors: 5, lastClick: null });
    expect(known).to.deep.equal([
      ...['lnk_1', 'Sale', 'sale', 'https://a.example/', null, null, 'a b'],
      ...[7, 5, null],
    ]);
    expect(known).to.have.length(CSV_COLUMNS.length);
    expect(csvRow(link as never, undefined).slice(-3)).to.deep.equal([undefined, undefined, undefined]);
  });
});
