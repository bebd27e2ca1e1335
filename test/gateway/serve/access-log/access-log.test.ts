/** What the access log says of requests, and which ones get a line. */
import { expect } from 'chai';
import { loadSettings } from '../../../../config/settings.ts';
import type { AccessEntry } from '../../../../gateway/serve/access-log/access-entry.ts';
import { type AccessLog, createAccessLog } from '../../../../gateway/serve/access-log/access-log.ts';
import { type LimitedGateway, startLimitedGateway } from '../../../support/start-limited-gateway.ts';

describe('the access log', () => {
  const lines: AccessEntry[] = [];
  let draw = 0;
  let log: AccessLog;
  let gateway: LimitedGateway;
  let key: string;

  before(async () => {
    const writer = { write: (entry: AccessEntry) => lines.push(entry) };
    log = createAccessLog({ sample: 0.5, address: 'truncated' }, writer, () => draw);
    gateway = await startLimitedGateway([], log);
    key = await gateway.organization('org_a', 'free', { per10Seconds: 3 });
  });
  beforeEach(() => {
    lines.length = 0;
    draw = 0;
  });
  after(() => gateway.close());

  /** The line of the request that was just answered: written when its connection is done with it. */
  async function line(): Promise<AccessEntry> {
    for (let turn = 0; turn < 10_000 && lines.length === 0; turn++) await new Promise(setImmediate);
    return lines[0] as AccessEntry;
  }

  it('says who asked for what, what came of it, and how long it took', async () => {
    await gateway.call('GET', '/v1/links/link_1?secret=1', {
      key,
      address: '198.51.100.77',
      headers: { 'x-request-id': 'req-1' },
    });
    const { time, key: keyId, bytesOut, upstream, gatewayMs, upstreamMs, wholeMs, ...rest } = await line();
    expect(rest).to.deep.equal({
      requestId: 'req-1',
      endpoint: 'links-read',
      method: 'GET',
      path: '/v1/links/:id',
      status: 200,
      code: null,
      refusedBy: null,
      limit: null,
      organization: 'org_a',
      user: null,
      address: '198.51.100.0/24',
      bytesIn: null,
      retries: 0,
    });
    expect(Math.abs(Date.parse(time) - Date.now())).to.be.below(60_000);
    expect(keyId).to.match(/^[0-9A-Za-z_]+$/);
    expect(bytesOut).to.be.within(100, 2_000);
    expect(upstream).to.match(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(upstreamMs).to.be.above(0);
    expect(gatewayMs).to.be.above(0);
    expect(gatewayMs + upstreamMs).to.be.closeTo(wholeMs, 0.01);
  });

  it('takes its share of what was answered well, and all that was not', async () => {
    draw = 0.5;
    await gateway.call('GET', '/v1/links/unseen', { key, headers: { 'x-request-id': 'unseen' } });
    await gateway.call('GET', '/v1/links/gone', {
      key,
      headers: { 'x-answer': '404', 'x-request-id': 'gone' },
    });
    const { requestId, status, refusedBy } = await line();
    expect({ requestId, status, refusedBy }).to.deep.equal({
      requestId: 'gone',
      status: 404,
      refusedBy: 'upstream',
    });
  });

  it('names the limit of a 429 with its numbers, as the text of the answer does', async () => {
    const answer = await gateway.call('GET', '/v1/links/link_1', {
      key,
      headers: { 'x-request-id': 'full' },
    });
    expect(answer.status).to.equal(429);
    expect(answer.body.error).to.match(/^The limit "plan" of 3 requests per 10 s was exceeded; retry in /);
    const { code, refusedBy, limit, upstream, upstreamMs } = await line();
    expect({ code, refusedBy, upstream, upstreamMs }).to.deep.equal({
      code: 'RATE_LIMIT_EXCEEDED',
      refusedBy: 'gateway',
      upstream: null,
      upstreamMs: 0,
    });
    const reset = answer.body.reset;
    expect(limit).to.deep.equal({ name: 'plan', limit: 3, cost: 1, remaining: 0, window: '10 s', reset });
    expect(log.refused.find('full')).to.have.length(1);
  });

  it('knows no path, caller or value of a request that nothing matched', async () => {
    await gateway.call('GET', '/nobody/knows/me?token=abc', { headers: { 'x-request-id': 'lost' } });
    const { path, status, organization, key: keyId } = await line();
    expect({ path, status, organization, keyId }).to.deep.equal({
      path: null,
      status: 404,
      organization: null,
      keyId: null,
    });
  });

  it('leaves the address out by the setting, in its earlier word too', () => {
    const formOf = (text: string) => loadSettings({ ACCESS_LOG_ADDRESS: text }).accessLog.address;
    expect(['none', 'off', 'truncated'].map(formOf)).to.deep.equal(['none', 'none', 'truncated']);
  });

  it('writes nothing when it is off, and still keeps what was refused', async () => {
    const off = createAccessLog({ sample: 1, address: 'none' });
    const quiet = await startLimitedGateway([], off);
    await quiet.call('GET', '/v1/links/link_1', { key: 'wrong', headers: { 'x-request-id': 'refused' } });
    await quiet.call('GET', '/health', { headers: { 'x-request-id': 'fine' } });
    await quiet.close();
    const [refused] = off.refused.find('refused');
    expect(refused?.code).to.equal('INVALID_API_KEY');
    expect(refused?.address).to.equal(null);
    expect(off.refused.find('fine')).to.deep.equal([]);
  });
});
