/** `npm start` over MongoDB, and a further gateway beside it without Redis: one process or several, the same store. */
import { existsSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { loadSecrets } from '../../../gateway/process/secrets/secrets.ts';
import { bindsInTime } from '../../support/binds-in-time.ts';
import { freePort } from '../../support/free-port.ts';
import { type ServerProcess, startProcess } from '../../support/gateway-process.ts';
import { useMongodb } from '../../support/mongodb/use-mongodb.ts';
import { runCli } from '../../support/run-cli.ts';
import { callerOf } from '../../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { KEYS, PROVISIONING } from '../../support/test-organizations.ts';

describe('the embedded server with MONGODB_URI', () => {
  const mongodb = useMongodb();
  let directory: TempDirectory;
  let environment: Record<string, string>;
  const processes: ServerProcess[] = [];

  before(async () => {
    directory = createTempDirectory();
    const [query, tracking, resources] = await Promise.all([freePort(), freePort(), freePort()]);
    environment = {
      MONGODB_URI: mongodb.newUri(),
      DATA_DIR: directory.path,
      SECRETS_FILE: directory.file('secrets.json'),
      TRUSTED_PROXIES: '127.0.0.1',
      QUERY_URL: `http://127.0.0.1:${query}`,
      TRACKING_URL: `http://127.0.0.1:${tracking}`,
      RESOURCES_URL: `http://127.0.0.1:${resources}`,
    };
    await loadSecrets(directory.file('secrets.json'));
    writeFileSync(directory.file('provision.yml'), PROVISIONING);
    const PROVISION_FILE = directory.file('provision.yml');
    processes.push(await startProcess('main', { ...environment, PROVISION_FILE }));
    processes.push(await startProcess('main-gateway', environment));
  });
  after(async () => {
    await Promise.all(processes.map((each) => each.end('SIGKILL')));
    directory?.remove();
  });

  const callers = () => processes.map(({ origin }) => callerOf(origin));

  it('keeps everything there, and no store in DATA_DIR', async () => {
    const page = { name: 'screen_view', websiteId: 'web_shop', anonymousId: 'v', sessionId: 's', path: '/' };
    for (const call of callers()) {
      expect((await call('POST', '/track', { key: KEYS.all, body: page })).status).to.equal(200);
    }
    for (const call of callers()) {
      const { body } = await call('POST', '/v1/query?website_id=web_shop', {
        key: KEYS.all,
        body: { parameters: ['summary_metrics'], preset: 'last_7d' },
      });
      expect(body.data[0].data[0].pageviews).to.equal(2);
    }
    const { documents, events } = dataPathsOf(directory.path);
    expect([documents, events].filter((path) => existsSync(path))).to.deep.equal([]);
  });

  it('tells a gateway beside it of changes without Redis within 5 s, and says what is counted apart', async () => {
    expect(processes[1]?.output()).to.contain('each gateway process counts rate limits on its own');
    const read = (call: ReturnType<typeof callerOf>) =>
      call('GET', '/v1/query/websites', { key: KEYS.readOnly }).then(({ status }) => status);
    for (const call of callers()) expect(await read(call)).to.equal(200);
    const { code, error } = await runCli(['keys', 'revoke', 'key_read'], environment);
    expect(code, error).to.equal(0);
    const since = performance.now();
    for (const call of callers()) await bindsInTime(since, () => read(call));
  });

  it('ends in order', async () => {
    expect(await processes[1]?.end('SIGTERM')).to.equal(0);
    expect(await processes[0]?.end('SIGTERM')).to.equal(0);
  });
});
