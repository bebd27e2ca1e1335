/** `tidegate why` against a running server: what refused a request, and what it says of ids that it does not know. */
import { expect } from 'chai';
import { runCli } from '../../support/run-cli.ts';
import { startTidegate, type TestServer } from '../../support/start-tidegate.ts';

describe('tidegate why', () => {
  let server: TestServer;
  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());
  const why = (...args: string[]) => runCli(['why', ...args], { DATA_DIR: server.dataDir });

  it('names the limit with its numbers', async () => {
    const key = server.keys.free;
    let answer = await server.call('GET', '/v1/websites', { key });
    for (let sent = 0; sent < 500 && answer.status !== 429; sent++)
      answer = await server.call('GET', '/v1/websites', { key, headers: { 'x-request-id': `why-${sent}` } });
    const id = answer.headers.get('x-request-id') ?? '';
    const { code, out } = await why(id);
    expect(code).to.equal(0);
    expect(out).to.contain(`${id} was refused by the gateway: 429 RATE_LIMIT_EXCEEDED\n`);
    expect(out).to.match(/^request {3}GET \/v1\/websites, endpoint websites/m);
    expect(out).to.match(/^caller {4}organization org_free, key \S+, from 10\.\d+\.\d+\.0\/24$/m);
    expect(out).to.contain(
      `limit     plan: ${answer.body.limit} per 10 s; this request takes 1, left 0\nreset     ${answer.body.reset}\n`,
    );
    const { out: json } = await why(id, '--json');
    expect(JSON.parse(json).data[0].limit).to.include({ name: 'plan', limit: answer.body.limit });
  });

  it('says that it knows no such request, one that was answered included', async () => {
    await server.call('GET', '/health', { headers: { 'x-request-id': 'fine' } });
    const { code, error } = await why('fine');
    expect(code).to.equal(1);
    expect(error).to.contain('no refused request "fine" is among the last 10,000');
  });

  it('says that no server runs', async () => {
    const { code, error } = await runCli(['why', 'any'], { DATA_DIR: `${server.dataDir}/none` });
    expect(code).to.equal(1);
    expect(error).to.contain('neither a server nor a gateway runs in DATA_DIR');
  });
});
