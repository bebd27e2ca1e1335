/** The change counter in place of a bus between processes. */

import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { pino } from 'pino';
import { watchChanges } from '../../../../gateway/process/stores/change-watch.ts';
import { createKeyIndex } from '../../../../plugins/auth/key-index.ts';
import { createKeyVerdicts, type KeyVerdicts } from '../../../../plugins/auth/key-verdicts.ts';
import { SHIPPED_CATALOGUE } from '../../../../services/shared/access/scope-catalogue.ts';
import { createApiKeyText, hashApiKey } from '../../../../services/shared/credentials/api-key-text.ts';
import type { DocumentStore } from '../../../../services/shared/ports/document-store.ts';
import { MemoryBus } from '../../../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../../../services/shared/storage/publish-writes.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { record } from '../../../contract/bus.contract.ts';
import { newKey } from '../../../contract/document-store.contract.ts';
import { newCleanup } from '../../../contract/resources.contract.ts';
import { createStrictLogger } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { createTestClock } from '../../../support/test-clock.ts';

describe('the watch on the change counter', () => {
  let changes: () => Promise<number>;
  const documents: DocumentStore = {
    ...createMemoryDocumentStore(createTestClock()),
    foreignChanges: () => changes(),
  };

  function watch() {
    const bus = new MemoryBus();
    const log: string[] = [];
    const logger = pino({ level: 'warn' }, { write: (line: string) => log.push(line) });
    const { check, close } = watchChanges(documents, bus, logger);
    close();
    return { check, log, heard: record(bus).heard };
  }

  it('says everything once per change and nothing while the counter stands still', async () => {
    const { check, heard } = watch();
    changes = async () => 7;
    await check();
    heard.length = 0;
    await check();
    expect(heard).to.deep.equal([]);
    changes = async () => 8;
    await check();
    await check();
    expect(heard).to.deep.equal([{ kind: 'everything' }]);
  });

  it('says everything each time that the counter cannot be read, and logs it once', async () => {
    const { check, heard, log } = watch();
    changes = async () => Promise.reject(new Error('down'));
    await check();
    await check();
    expect(heard).to.have.length(2);
    expect(log).to.have.length(1);
  });
});

describe('verdicts on keys without a bus between processes', () => {
  let directory: TempDirectory;
  /** The store of this process, and that of another. */
  let stores: [SqliteDocumentStore, SqliteDocumentStore];
  let lookUps: number;
  let verdicts: KeyVerdicts;
  let check: () => Promise<void>;
  const clock = createTestClock();
  const key = createApiKeyText('tg', randomBytes);

  beforeEach(async () => {
    directory = createTempDirectory();
    const open = () => createSqliteDocumentStore({ path: directory.file('documents.sqlite'), clock });
    stores = [open(), open()];
    const [mine] = stores;
    const organization = { id: 'org_a', organizationId: 'org_a', name: 'A', plan: 'free', limits: {} };
    await mine.organizations.insert(organization);
    await mine.apiKeys.insert(newKey('key_1', { keyHash: hashApiKey(key) }));
    lookUps = 0;
    const { findUnique } = mine.apiKeys;
    mine.apiKeys.findUnique = (index, values) => {
      lookUps++;
      return findUnique.call(mine.apiKeys, index, values);
    };
    const bus = new MemoryBus();
    const logger = createStrictLogger();
    const watch = watchChanges(mine, bus, logger);
    watch.close();
    check = watch.check;
    const index = createKeyIndex({ documents: mine, bus, clock, logger });
    const told = publishWrites(mine, bus);
    verdicts = createKeyVerdicts({ documents: told, bus, clock, index, scopes: SHIPPED_CATALOGUE });
    await index.settled();
    await check();
    await index.settled();
    expect(await isGood()).to.equal(true);
    lookUps = 0;
  });
  afterEach(async () => {
    for (const store of stores) await store.close();
    directory.remove();
  });

  const isGood = async () => (await verdicts.judge(key, () => true)) !== null;

  it('stay through what another process writes of usage, audit, clean-ups, invitations and provisioning', async () => {
    const [, other] = stores;
    const used = { apiKeyId: 'key_1', organizationId: 'org_a', lastUsedAt: '2026-07-15T12:00:00.000Z' };
    await other.recordApiKeyUses([used]);
    const actor = { kind: 'cli', id: 'cli', userId: null } as const;
    const audited = { actor, action: 'key.test', targetId: 'key_1', fields: [] };
    const from = { address: null, requestId: null };
    await other.auditRecords.insert({ id: 'aud_1', organizationId: 'org_a', ...audited, ...from });
    await other.cleanups.insert(newCleanup('cln_1'));
    await other.invitations.insert({
      ...{ id: 'inv_1', organizationId: 'org_a', email: 'eve@example.com', role: 'member', tokenHash: 'x' },
      ...{ expiresAt: '2026-08-15T12:00:00.000Z', acceptedAt: null, createdBy: 'usr_1' },
    });
    await other.provisionedEntries.insert({ id: 'entry', organizationId: 'org_a', textHash: 'x' });
    await check();
    expect(await isGood()).to.equal(true);
    expect(lookUps).to.equal(0);
  });

  it('end when another process writes a key, an organization or a membership', async () => {
    const [, other] = stores;
    const writes = [
      () => other.apiKeys.update('org_a', 'key_1', 1, { name: 'another' }),
      () => other.organizations.update('org_a', 'org_a', 1, { plan: 'pro' }),
      () =>
        other.memberships.insert({ id: 'mem_1', organizationId: 'org_a', userId: 'usr_1', role: 'owner' }),
    ];
    for (const [index, write] of writes.entries()) {
      await write();
      await check();
      expect(await isGood()).to.equal(true);
      expect(lookUps).to.equal(index + 1);
    }
    await other.apiKeys.update('org_a', 'key_1', 2, { enabled: false });
    await check();
    expect(await isGood()).to.equal(false);
  });

  it('stay through what this process writes itself, which its own bus tells', async () => {
    await stores[0].apiKeys.insert(newKey('key_2', { keyHash: 'of key_2' }));
    await check();
    expect(await isGood()).to.equal(true);
    expect(lookUps).to.equal(0);
  });
});
