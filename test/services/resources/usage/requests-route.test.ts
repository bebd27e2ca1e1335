/** Requests over time of an organization that uses very many keys: the rows with most requests are shown, and all are counted. */
import { expect } from 'chai';
import { requestLabels } from '../../../../services/shared/model/request-labels.ts';
import {
  type ResourcesService,
  sessionOf,
  startResourcesService,
} from '../../../support/start-resources-service.ts';

const DAY_MS = 86_400_000;
const KEYS = 5_000;

describe('the requests of an organization with very many keys', () => {
  let service: ResourcesService;
  before(async () => {
    service = await startResourcesService();
    const startsAtMs = Math.floor(service.clock.now() / DAY_MS) * DAY_MS;
    const hour = Math.floor((service.clock.now() - startsAtMs) / 3_600_000);
    const counts = Object.fromEntries(
      Array.from({ length: KEYS }, (_, i) => {
        const labels = { key: `key_${i}`, endpoint: 'query', outcome: 'ok', limit: '', window: '' } as const;
        return [`${hour}|${requestLabels(labels)}`, i + 1];
      }),
    );
    const of = { organizationId: 'org_one', websiteId: null, series: 'requests', grain: 'hour' } as const;
    await service.documents.addActivity([{ ...of, startsAtMs, counts }]);
  });
  after(() => service.close());

  it('shows the fifty busiest, and counts all', async () => {
    const answer = await service.ask(sessionOf('owner'), 'GET', '/v1/usage/requests?groupBy=key');
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    const { rows, moreRows, requests } = answer.body.data;
    expect([rows.length, moreRows, requests]).to.deep.equal([50, KEYS - 50, (KEYS * (KEYS + 1)) / 2]);
    expect(rows[0]).to.deep.include({ key: `key_${KEYS - 1}`, requests: KEYS });
    expect(rows[0].counts.at(-1)).to.equal(KEYS);
  });
});
