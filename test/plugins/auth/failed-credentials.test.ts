/** An address that sends wrong keys pays for them, asks no store once it is out of budget, and hurts no live key. */
import { expect } from 'chai';
import { startGateway, startUpstream, type TestGateway } from '../../support/start-gateway.ts';
import { newKeyText } from '../../support/start-tidegate.ts';

describe('wrong keys from one address', () => {
  let gateway: TestGateway;
  let upstream: Awaited<ReturnType<typeof startUpstream>>;

  before(async () => {
    upstream = await startUpstream((_req, res) => res.end('{}'));
    gateway = await startGateway({ upstream: upstream.origin });
  });
  after(async () => {
    await gateway.close();
    await upstream.close();
  });

  it('are looked up while it has budget, then refused without a look-up; the live key beside them passes', async () => {
    const status = async (key: string) => {
      const headers = { 'x-api-key': key, 'x-forwarded-for': '192.0.2.7' };
      const response = await fetch(`${gateway.origin}/v1/query/websites`, { headers });
      await response.body?.cancel();
      return response.status;
    };
    const before = gateway.keyLookUps();
    const statuses: number[] = [];
    for (let count = 0; count < 150; count++) statuses.push(await status(newKeyText()));
    expect(statuses).to.deep.equal([...Array(100).fill(401), ...Array(50).fill(429)]);
    expect(gateway.keyLookUps() - before).to.equal(100);
    expect(await status(gateway.key)).to.equal(200);
    expect(await status(newKeyText())).to.equal(429);
    expect(gateway.keyLookUps() - before).to.equal(101);
  });
});
