/** What the screens of links ask: datasets and columns that there are, one call for each screen, in words that the API takes. */
import { expect } from 'chai';
import {
  clicksRequest,
  FEW,
  listRequest,
  MOST,
  PAGE,
  PANELS,
  seriesRequest,
  topRequest,
  totalsRequest,
} from '../../../../../../services/dashboard/client/screens/links/questions.ts';
import { linksDatasets } from '../../../../../../services/query/datasets/links/index.ts';

const SCENE = {
  linkId: 'lnk_1',
  timezone: 'Europe/Berlin',
  range: { preset: 'last_7d' },
  granularity: 'hourly',
} as const;
/** Columns that the screens read, by dataset. */
const READ: Readonly<Record<string, readonly string[]>> = {
  link_totals: ['link_id', 'clicks', 'unique_visitors', 'last_click'],
  link_clicks_by_day: ['date', 'clicks'],
  link_top_countries: ['name', 'country', 'clicks'],
  link_top_cities: ['name', 'country', 'clicks'],
  link_top_devices: ['name', 'clicks'],
  link_top_browsers: ['name', 'clicks'],
  link_top_referrers: ['name', 'clicks'],
};

describe('the questions of the screens of links', () => {
  it('name datasets that there are, and read columns that these have', () => {
    const body = clicksRequest(SCENE).body as { parameters: string[] }[];
    const asked = body.flatMap(({ parameters }) => parameters);
    expect(asked).to.have.members(Object.keys(READ));
    for (const [name, columns] of Object.entries(READ)) {
      const dataset = linksDatasets.find(({ names }) => names.includes(name));
      expect(
        dataset?.columns.map((column) => column.name),
        name,
      ).to.include.members([...columns]);
    }
  });

  it('ask for the clicks of all links of a page at once, and for as many rows', () => {
    const ids = Array.from({ length: PAGE }, (_, index) => `lnk_${index}`);
    expect(totalsRequest(ids, 'UTC')).to.deep.equal({
      method: 'POST',
      path: '/v1/query',
      query: { timezone: 'UTC' },
      body: [
        {
          parameters: ['link_totals'],
          preset: 'last_30d',
          filters: [{ field: 'link_id', op: 'in', value: ids }],
          limit: PAGE,
        },
      ],
    });
    expect(listRequest({ search: 'x', sort: 'name', cursor: undefined }).query).to.deep.include({
      limit: PAGE,
    });
  });

  it('ask about one link in its range and zone, and for one row more than is shown', () => {
    const query = { link_id: 'lnk_1', timezone: 'Europe/Berlin' };
    const [numbers, lists] = clicksRequest(SCENE).body as Record<string, unknown>[];
    expect(clicksRequest(SCENE).query).to.deep.equal(query);
    expect(numbers).to.include({ preset: 'last_7d', granularity: 'hourly' });
    expect(lists).to.include({ preset: 'last_7d', limit: FEW + 1 });
    expect(seriesRequest(SCENE).query).to.deep.equal(query);
    const top = topRequest(SCENE, PANELS.places[0], MOST);
    expect(top.query).to.deep.equal(query);
    // The API answers no more rows than these.
    expect((top.body as { limit: number }[])[0]?.limit).to.equal(10_000);
  });
});
