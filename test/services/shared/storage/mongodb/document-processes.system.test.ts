/** Several processes over one MongoDB database of documents: of rivals one wins, and each learns what the others wrote. */
import { expect } from 'chai';
import mongoose from 'mongoose';
import { DuplicateError } from '../../../../../services/shared/ports/document-store.ts';
import { SETTLED_AFTER_MS } from '../../../../../services/shared/storage/mongodb/change-counter.ts';
import type { MongodbDocumentStore } from '../../../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { newKey, newWebsite } from '../../../../contract/document-store.contract.ts';
import { newCleanup } from '../../../../contract/resources.contract.ts';
import {
  createDocumentDatabase,
  type DocumentDatabase,
} from '../../../../support/mongodb/document-database.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { createTestClock, type TestClock } from '../../../../support/test-clock.ts';

describe('processes over one MongoDB database of documents', () => {
  const mongodb = useMongodb();
  let database: DocumentDatabase;
  let clock: TestClock;
  let store: MongodbDocumentStore;
  let other: MongodbDocumentStore;

  beforeEach(async () => {
    database = await createDocumentDatabase(mongodb.newUri());
    clock = createTestClock();
    store = await database.open(clock);
    other = await database.open(clock);
  });
  afterEach(() => database?.close());

  it('lets exactly one of 50 parallel updates win at each version', async () => {
    await store.websites.insert(newWebsite('web_1'));
    for (let version = 1; version <= 5; version++) {
      const updates = Array.from({ length: 50 }, (_, i) =>
        (i % 2 === 0 ? store : other).websites.update('org_a', 'web_1', version, { name: `writer ${i}` }),
      );
      const winners = (await Promise.all(updates)).filter((website) => website !== null);
      expect(winners).to.have.length(1);
      expect(winners[0]?.version).to.equal(version + 1);
      for (const reader of [store, other]) {
        expect(await reader.websites.get('org_a', 'web_1')).to.deep.equal(winners[0]);
      }
    }
  });

  it('lets exactly one of 50 parallel documents have a unique value', async () => {
    const inserts = Array.from({ length: 50 }, (_, i) => {
      const writer = i % 2 === 0 ? store : other;
      return writer.apiKeys.insert(newKey(`key_${i}`, { keyHash: 'contested' })).then(
        () => 'stored',
        (fault: unknown) => (fault instanceof DuplicateError ? fault.index : fault),
      );
    });
    const outcomes = await Promise.all(inserts);
    expect(outcomes.filter((outcome) => outcome === 'stored')).to.have.length(1);
    expect(outcomes.filter((outcome) => outcome === 'keyHash')).to.have.length(49);
    expect(await store.apiKeys.all('org_a')).to.have.length(1);
  });

  it('never lets in more documents of a tenant than its bound', async () => {
    const inserts = Array.from({ length: 40 }, (_, i) =>
      (i % 2 === 0 ? store : other).websites.insertWithin(newWebsite(`web_${i}`), 6),
    );
    const stored = (await Promise.all(inserts)).filter((website) => website !== null);
    expect(stored.length).to.be.within(5, 6);
    const ids = (await store.websites.all('org_a')).map(({ id }) => id);
    expect(ids.sort()).to.deep.equal(stored.map(({ id }) => id).sort());
  });

  it('adds up usage and keeps the latest use of a key, whoever writes', async () => {
    const organization = { id: 'org_a', organizationId: 'org_a', name: 'A', plan: 'free', limits: {} };
    await store.organizations.insert(organization);
    await store.apiKeys.insert(newKey('key_1'));
    const minutes = Array.from({ length: 40 }, (_, i) => `2026-07-15T12:${10 + i}:00.000Z`);
    await Promise.all(
      minutes.flatMap((lastUsedAt, i) => {
        const writer = i % 2 === 0 ? store : other;
        return [
          writer.recordApiKeyUses([{ apiKeyId: 'key_1', organizationId: 'org_a', lastUsedAt }]),
          writer.addUsage([{ organizationId: 'org_a', month: '2026-07', requests: 1, events: 2 }]),
          // The same month twice in one call.
          writer.addUsage([
            { organizationId: 'org_a', month: '2026-08', requests: 1, events: 0 },
            { organizationId: 'org_a', month: '2026-08', requests: 0, events: 1 },
          ]),
        ];
      }),
    );
    const use = await other.apiKeyUsage.get('org_a', 'key_1');
    expect(use).to.include({ lastUsedAt: minutes.at(-1) });
    const used = await other.organizationUsage.all('org_a');
    expect(used.map(({ month, requests, events }) => [month, requests, events])).to.deep.equal([
      ['2026-07', 40, 80],
      ['2026-08', 40, 40],
    ]);
  });

  it('shows the writes of another process as foreign changes, and none of its own', async () => {
    const before = await store.foreignChanges();
    await store.apiKeys.insert(newKey('key_1'));
    await store.apiKeys.update('org_a', 'key_1', 1, { name: 'x' });
    expect(await store.foreignChanges()).to.equal(before);
    const readings = [before];
    for (const write of [
      () => other.apiKeys.insert(newKey('key_2')),
      () => other.apiKeys.update('org_a', 'key_1', 2, { name: 'y' }),
      () => other.apiKeys.remove('org_a', 'key_2'),
    ]) {
      await write();
      const reading = await store.foreignChanges();
      expect(readings).to.not.include(reading);
      expect(await store.foreignChanges()).to.equal(reading);
      readings.push(reading);
    }
  });

  it('counts no change to what no verdict depends on, for a read, or for an update of an old version', async () => {
    await other.apiKeys.insert(newKey('key_1'));
    const before = await store.foreignChanges();
    await other.cleanups.insert(newCleanup('cln_1'));
    await other.recordApiKeyUses([
      { apiKeyId: 'key_1', organizationId: 'org_a', lastUsedAt: '2026-07-15T12:00:00.000Z' },
    ]);
    await other.apiKeys.all('org_a');
    await other.apiKeys.update('org_a', 'key_1', 9, { name: 'x' });
    expect(await store.foreignChanges()).to.equal(before);
  });

  it('shows a foreign change when processes write in parallel, and stands still afterwards', async () => {
    const third = await database.open(clock);
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => (i % 2 === 0 ? other : third).apiKeys.insert(newKey(`key_${i}`))),
    );
    const reading = await store.foreignChanges();
    expect(await store.foreignChanges()).to.equal(reading);
    await third.apiKeys.remove('org_a', 'key_1');
    expect(await store.foreignChanges()).to.not.equal(reading);
  });

  it('never reads the same while another process is at a write, or died at it, and once more differently after it settled', async () => {
    const { store: dying, connection } = await database.openTelling({ clock });
    const client = connection.getClient();
    const stopped = new Promise((resolve) => {
      client.once('commandSucceeded', function once(event) {
        if (event.commandName === 'insert') resolve(connection.destroy());
        else client.once('commandSucceeded', once);
      });
    });
    const before = await store.foreignChanges();
    await dying.apiKeys.insert(newKey('key_1')).catch(() => undefined);
    await stopped;
    expect(await store.apiKeys.get('org_a', 'key_1')).to.include({ id: 'key_1' });
    const readings = new Set([before]);
    for (let step = 0; step < 4; step++) {
      readings.add(await store.foreignChanges());
      clock.advance(SETTLED_AFTER_MS / 4);
    }
    expect(readings).to.have.length(5);
    const settled = await store.foreignChanges();
    expect(readings).to.not.include(settled);
    expect(await store.foreignChanges()).to.equal(settled);
  });

  it('makes no model that is not bound to a connection', () => {
    expect(mongoose.modelNames()).to.deep.equal([]);
    expect(mongoose.models).to.deep.equal({});
  });
});
