/** The preset all: from the day of the first event in reach, which meta tells. */
import { expect } from 'chai';
import { eventRecord } from '../../support/query/event.ts';
import {
  rowsOf,
  type StartedQueryService,
  startQueryService,
} from '../../support/query/start-query-service.ts';
import { withRun } from '../../support/query/with-run.ts';

const NOW = Date.parse('2025-04-02T10:00:00Z');

describe('the preset all', () => {
  let service: StartedQueryService;
  /** How often the store was asked. */
  let asked = 0;
  before(async () => {
    service = await startQueryService({
      now: NOW,
      log: [
        eventRecord({ at: '2025-03-20T00:00:00Z', is_bot: true }),
        eventRecord({ at: '2025-03-29T23:30:00Z', event_name: 'signup' }),
        eventRecord({ at: '2025-04-01T10:00:00Z' }),
        eventRecord({ at: '2025-03-01T10:00:00Z', website_id: 'web_b' }),
        eventRecord({ at: '2025-02-01T10:00:00Z', website_id: null }),
        eventRecord({ at: '2024-01-01T10:00:00Z', website_id: 'web_c', organization_id: 'org_b' }),
      ],
      wrapEvents: (events) =>
        withRun(events, (query, read) => {
          asked += 1;
          return events.run(query, read);
        }),
    });
  });
  after(() => service.close());

  const ask = (request: object, queryString = '') =>
    service.query({ parameters: ['summary'], preset: 'all', ...request }, queryString);
  const firstEvent = ({ body }: Awaited<ReturnType<typeof ask>>) =>
    (body.meta as { first_event?: string | null }).first_event;

  it('starts with the day of the first event that is no crawler, in the timezone, and ends today', async () => {
    const days = rowsOf(await ask({})).map(({ date, pageviews }) => [date, pageviews]);
    expect(days).to.deep.equal([
      ['2025-03-29', 0],
      ['2025-03-30', 0],
      ['2025-03-31', 0],
      ['2025-04-01', 1],
      ['2025-04-02', 0],
    ]);
    const berlin = await ask({}, '&timezone=Europe/Berlin');
    expect(rowsOf(berlin)[0]?.date).to.equal('2025-03-30');
    expect(firstEvent(berlin)).to.equal('2025-03-29T23:30:00.000Z');
  });

  it('is about all that is queried: the organization starts with its own first event', async () => {
    const path = '/v1/query?organization_id=org_a';
    const body = { parameters: ['summary'], preset: 'all', granularity: 'monthly' };
    const answer = await service.call(path, { method: 'POST', body });
    expect(firstEvent(answer)).to.equal('2025-02-01T10:00:00.000Z');
    expect(rowsOf(answer).map(({ date }) => date)).to.deep.equal(['2025-02-01', '2025-03-01', '2025-04-01']);
  });

  it('is today where there is no event, and says null', async () => {
    const path = '/v1/query?organization_id=org_empty';
    const body = { parameters: ['summary'], preset: 'all' };
    const answer = await service.call(path, { method: 'POST', body, as: 'empty-organization' });
    expect(firstEvent(answer)).to.equal(null);
    expect(rowsOf(answer).map(({ date }) => date)).to.deep.equal(['2025-04-02']);
  });

  it('says nothing of a first event under another preset or dates', async () => {
    for (const range of [
      { preset: 'last_7d' },
      { preset: undefined, startDate: '2025-04-01', endDate: '2025-04-01' },
    ])
      expect(Object.keys((await ask(range)).body.meta as object)).to.not.include('first_event');
  });

  it('gives way to the dates of a single dataset', async () => {
    const parameters = [{ name: 'summary', startDate: '2025-04-01' }];
    expect(rowsOf(await ask({ parameters })).map(({ date }) => date)).to.deep.equal([
      '2025-04-01',
      '2025-04-02',
    ]);
    const ended = [{ name: 'summary', endDate: '2025-03-30' }];
    expect(rowsOf(await ask({ parameters: ended })).map(({ date }) => date)).to.deep.equal([
      '2025-03-29',
      '2025-03-30',
    ]);
    const before = [{ name: 'summary_metrics', endDate: '2025-03-01' }];
    expect(rowsOf(await ask({ parameters: before }))[0]).to.include({ total_events: 0 });
  });

  it('looks the first event up once, however many datasets and request objects are about it', async () => {
    const request = { parameters: ['summary', 'pages'], preset: 'all' };
    asked = 0;
    const answer = await service.query([request, { ...request, limit: 5 }, { ...request, limit: 6 }]);
    expect(answer.status).to.equal(200);
    // The first event, the series, and the lists with any limit, which share a scan.
    expect(asked).to.equal(1 + 1 + 1);
  });

  it('is compiled with the range that would be asked', async () => {
    const answer = await service.call('/v1/query/compile?website_id=web_a', {
      method: 'POST',
      body: { type: 'summary_metrics', preset: 'all' },
    });
    expect(Object.values(answer.body.params as object)).to.include(Date.parse('2025-03-29T00:00:00Z'));
  });
});
