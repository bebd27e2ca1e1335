/** What the document store asks of MongoDB: reads of the primary that a majority holds, bounded, by a declared index; durable writes. */
import { expect } from 'chai';
import type { Connection } from 'mongoose';
import { COLLECTIONS } from '../../../../../services/shared/model/collections.ts';
import { DOCUMENT_INDEXES } from '../../../../../services/shared/storage/mongodb/document-indexes.ts';
import type { MongodbDocumentStore } from '../../../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { newKey, newWebsite } from '../../../../contract/document-store.contract.ts';
import { newCleanup, newLink } from '../../../../contract/resources.contract.ts';
import {
  createDocumentDatabase,
  type DocumentDatabase,
} from '../../../../support/mongodb/document-database.ts';
import { useMongodb } from '../../../../support/mongodb/use-mongodb.ts';

interface Filter {
  readonly [path: string]: unknown;
}

interface Command {
  readonly name: string;
  readonly collection: string;
  readonly filters: readonly Filter[];
  readonly options: Readonly<Record<string, unknown>>;
}

describe('the commands of the MongoDB document store', () => {
  const mongodb = useMongodb();
  let database: DocumentDatabase;
  let connection: Connection;
  let commands: Command[];

  before(async () => {
    database = await createDocumentDatabase(mongodb.newUri());
    // What the connection prefers holds for events, not for documents.
    const telling = await database.openTelling();
    connection = telling.connection;
    commands = listen(connection);
    await useEverything(telling.store);
  });
  after(async () => {
    await database?.close();
  });

  it('read from the primary what a majority holds, in bounded time', () => {
    const reads = commands.filter(({ name }) => name === 'find');
    expect(reads.length).to.be.above(15);
    for (const { options, collection } of reads) {
      expect(options.readConcern, collection).to.deep.equal({ level: 'majority' });
      expect(options.maxTimeMS, collection).to.be.within(1, 30_000);
    }
    // A lone server is sent no preference that could be looked at, so the models are asked what they send to a cluster.
    const models = Object.values(connection.models);
    expect(models).to.have.length(Object.keys(COLLECTIONS).length + 1);
    for (const model of models) {
      expect(model.schema.get('read'), model.modelName).to.equal('primary');
    }
  });

  it('read where the connection string says in a search that only shows, and nowhere else', async () => {
    const { store, connection: other } = await database.openTelling();
    /** Where each query of a collection reads. */
    const modes = new Map<string, Set<unknown>>();
    for (const model of Object.values(other.models)) {
      const find = model.find.bind(model);
      model.find = ((...parameters: Parameters<typeof find>) => {
        const query = find(...parameters);
        const exec = query.exec.bind(query);
        query.exec = async () => {
          const found = await exec();
          const { mode } = query.getOptions().readPreference as unknown as { mode: unknown };
          modes.set(model.modelName, (modes.get(model.modelName) ?? new Set()).add(mode));
          return found;
        };
        return query;
      }) as unknown as typeof model.find;
    }
    const page = { limit: 5, sortBy: 'id' } as const;
    await store.auditRecords.search('org_a', page);
    await store.auditRecords.search('org_a', { ...page, text: { contains: 'x', fields: ['action'] } });
    expect([...(modes.get('audit_records') ?? [])]).to.deep.equal(['secondaryPreferred']);
    modes.clear();
    await store.auditRecords.list('org_a', { limit: 5 });
    await store.apiKeys.search('org_a', page);
    await store.links.search('org_a', page);
    for (const name of ['audit_records', 'api_keys', 'links'])
      expect([...(modes.get(name) ?? [])], name).to.deep.equal(['primary']);
  });

  it('wait at each write for a majority with its journal, for a bounded time', () => {
    const writes = commands.filter(({ name }) => ['insert', 'update', 'delete'].includes(name));
    expect(writes.length).to.be.above(15);
    for (const { options, collection } of writes) {
      expect(options.writeConcern, collection).to.include({ w: 'majority', j: true });
      expect(options.writeConcern, collection).to.have.property('wtimeout').that.is.within(1, 30_000);
    }
  });

  it('find by a declared index, never by reading a collection of tenants', () => {
    const unserved = commands.filter(({ collection, filters }) =>
      filters.some((filter) => !isServed(collection, filter)),
    );
    // Administration, the work of clean-ups, and one small document per process.
    expect(
      [...new Set(unserved.map(({ name, collection }) => `${name} ${collection}`))].sort(),
    ).to.deep.equal(['find change_counts', 'find cleanups', 'find organizations']);
  });

  it('see an index that is missing', () => {
    expect(isServed('links', { name: 'x' })).to.equal(false);
    expect(isServed('links', { slug: 'x' })).to.equal(true);
  });
});

function listen(connection: Connection): Command[] {
  const commands: Command[] = [];
  connection.getClient().on('commandStarted', ({ commandName: name, command }) => {
    const written: { q: Filter }[] = [...(command.updates ?? []), ...(command.deletes ?? [])];
    const filters = name === 'find' ? [command.filter] : written.map(({ q }) => q);
    commands.push({ name, collection: command[name], filters, options: command });
  });
  return commands;
}

/** Every function of the port at least once. */
async function useEverything(store: MongodbDocumentStore): Promise<void> {
  const organization = { id: 'org_a', organizationId: 'org_a', name: 'A', plan: 'free' };
  await store.organizations.insert({ ...organization, limits: { publicPerMinute: 5 } });
  await store.websites.insert(newWebsite('web_1'));
  await store.websites.update('org_a', 'web_1', 1, { name: 'new' });
  await store.apiKeys.insert(newKey('key_1'));
  await store.links.insert(newLink('lnk_1'));
  await store.cleanups.insert(newCleanup('cln_1'));
  await store.memberships.insert({ id: 'mem_1', organizationId: 'org_a', userId: 'usr_1', role: 'owner' });
  await store.websites.findUnique('id', ['web_1']);
  await store.websites.findUnique('organizationDomain', ['org_a', 'a.com']);
  await store.organizations.findUnique('slug', ['a']);
  await store.users.findUnique('emailHome', ['a@example.com', '*']);
  await store.memberships.findUnique('organizationUser', ['org_a', 'usr_1']);
  await store.apiKeys.findUnique('keyHash', ['x']);
  await store.apiKeys.findUnique('previousKeyHash', ['x']);
  await store.invitations.findUnique('tokenHash', ['x']);
  await store.links.findUnique('slug', ['x']);
  await store.flags.findUnique('scopeKey', ['org_a', 'x']);
  await store.links.list('org_a', { limit: 10, after: 'lnk_0', order: 'descending' });
  const page = { limit: 10, sortBy: 'name', after: ['a', 'lnk_0'] } as const;
  await store.links.search('org_a', page);
  await store.links.search('org_a', { ...page, where: [{ field: 'websiteId', values: ['web_1'] }] });
  await store.links.search('org_a', { ...page, text: { contains: 'new', fields: ['name', 'tags'] } });
  await store.links.insertWithin(newLink('lnk_2'), 10);
  await store.websitesOf('org_a');
  await store.auditRecords.all('org_a');
  await store.membershipsOf('usr_1');
  await store.recordApiKeyUses([
    { apiKeyId: 'key_1', organizationId: 'org_a', lastUsedAt: '2026-07-15T12:00:00.000Z' },
  ]);
  await store.addUsage([{ organizationId: 'org_a', month: '2026-07', requests: 1, events: 1 }]);
  await store.allCleanups();
  await store.allOrganizations();
  await store.apiKeyHashes({ limit: 10 });
  await store.ownPublicLimits();
  await store.foreignChanges();
  await store.ping();
  await store.links.remove('org_a', 'lnk_1');
}

/** Whether the filter bounds the first field of an index of the collection, `_id` among them. */
function isServed(collection: string, filter: Filter): boolean {
  const bounded = boundedBy(filter);
  if (bounded.includes('_id')) return true;
  const indexes = DOCUMENT_INDEXES.filter((index) => index.collection === collection);
  return indexes.some(({ key }) => bounded.includes(Object.keys(key)[0] ?? ''));
}

/** Fields that every document found has to meet. */
function boundedBy(filter: Filter): string[] {
  const conditions = Array.isArray(filter.$and) ? (filter.$and as Filter[]) : [];
  const paths = Object.keys(filter).filter((path) => !path.startsWith('$') && !isExclusion(filter[path]));
  return [...paths, ...conditions.flatMap(boundedBy)];
}

function isExclusion(condition: unknown): boolean {
  return typeof condition === 'object' && condition !== null && '$ne' in condition;
}
