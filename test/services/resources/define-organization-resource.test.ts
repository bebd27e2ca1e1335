/** What a stored thing of a whole organization gets from its declaration alone, over the wire of a service. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { z } from 'zod';
import {
  defineOrganizationResource,
  type OrganizationResourcePorts,
} from '../../../services/resources/define-organization-resource.ts';
import type { Caller } from '../../../services/shared/access/caller.ts';
import type { Grant } from '../../../services/shared/access/grant.ts';
import { createServiceApp } from '../../../services/shared/http/create-service-app.ts';
import { routeName } from '../../../services/shared/http/route.ts';
import type { RecordWrite } from '../../../services/shared/http/service-options.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import { createTestIdentity } from '../../support/identity.ts';
import { createLogWatch } from '../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { KEY_CALLER } from '../../support/start-resources-service.ts';
import { createTestClock } from '../../support/test-clock.ts';

const MANAGING = { scopes: ['manage:flags'] } as const;

/** A thing over a collection that there is. */
const routes = defineOrganizationResource({
  collection: 'targetGroups',
  path: '/v1/audiences',
  kind: 'audience',
  about: 'Groups of people.',
  rules: { read: MANAGING, write: MANAGING },
  most: 2,
  sortBy: ['name', 'createdAt'],
  searched: ['name'],
  input: z.strictObject({ name: z.string().min(1).max(20), description: z.string().max(20).default('') }),
  example: {
    id: 'tgt_1',
    organizationId: 'org_1',
    name: 'Readers',
    description: 'They read',
    color: '#000000',
    rules: [],
    createdBy: 'usr_1',
    createdAt: '2026-01-15T09:30:00.000Z',
    updatedAt: '2026-01-15T09:30:00.000Z',
  },
  create: (input, owned) => ({ ...owned, ...input, color: '#000000', rules: [] }),
});

/** An endpoint of all its routes. */
const GRANT: Grant = {
  endpoint: 'audiences',
  access: 'scoped',
  scopes: ['manage:config'],
  roles: [],
  routes: routes.map(routeName),
};
const WEBSITE_KEY: Caller = { ...KEY_CALLER, access: { level: 'website', websiteIds: ['web_1'] } };

describe('a stored thing by its declaration', () => {
  let documents: DocumentStore;
  let written: Parameters<RecordWrite>[0][];
  let close: () => Promise<void>;
  let ask: (
    method: string,
    path: string,
    options?: { body?: unknown; caller?: Caller; ifMatch?: string },
  ) => Promise<{ status: number; headers: Headers; body: ReturnType<typeof JSON.parse> }>;

  beforeEach(async () => {
    const clock = createTestClock();
    documents = createMemoryDocumentStore(clock);
    written = [];
    const identity = await createTestIdentity('resources', clock);
    const log = createLogWatch();
    const ports: OrganizationResourcePorts = { documents, ids: createIds() };
    const app = createServiceApp({
      ...{ routes, ports, logger: log.logger, verifyIdentity: identity.verifyIdentity },
      recordWrite: async (write) => {
        written.push(write);
      },
      health: () => documents.ping(),
    });
    const server = createServer(app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    ask = async (method, path, { body, caller = KEY_CALLER, ifMatch } = {}) => {
      const headers = {
        ...(await identity.headersFor(caller, GRANT)),
        ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      };
      const answer = await fetch(`${base}${path}`, {
        ...{ method, headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) };
    };
    close = async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      log.assertClean();
    };
  });
  afterEach(() => close());

  const make = (name: string) => ask('POST', '/v1/audiences', { body: { name, description: '' } });

  it('is described with one word for it in every text', () => {
    expect(routes.map(({ operationId, summary, audit }) => [operationId, summary, audit])).to.deep.equal([
      ['listAudiences', 'List audiences', undefined],
      ['createAudience', 'Create an audience', 'audience.create'],
      ['getAudience', 'Read an audience', undefined],
      ['changeAudience', 'Change an audience', 'audience.change'],
      ['deleteAudience', 'Delete an audience', 'audience.delete'],
    ]);
    expect(routes[1]?.body?.example).to.deep.equal({ name: 'Readers', description: 'They read' });
  });

  it('is created with Location, ETag, an owner and an audit record of the names of its fields', async () => {
    const { status, headers, body } = await make('Readers');
    expect(status).to.equal(201);
    expect(body.data).to.include({ name: 'Readers', organizationId: 'org_one', createdBy: 'key_all' });
    expect(body.data.id).to.match(/^tgt_/);
    expect(body.data).to.not.have.property('version');
    expect(headers.get('location')).to.equal(`/v1/audiences/${body.data.id}`);
    expect(headers.get('etag')).to.equal('"1"');
    const [record] = written;
    expect(record).to.include({ action: 'audience.create', targetId: body.data.id });
    expect(record?.fields).to.deep.equal(['name', 'description']);
  });

  it('is listed by its orders, searched, and with a cursor', async () => {
    for (const name of ['Readers', 'Buyers']) await make(name);
    const first = (await ask('GET', '/v1/audiences?limit=1')).body;
    expect(first.data.map(({ name }: { name: string }) => name)).to.deep.equal(['Buyers']);
    const second = (await ask('GET', `/v1/audiences?limit=1&cursor=${first.nextCursor}`)).body;
    expect(second.data.map(({ name }: { name: string }) => name)).to.deep.equal(['Readers']);
    const found = (await ask('GET', '/v1/audiences?search=READ&sort=-createdAt')).body;
    expect(found.data).to.have.length(1);
    expect((await ask('GET', '/v1/audiences?sort=color')).status).to.equal(400);
  });

  it('is changed under If-Match once, and an empty change writes nothing', async () => {
    const { data } = (await make('Readers')).body;
    const path = `/v1/audiences/${data.id}`;
    const changed = await ask('PATCH', path, { body: { name: 'Buyers' }, ifMatch: '"1"' });
    expect([changed.status, changed.headers.get('etag'), changed.body.data.name]).to.deep.equal([
      ...[200, '"2"', 'Buyers'],
    ]);
    expect((await ask('PATCH', path, { body: { name: 'Late' }, ifMatch: '"1"' })).status).to.equal(412);
    expect((await ask('PATCH', path, { body: {} })).headers.get('etag')).to.equal('"2"');
    expect(written.map(({ action }) => action)).to.deep.equal(['audience.create', 'audience.change']);
  });

  it('keeps in a change what is not named, though the field has a default for new ones', async () => {
    const body = { name: 'Readers', description: 'They read' };
    const { data } = (await ask('POST', '/v1/audiences', { body })).body;
    const path = `/v1/audiences/${data.id}`;
    const changed = await ask('PATCH', path, { body: { name: 'Buyers' } });
    expect(changed.body.data).to.include({ name: 'Buyers', description: 'They read' });
    expect((await ask('PATCH', path, { body: {} })).headers.get('etag')).to.equal('"2"');
    expect((await ask('POST', '/v1/audiences', { body: { name: 'New' } })).body.data.description).to.equal(
      '',
    );
  });

  it('is deleted once, under If-Match too', async () => {
    const { data } = (await make('Readers')).body;
    const path = `/v1/audiences/${data.id}`;
    expect((await ask('DELETE', path, { ifMatch: '"7"' })).status).to.equal(412);
    expect((await ask('DELETE', path)).status).to.equal(204);
    expect((await ask('DELETE', path)).body.error).to.equal(`There is no audience "${data.id}".`);
    expect((await ask('GET', path)).status).to.equal(404);
    expect(await documents.targetGroups.all('org_one')).to.deep.equal([]);
  });

  it('has a bound, which the refusal names', async () => {
    for (const name of ['One', 'Two']) await make(name);
    const { status, body } = await make('Three');
    expect([status, body.code]).to.deep.equal([409, 'CONFLICT']);
    expect(body.error).to.equal('The organization has reached its bound of 2 audiences.');
  });

  it('tells every fault of a body at once, an unknown field with the nearest', async () => {
    const { status, body } = await ask('POST', '/v1/audiences', { body: { nam: 'x', description: 7 } });
    expect(status).to.equal(400);
    const faults = body.details.map(({ field, suggestion }: Record<string, string>) => [field, suggestion]);
    expect(faults).to.deep.include.members([
      ['name', undefined],
      ['description', undefined],
      ['nam', 'name'],
    ]);
    expect((await ask('POST', '/v1/audiences', { body: [] })).status).to.equal(400);
  });

  it('is refused to a website-specific key before its body is looked at, and another organization finds none', async () => {
    const { data } = (await make('Readers')).body;
    const path = `/v1/audiences/${data.id}`;
    for (const [method, at] of [
      ['GET', '/v1/audiences'],
      ['POST', '/v1/audiences'],
      ['GET', path],
      ['PATCH', path],
      ['DELETE', path],
    ] as const) {
      const body = method === 'POST' || method === 'PATCH' ? { body: { nonsense: true } } : {};
      const answer = await ask(method, at, { caller: WEBSITE_KEY, ...body });
      expect([answer.status, answer.body.code], `${method} ${at}`).to.deep.equal([403, 'ACCESS_DENIED']);
    }
    const other = { caller: { ...KEY_CALLER, organizationId: 'org_two' } };
    expect((await ask('GET', '/v1/audiences', other)).body.data).to.deep.equal([]);
    for (const method of ['GET', 'DELETE']) expect((await ask(method, path, other)).status).to.equal(404);
    expect((await ask('PATCH', path, { ...other, body: { name: 'x' } })).status).to.equal(404);
    expect(await documents.targetGroups.all('org_one')).to.have.length(1);
  });
});
