/** A scope that the platform added to the configuration works wherever one of the seven does: YAML, keys, sessions, texts, description. */
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { expectError, expectSuccess } from '../support/answers.ts';
import { eventually } from '../support/eventually.ts';
import { type Answer, startTidegate, type TestServer } from '../support/start-tidegate.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const FILE = 'gateway.config.yml';
const ORIGIN = 'http://localhost:8080';
const PATH = '/v1/query/websites';
const OPENED = `paths: ${PATH}\n    methods: GET\n    scopes: `;
/** What is changed in the shipped file. */
const CHANGES = [
  [
    '\nscopes:\n',
    '\nscopes:\n  read:orders: { text: Read orders }\n  run:orders: { text: Run orders, holders: [keys] }\n',
  ],
  ['  owner: [', '  owner: [read:orders, '],
  [`${OPENED}[read:data]`, `${OPENED}[read:orders]`],
] as const;

describe('a scope of the platform', () => {
  let folder: TempDirectory;
  let server: TestServer;
  let cookie: string;
  let shippedText: string;
  let ownText: string;

  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, path, { headers: { cookie, origin: ORIGIN }, body });
  const create = (scopes: readonly string[]): Promise<Answer> =>
    ask('POST', '/v1/api-keys', { name: 'Orders', scopes, access: { level: 'global' } });
  const statusOf = async (key: string): Promise<number> => (await server.call('GET', PATH, { key })).status;

  before(async () => {
    folder = createTempDirectory();
    cpSync(join(PACKAGE_ROOT, 'config'), folder.path, { recursive: true });
    shippedText = readFileSync(folder.file(FILE), 'utf8');
    ownText = CHANGES.reduce((text, [from, to]) => {
      expect(text).to.include(from);
      return text.replace(from, to);
    }, shippedText);
    writeFileSync(folder.file(FILE), ownText);
    server = await startTidegate({ configDir: folder.path });
    const body = { email: 'owner@example.com', password: 'correct horse' };
    const login = await server.call('POST', '/v1/auth/login', { headers: { origin: ORIGIN }, body });
    expectSuccess(login);
    cookie = login.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
  });
  after(async () => {
    await server.close();
    folder.remove();
  });

  it('opens its endpoint to a key with it and to a session whose role holds it, and to no other', async () => {
    const made = await create(['read:orders']);
    expectSuccess(made, 201);
    expectSuccess(await server.call('GET', PATH, { key: made.body.data.secret }));
    expectSuccess(await ask('GET', PATH));
    const refused = await server.call('GET', PATH, { key: server.keys.all });
    expectError(refused, 403, 'INSUFFICIENT_SCOPE');
    expect(refused.body.error).to.equal('The scope read:orders is required.');
  });

  it('is known by name where a key is made, and only who holds it gives it', async () => {
    const misspelt = await create(['read:oders']);
    expectError(misspelt, 400, 'VALIDATION_ERROR');
    expect(misspelt.body.details[0]).to.include({ field: 'scopes[0]', suggestion: 'read:orders' });
    expect(misspelt.body.details[0].message).to.include('read:orders, run:orders, read:data');
    const beyond = await create(['read:orders', 'run:orders']);
    expectError(beyond, 403, 'INSUFFICIENT_SCOPE');
    expect(beyond.body.error).to.equal('The scope run:orders is required.');
  });

  it('is told to sessions with its text, and in the description of the API', async () => {
    const { body } = await ask('GET', '/v1/auth/session');
    expect(body.data.scopes).to.include('read:orders').and.not.include('run:orders');
    expect(body.data.listedScopes).to.deep.include({
      name: 'read:orders',
      text: 'Read orders',
      holders: ['keys', 'sessions'],
    });
    expect(body.data.roleScopes.admin).to.not.include('read:orders');
    const { body: document } = await server.call('GET', '/openapi.json');
    expect(document.paths[PATH].get['x-scopes']).to.deep.equal(['read:orders']);
    expect(document['x-scopes']['run:orders']).to.deep.equal({
      description: 'Run orders',
      holders: ['keys'],
    });
    expect(document['x-roles'].owner).to.include('read:orders');
    const { schemas } = document.components;
    const { scopes } = schemas.ApiKeyInput.properties;
    const list = scopes.$ref === undefined ? scopes : schemas[scopes.$ref.replace(/.*\//, '')];
    expect(list.items.enum).to.include.members(['read:orders', 'run:orders', 'read:data']);
  });

  it('that a reload takes away is refused, while its keys stay; one that comes back opens again', async function () {
    this.timeout(120_000);
    const made = await create(['read:orders', 'read:data']);
    const { id, secret } = made.body.data;
    expect(await statusOf(secret)).to.equal(200);
    const viewed = async (): Promise<unknown> =>
      (await ask('GET', `/v1/api-keys/${id}`)).body.data.unknownScopes;
    const others = () => statusOf(server.keys.readOnly);

    writeFileSync(folder.file(FILE), shippedText);
    await eventually(viewed, 'the scopes that the service does not know').equals(['read:orders']);
    await eventually(others, 'the key without it').equals(200);
    expectError(await create(['read:orders']), 400, 'VALIDATION_ERROR');
    const renamed = await ask('PATCH', `/v1/api-keys/${id}`, { name: 'Old orders' });
    expect(renamed.body.data).to.deep.include({
      name: 'Old orders',
      scopes: ['read:orders', 'read:data'],
      unknownScopes: ['read:orders'],
    });
    const rotated = await ask('POST', `/v1/api-keys/${id}/rotate`, {});
    expectSuccess(rotated);
    const { data } = rotated.body;
    expect(data.scopes).to.deep.equal(['read:orders', 'read:data']);
    expect(await statusOf(data.secret)).to.equal(200);

    writeFileSync(folder.file(FILE), ownText);
    await eventually(viewed, 'the scopes that the service does not know').equals(undefined);
    await eventually(others, 'the key without it').equals(403);
    expect(await statusOf(data.secret)).to.equal(200);
    expect(await statusOf(secret)).to.equal(401);
  });
});
