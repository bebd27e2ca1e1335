/** What is left of a deleted website and a deleted organization on a whole server: nothing, also after kill -9. */
import { expect } from 'chai';
import { dataPathsOf } from '../../config/data-directory.ts';
import { hashApiKey } from '../../services/shared/credentials/api-key-text.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { expectError, expectSuccess } from '../support/answers.ts';
import { eventRecord } from '../support/event-record.ts';
import { startProcess } from '../support/gateway-process.ts';
import { createLogWatch } from '../support/log-watch.ts';
import { withStored } from '../support/open-stored.ts';
import { runCli } from '../support/run-cli.ts';
import { seedOrganization } from '../support/seed-organization.ts';
import { newKeyText, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { until } from '../support/until.ts';

describe('what is deleted on a whole server', () => {
  describe('a website', () => {
    let server: TestServer;
    const log = createLogWatch();

    before(async () => {
      server = await startTidegate({ logger: log.logger });
    });
    after(async () => {
      await server.close();
      log.assertClean();
    });

    const query = (key: string, website: string) =>
      server.call('POST', `/v1/query?website_id=${website}`, {
        key,
        body: { parameters: ['custom_events_recent'], preset: 'last_7d' },
      });
    const keyless = (website: string) =>
      server.call('POST', `/events?client_id=${website}`, { body: { name: 'seen' } });

    it('is refused at once by queries and ingest, and takes its events, links, flags and profiles with it', async () => {
      const { all, shopOnly } = server.keys;
      for (const websiteId of ['web_shop', 'web_blog']) {
        expectSuccess(await server.call('POST', '/track', { key: all, body: { name: 'seen', websiteId } }));
        expectSuccess(await keyless(websiteId));
        const person = { profileId: 'p', anonymousId: 'a', websiteId };
        expectSuccess(await server.call('POST', '/identify', { key: all, body: person }));
      }
      expect((await query(all, 'web_shop')).body.data[0].data).to.have.length(2);

      expectSuccess(await server.call('DELETE', '/v1/websites/web_shop', { key: shopOnly }), 204);

      for (const key of [all, shopOnly]) expectError(await query(key, 'web_shop'), 403, 'ACCESS_DENIED');
      expectError(await keyless('web_shop'), 403, 'ACCESS_DENIED');
      const event = { name: 'late', websiteId: 'web_shop' };
      expectError(await server.call('POST', '/track', { key: all, body: event }), 403, 'ACCESS_DENIED');

      await until('the clean-up ran once', () =>
        log.lines.some((line) => line.includes('a clean-up is done once')),
      );
      const line = log.lines.find((one) => one.includes('a clean-up is done once')) ?? '';
      // Two events; the person and the visitor: the website itself went with the answer.
      expect(JSON.parse(line).removed).to.deep.equal({ documents: 2, events: 2 });
      expect((await query(all, 'web_blog')).body.data[0].data).to.have.length(2);
    });

    it('leaves its key website-specific, reaching nothing', async () => {
      const key = server.keys.shopOnly;
      expect((await server.call('GET', '/v1/websites', { key })).body).to.deep.equal({
        success: true,
        data: [],
      });
      expect((await server.call('GET', '/v1/query/websites', { key })).body.websites).to.deep.equal([]);
      expectError(await query(key, 'web_blog'), 403, 'ACCESS_DENIED');
      const body = { parameters: ['summary'], preset: 'last_7d' };
      expectError(await server.call('POST', '/v1/query', { key, body }), 400, 'MISSING_PROJECT_ID');
      expectError(await server.call('POST', '/track', { key, body: { name: 'late' } }), 403, 'ACCESS_DENIED');
      const website = { name: 'New', domain: 'new.example.com' };
      expectError(await server.call('POST', '/v1/websites', { key, body: website }), 403, 'ACCESS_DENIED');
      const stored = await withStored(server.dataDir, (documents) =>
        documents.apiKeys.get('org_main', 'key_shop'),
      );
      expect(stored?.access).to.deep.equal({ level: 'website', websiteIds: ['web_shop'] });
    });
  });

  it('an organization takes its keys at once, and everything else after that', async () => {
    const log = createLogWatch();
    const server = await startTidegate({ logger: log.logger });
    const { all, free } = server.keys;
    const event = { name: 'seen', websiteId: 'web_free' };
    expectSuccess(await server.call('POST', '/track', { key: free, body: event }));
    const { code, out } = await runCli(['organizations', 'delete', 'org_free', '--yes'], {
      DATA_DIR: server.dataDir,
    });
    expect([code, out]).to.satisfy(
      ([status, text]: [number, string]) =>
        status === 0 && /^org_free is deleted with 1 website, 2 API keys/.test(text),
    );
    expectError(await server.call('GET', '/v1/websites', { key: free }), 401, 'INVALID_API_KEY');
    expectSuccess(await server.call('GET', '/v1/websites', { key: all }));
    await until('the clean-up ran once', () =>
      log.lines.some((line) => line.includes('a clean-up is done once')),
    );
    const line = log.lines.find((one) => one.includes('a clean-up is done once')) ?? '';
    expect(JSON.parse(line).removed.events).to.equal(1);
    expectError(
      await server.call('POST', '/events?client_id=web_free', { body: { name: 'late' } }),
      403,
      'ACCESS_DENIED',
    );
    await server.close();
    log.assertClean();
  });

  it('goes to the end after kill -9 in the middle', async () => {
    const directory = createTempDirectory();
    const paths = dataPathsOf(directory.path);
    const key = newKeyText();
    await withStored(directory.path, async (documents) => {
      await seedOrganization(documents, 'one');
      const stored = await documents.apiKeys.get('org_one', 'key_one');
      await documents.apiKeys.update('org_one', 'key_one', stored?.version ?? 0, {
        ...{ keyHash: hashApiKey(key), scopes: ['manage:websites'] },
      });
      for (let i = 0; i < 4000; i++) {
        const profile = { websiteId: 'web_one', profileId: `p${i}`, traits: {} };
        await documents.profiles.insert({ id: `prf_${10_000 + i}`, organizationId: 'org_one', ...profile });
      }
    });
    const events = await createDuckDbEventStore({ path: paths.events });
    const websites = ['web_one', 'web_other'];
    await events.append(
      websites.map((id) => eventRecord({ event_id: id, organization_id: 'org_one', website_id: id })),
    );
    await events.close();
    const held = () =>
      withStored(directory.path, async (documents) => (await documents.profiles.all('org_one')).length);

    const first = await startProcess('main', { DATA_DIR: directory.path });
    const answer = await fetch(`${first.origin}/v1/websites/web_one`, {
      method: 'DELETE',
      headers: { 'x-api-key': key },
    });
    expect(answer.status).to.equal(204);
    await first.end('SIGKILL');
    expect(await held(), 'the kill came in the middle').to.be.greaterThan(1);
    const second = await startProcess('main', { DATA_DIR: directory.path });
    const left = await withStored(directory.path, async (documents) => [
      (await documents.profiles.all('org_one')).map(({ id }) => id),
      await documents.allCleanups(),
    ]);
    await second.end('SIGTERM');
    expect(left).to.deep.equal([['prf_own_one'], []]);
    const after = await createDuckDbEventStore({ path: paths.events });
    const query = { engine: 'duckdb', sql: 'SELECT website_id FROM events', params: {} } as const;
    expect(await after.run(query)).to.deep.equal([{ website_id: 'web_other' }]);
    await after.close();
    directory.remove();
  });
});
