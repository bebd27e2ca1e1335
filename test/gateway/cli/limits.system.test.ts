/** `tidegate limits` against a running server: the numbers are those that callers see, and looking counts in none. */
import { expect } from 'chai';
import { runCli } from '../../support/run-cli.ts';
import { startTidegate, type TestServer } from '../../support/start-tidegate.ts';

describe('tidegate limits', () => {
  let server: TestServer;
  before(async () => {
    server = await startTidegate();
  });
  after(() => server.close());
  const limits = (...args: string[]) => runCli(['limits', ...args], { DATA_DIR: server.dataDir });

  it('shows what callers see, and counts nothing', async () => {
    const key = server.keys.free;
    let answer = await server.call('GET', '/v1/websites', { key });
    for (let sent = 1; sent < 7; sent++) answer = await server.call('GET', '/v1/websites', { key });
    for (let turn = 0; turn < 3; turn++) {
      const { code, out, error } = await limits('org_free');
      expect([code, error]).to.deep.equal([0, '']);
      expect(out).to.match(/^limit +window +counts +used +left +of +resets +key\n/);
      expect(out).to.match(/^plan +60 s +requests +7 +293 +300 +20\S+ +–$/m);
      expect(out).to.match(/^custom-sql +60 s +requests +0 +30 +30 +– +–$/m);
      expect(out).to.not.contain('usage');
    }
    const told = JSON.parse((await limits('org_free', '--json')).out).data;
    const narrow = told.limits.find(({ window }: { window: string }) => window === '10 s');
    expect(narrow).to.include({ name: 'plan', limit: 50, used: 7, remaining: 43 });
    expect(answer.headers.get('x-ratelimit-remaining')).to.equal('43');
    expect(answer.headers.get('x-ratelimit-reset')).to.equal(
      `${Math.ceil(Date.parse(narrow.reset) / 1_000)}`,
    );
  });

  it('refuses an organization that is not there, and says when no server runs', async () => {
    const unknown = await limits('org_none');
    expect(unknown.code).to.equal(1);
    expect(unknown.error).to.contain('There is no organization "org_none"');
    const none = await runCli(['limits', 'org_free'], { DATA_DIR: `${server.dataDir}/none` });
    expect(none.code).to.equal(1);
    expect(none.error).to.contain('neither a server nor a gateway runs in DATA_DIR');
  });
});
