/** Checks the table of a file: the API's columns, with those of the other period behind. */
import { expect } from 'chai';
import { tableOf } from '../../../../../services/dashboard/client/drill/table-of.ts';

describe('the table of rows', () => {
  it('has the columns of the API, and what they are compared with where there is something', () => {
    const rows = [
      { name: '/', pageviews: 2, previous: { pageviews: 1 } },
      { name: '/new', pageviews: 1, previous: null },
    ];
    expect(tableOf(rows as never)).to.deep.equal({
      header: ['name', 'pageviews', 'previous_pageviews'],
      rows: [
        ['/', 2, 1],
        ['/new', 1, null],
      ],
    });
  });

  it('writes objects as JSON, and has no column without a row', () => {
    expect(tableOf([{ properties: { plan: 'pro' } }] as never).rows).to.deep.equal([['{"plan":"pro"}']]);
    expect(tableOf([])).to.deep.equal({ header: [], rows: [] });
  });
});
