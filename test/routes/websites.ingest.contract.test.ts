/** GET /v1/websites/:id/ingest through the whole server: who may ask, and what it says of the events that a website was sent. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { eventually } from '../support/eventually.ts';
import { protectedRouteCases } from '../support/route-cases.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const PATH = '/v1/websites/web_shop/ingest';

describe('the contract of what became of received events', function () {
  this.timeout(30_000);
  let started: TestServer;
  const server = () => started;
  const ask = (path = PATH) => started.call('GET', path, { key: started.keys.all });

  before(async () => {
    started = await startTidegate();
  });
  after(() => started.close());

  it('answers 200 with zeros where nothing was sent', async () => {
    const answer = await ask();
    expectSuccess(answer);
    expect(answer.body.data).to.include({ granularity: 'hour', received: 0, stored: 0 });
    expect(answer.body.data.dropped).to.deep.equal([]);
    expect(answer.body.data.counts.received).to.deep.equal(new Array(24).fill(0));
  });

  it('says within ten seconds how many events were stored, and why others were not', async () => {
    const event = { name: 'signup', websiteId: 'web_shop' };
    const send = (body: unknown) => started.call('POST', '/track', { key: started.keys.all, body });
    for (let i = 0; i < 3; i++) {
      const sent = [
        { ...event, eventId: 'one' },
        { ...event, eventId: `${i}` },
      ];
      expectSuccess(await send(sent));
    }
    expectError(await send([{ ...event, name: '' }]), 400, 'VALIDATION_ERROR');
    const { body } = await eventually(() => ask(`${PATH}?granularity=minute`)).satisfies((answer) =>
      expect(answer.body.data.received).to.equal(7),
    );
    expect(body.data.stored).to.equal(4);
    expect(
      body.data.dropped.map(({ reason, events }: { reason: string; events: number }) => [reason, events]),
    ).to.deep.equal([
      ['repeated', 2],
      ['faulty', 1],
    ]);
    expect(body.data.counts.received).to.have.length(60);
    expect(body.data.counts.received.slice(-3).reduce((sum: number, count: number) => sum + count)).to.equal(
      7,
    );
  });

  it('answers 400 VALIDATION_ERROR to a range of nothing, and to one that is kept no longer', async () => {
    for (const query of ['start=2020-01-01T00:00:00Z', 'granularity=second', 'start=2031-01-01T00:00:00Z']) {
      expectError(await ask(`${PATH}?${query}`), 400, 'VALIDATION_ERROR');
    }
  });

  it('answers 403 ACCESS_DENIED alike for a missing, a foreign and an unlisted website', async () => {
    for (const id of ['web_none', 'web_free', 'web_blog']) {
      const answer = await started.call('GET', `/v1/websites/${id}/ingest`, { key: started.keys.shopOnly });
      expectError(answer, 403, 'ACCESS_DENIED');
    }
  });

  protectedRouteCases(
    server,
    { method: 'GET', path: PATH, wrongMethods: ['POST', 'PATCH', 'DELETE'] },
    'read:data',
    'trackOnly',
  );
});
