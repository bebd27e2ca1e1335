/** What a website takes without a key on a day, through the whole server: beyond it is 429 until midnight, and a low disk takes nothing. */
import { expect } from 'chai';
import { withStored } from '../support/open-stored.ts';
import { type Answer, newAddress, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { until } from '../support/until.ts';

const WEBSITE = '?client_id=web_shop';

describe('the day of a website, through the whole server', () => {
  let server: TestServer;
  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());

  const setDay = (keylessBytesPerDay: unknown) =>
    server.call('PATCH', '/v1/websites/web_shop', {
      key: server.keys.all,
      body: { settings: { keylessBytesPerDay } },
    });

  /** The 429 of the day: the numbers of the limit `public`, used up until midnight, said alike in headers and body. */
  function expectDayIsOver({ status, reason, body, headers }: Answer, limit: number): void {
    expect([status, reason]).to.deep.equal([429, 'RATE_LIMIT_EXCEEDED']);
    expect(body).to.include({ status: 'error', code: 'RATE_LIMIT_EXCEEDED', limit, remaining: 0 });
    expect(body.reset).to.match(/T00:00:00\.000Z$/);
    expect(body.requestId).to.equal(headers.get('x-request-id'));
    expect(headers.get('x-ratelimit-limit')).to.equal(String(limit));
    expect(headers.get('x-ratelimit-remaining')).to.equal('0');
    expect(Number(headers.get('x-ratelimit-reset'))).to.equal(Date.parse(body.reset) / 1000);
    expect(headers.get('retry-after')).to.equal(String(body.retryAfter));
    expect(body.error).to.include(`retry in ${body.retryAfter} s`);
    const leftMs = Date.parse(body.reset) - Date.now();
    expect(body.retryAfter * 1000).to.be.within(leftMs - 1_000, leftMs + 5_000);
  }

  it('is a setting that binds, and ends with 429 and the headers of the limit public', async () => {
    for (const wrong of [0, -1, 1.5, 'much', 1e13]) expect((await setDay(wrong)).status).to.equal(400);
    expect((await setDay(50_000)).body.data.settings).to.include({ keylessBytesPerDay: 50_000 });
    const address = newAddress();
    const send = (options: { address: string; key?: string }) =>
      server.call('POST', `/events${WEBSITE}`, {
        ...options,
        body: { name: 'noise', ignored: 'x'.repeat(3_000) },
      });
    expect((await send({ address })).status).to.equal(200);
    const refused = await send({ address });
    expect([refused.status, refused.reason]).to.deep.equal([429, 'RATE_LIMIT_EXCEEDED']);
    expectDayIsOver(refused, 100);
    expect(refused.body.error).to.match(
      /^The website "web_shop" takes 5000 bytes without an API key a day from one address, /,
    );
    expect((await send({ address: newAddress() })).status, 'another address').to.equal(200);
    expect((await send({ address, key: server.keys.all })).status, 'a key').to.equal(200);
    expect((await setDay(null)).body.data.settings).to.not.have.property('keylessBytesPerDay');
  });

  it('shows the limit public where the decision showed another, and that of the organization', async () => {
    await setDay(50_000);
    const large = () =>
      server.call('POST', `/events${WEBSITE}`, { body: { name: 'noise', ignored: 'x'.repeat(400_000) } });
    expectDayIsOver(await large(), 100);
    expectDayIsOver(
      await server.call('GET', `/px.gif${WEBSITE}&title=seen&ignored=${'x'.repeat(6_000)}`),
      100,
    );
    const setPublic = (publicPerMinute: number | undefined) =>
      withStored(server.dataDir, async ({ organizations }) => {
        const known = await organizations.get('org_main', 'org_main');
        const { publicPerMinute: _, ...limits } = known?.limits ?? {};
        const changed = { limits: publicPerMinute === undefined ? limits : { ...limits, publicPerMinute } };
        await organizations.update('org_main', 'org_main', known?.version ?? 0, changed);
      });
    await setPublic(77);
    await until('the limit of the organization', async () => {
      return (await large()).headers.get('x-ratelimit-limit') === '77';
    });
    expectDayIsOver(await large(), 77);
    await setPublic(undefined);
    await setDay(null);
  });

  it('takes nothing without a key while the disk is low, in the embedded server too', async () => {
    const low = await startTidegate({ settings: { LOW_DISK_MB: '999999999' } });
    const body = { name: 'seen' };
    const refused = await low.call('POST', `/events${WEBSITE}`, { body });
    const pixel = await low.call('GET', `/px.gif${WEBSITE}`);
    const keyed = await low.call('POST', '/track', { key: low.keys.all, body });
    await low.close();
    expect([refused.status, refused.body.code]).to.deep.equal([503, 'UPSTREAM_UNAVAILABLE']);
    expect([refused.headers.get('retry-after'), pixel.status, keyed.status]).to.deep.equal(['60', 503, 200]);
  });
});
