/** Holds the last use of keys to contract.md section 3: minute resolution, in batches, never in the way of a request. */
import { expect } from 'chai';
import { createLastUsed } from '../../../plugins/auth/last-used.ts';
import type { ApiKeyUse } from '../../../services/shared/model/api-key-usage.ts';
import { createSqliteDocumentStore } from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { startTidegate } from '../../support/start-tidegate.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestClock } from '../../support/test-clock.ts';

describe('the last use of keys', () => {
  function start() {
    const clock = createTestClock('2026-03-01T12:00:10.000Z');
    const writes: (readonly ApiKeyUse[])[] = [];
    const warnings: string[] = [];
    const store = { fails: false };
    const lastUsed = createLastUsed({
      clock,
      documents: {
        async recordApiKeyUses(uses) {
          if (store.fails) throw new Error('the store is down');
          writes.push(uses);
        },
      },
      logger: { warn: (_: unknown, text?: string) => void warnings.push(text ?? '') },
    });
    return { clock, writes, warnings, store, lastUsed };
  }
  const use = (apiKeyId: string, time: string) => ({
    apiKeyId,
    organizationId: 'org_one',
    lastUsedAt: `2026-03-01T${time}.000Z`,
  });

  it('writes all keys of a minute in one batch, by the minute of their last use', async () => {
    const { clock, writes, lastUsed } = start();
    for (let i = 0; i < 1_000; i++) lastUsed.note('key_1', 'org_one');
    lastUsed.note('key_2', 'org_one');
    clock.advance(55_000);
    lastUsed.note('key_1', 'org_one');
    expect(writes).to.deep.equal([]);
    await lastUsed.close();
    expect(writes).to.deep.equal([[use('key_1', '12:01:00'), use('key_2', '12:00:00')]]);
  });

  it('writes a key once for a minute, however often it is flushed', async () => {
    const { clock, writes, lastUsed } = start();
    for (let i = 0; i < 3; i++) {
      lastUsed.note('key_1', 'org_one');
      await lastUsed.flush();
    }
    expect(writes).to.have.length(1);
    clock.advance(60_000);
    lastUsed.note('key_1', 'org_one');
    await lastUsed.flush();
    expect(writes[1]).to.deep.equal([use('key_1', '12:01:00')]);
    await lastUsed.close();
    expect(writes).to.have.length(2);
  });

  it('is in the store when the server has ended, refused keys left out, and the keys keep their versions', async () => {
    const directory = createTempDirectory();
    const clock = createTestClock('2026-03-01T12:00:10.000Z');
    const server = await startTidegate({ dataDir: directory.file('.'), clock });
    for (const key of [server.keys.readOnly, server.keys.revoked]) {
      await server.call('GET', '/v1/query/websites', { key });
    }
    await server.close();
    const documents = createSqliteDocumentStore({ path: directory.file('documents.sqlite'), clock });
    const usage = await documents.apiKeyUsage.all('org_main');
    expect(usage.map(({ id, lastUsedAt }) => [id, lastUsedAt])).to.deep.equal([
      ['key_read', '2026-03-01T12:00:00.000Z'],
    ]);
    expect(await documents.apiKeys.get('org_main', 'key_read')).to.include({ version: 1 });
    await documents.close();
    directory.remove();
  });

  it('keeps what could not be written for the next time, says so, and fails nobody', async () => {
    const { clock, writes, warnings, store, lastUsed } = start();
    lastUsed.note('key_1', 'org_one');
    lastUsed.note('key_2', 'org_one');
    store.fails = true;
    await lastUsed.flush();
    expect(warnings).to.have.length(1);
    store.fails = false;
    clock.advance(60_000);
    lastUsed.note('key_2', 'org_one');
    await lastUsed.close();
    expect(writes).to.deep.equal([[use('key_1', '12:00:00'), use('key_2', '12:01:00')]]);
  });
});
