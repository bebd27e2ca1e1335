/** The MongoDB document store when the server, the network or the writer goes: declared errors, nothing lost, nothing torn, nothing twice. */
import { expect } from 'chai';
import { ApiError } from '../../../../../services/shared/errors/api-error.ts';
import type { MongodbDocumentStore } from '../../../../../services/shared/storage/mongodb/mongodb-document-store.ts';
import { newWebsite } from '../../../../contract/document-store.contract.ts';
import { type FaultProxy, startFaultProxy } from '../../../../support/fault-proxy.ts';
import { killWhileWriting } from '../../../../support/kill-while-writing.ts';
import {
  createDocumentDatabase,
  type DocumentDatabase,
} from '../../../../support/mongodb/document-database.ts';
import { useOwnMongodb } from '../../../../support/mongodb/use-mongodb.ts';
import { rejection } from '../../../../support/rejection.ts';
import { until } from '../../../../support/until.ts';

describe('the MongoDB document store through faults', () => {
  const mongodb = useOwnMongodb({ durable: true });
  let database: DocumentDatabase;
  let store: MongodbDocumentStore;

  beforeEach(async () => {
    database = await createDocumentDatabase(mongodb.newUri());
    store = await database.open();
  });
  afterEach(() => database?.close());

  const missingOf = async (acknowledged: readonly number[]) => {
    // Each is checked by its schema as it is read: a torn one would be an error.
    const present = new Set((await store.websites.all('org_a')).map(({ id }) => id));
    return acknowledged.filter((number) => !present.has(`web_${number}`));
  };

  it('loses no acknowledged document when the writer is killed with SIGKILL', async () => {
    const acknowledged = await killWhileWriting('mongodb-documents', database.uri, 100);
    expect(await missingOf(acknowledged)).to.deep.equal([]);
  });

  it('answers SERVICE_UNAVAILABLE while the server is gone, then works again with all that was acknowledged', async function () {
    if (mongodb.kind === 'given') this.skip();
    const acknowledged: number[] = [];
    let isGoing = true;
    const faults: unknown[] = [];
    const write = async (): Promise<void> => {
      for (let number = 0; isGoing; number++) {
        await store.websites.insert(newWebsite(`web_${number}`));
        acknowledged.push(number);
      }
    };
    const writing = write().catch((fault: unknown) => faults.push(fault));
    await until('100 writes', () => acknowledged.length >= 100);
    await mongodb.kill();
    await writing;
    isGoing = false;
    const asked = [
      store.websites.get('org_a', 'web_1'),
      store.websites.update('org_a', 'web_1', 1, { name: 'x' }),
      store.cleanups.remove('org_a', 'cln_1'),
      store.apiKeyHashes({ limit: 10 }),
      store.recordApiKeyUses([{ apiKeyId: 'key', organizationId: 'org_a', lastUsedAt: '2026' }]),
      store.addUsage([{ organizationId: 'org_a', month: '2026-07', requests: 1, events: 1 }]),
      store.foreignChanges(),
      store.ping(),
    ];
    faults.push(...(await Promise.all(asked.map(rejection))));
    expect(faults).to.have.length(asked.length + 1);
    for (const fault of faults) {
      expect(fault)
        .to.be.instanceOf(ApiError)
        .and.deep.include({
          kind: 'SERVICE_UNAVAILABLE',
          headers: { 'Retry-After': '1' },
        });
      expect((fault as ApiError).message).to.equal('The service is temporarily unavailable.');
    }
    await mongodb.start();
    await until('the store answers again', () =>
      store.ping().then(
        () => true,
        () => false,
      ),
    );
    expect(await missingOf(acknowledged)).to.deep.equal([]);
    await store.websites.insert(newWebsite('web_after'));
    expect(await store.websites.get('org_a', 'web_after')).to.include({ version: 1 });
  });

  describe('behind a network that loses answers', () => {
    let proxy: FaultProxy;
    let behind: MongodbDocumentStore;

    beforeEach(async function () {
      if (mongodb.kind === 'given') this.skip();
      const { host, pathname, port } = new URL(database.uri);
      proxy = await startFaultProxy(Number(port));
      const uri = `mongodb://${host.replace(port, `${proxy.port}`)}${pathname}`;
      ({ store: behind } = await database.openTelling({ uri }));
    });
    afterEach(() => proxy?.close());

    it('adds usage once, though the answer was lost and the batch is sent again', async () => {
      await store.organizations.insert({
        ...{ id: 'org_a', organizationId: 'org_a', name: 'A', plan: 'free', limits: {} },
      });
      const used = { organizationId: 'org_a', month: '2026-07', requests: 5, events: 7 };
      const add = () =>
        until('usage is taken', () =>
          behind.addUsage([used]).then(
            () => true,
            () => false,
          ),
        );
      await add();
      for (let lost = 0; lost < 2; lost++) {
        proxy.loseAnswerTo('update\0', 'organization_usage');
        await add();
      }
      await add();
      const [stored] = await store.organizationUsage.all('org_a');
      expect(stored).to.include({ requests: 20, events: 28 });
    });

    it('gives up in time what a server that lives does not answer, and works again when it does', async () => {
      await store.websites.insert(newWebsite('web_1'));
      await proxy.set({ swallows: ['websites'] });
      const began = performance.now();
      const faults = await Promise.all([
        rejection(behind.websites.get('org_a', 'web_1')),
        rejection(behind.websites.list('org_a', { limit: 10 })),
        rejection(behind.websites.insert(newWebsite('web_2'))),
      ]);
      expect(performance.now() - began).to.be.lessThan(30_000);
      for (const fault of faults) expect(fault).to.include({ kind: 'SERVICE_UNAVAILABLE' });
      await proxy.set('pass');
      expect(await behind.websites.get('org_a', 'web_1')).to.include({ version: 1 });
    });

    it('says that it does not know of a write without an answer, and others look again and again', async () => {
      await store.foreignChanges();
      proxy.loseAnswerTo('insert\0', 'websites');
      expect(await rejection(behind.websites.insert(newWebsite('web_1')))).to.include({
        kind: 'SERVICE_UNAVAILABLE',
      });
      expect(await store.websites.get('org_a', 'web_1')).to.include({ version: 1 });
      await behind.websites.insert(newWebsite('web_2'));
      const readings = [await store.foreignChanges(), await store.foreignChanges()];
      expect(new Set(readings)).to.have.length(2);
    });
  });
});
