/** Many documents of one tenant: searches through them leave other tenants alone, and there is a bound on how many there may be. */
import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import Database from 'libsql';
import { dataPathsOf } from '../../config/data-directory.ts';
import { linkSchema } from '../../services/shared/model/link.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { newLink } from '../contract/resources.contract.ts';
import { type ServerProcess, startProcess } from '../support/gateway-process.ts';
import { type Answer, callerOf, newKeyText } from '../support/start-tidegate.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { createTestClock } from '../support/test-clock.ts';

const LINKS = 10_000;
/** Within what another tenant is served, in milliseconds: as a rule, and at most, also by a busy machine. */
const SERVED_MS = { median: 1_000, slowest: 10_000 };
const KEYS = { victim: newKeyText(), attacker: newKeyText(), small: newKeyText() };

type Organization = keyof typeof KEYS;

/** As an operator writes it; `small` may have two websites, and the file gives it three. */
function provisioning(): string {
  const scopes = [
    'read:data',
    'track:events',
    'read:links',
    'write:links',
    'manage:websites',
    'manage:config',
  ];
  const organization = (name: Organization, websites: number, limits: object) => ({
    ...{ id: `org_${name}`, name, plan: 'scale', limits },
    websites: Array.from({ length: websites }, (_, i) => {
      const id = `web_${name}_${i}`;
      return { id, name: id, domain: `site-${i}.${name}.example.com` };
    }),
    apiKeys: [{ id: `key_${name}`, name, key: KEYS[name], scopes, access: { level: 'global' } }],
  });
  return JSON.stringify({
    organizations: [
      organization('victim', 1, {}),
      organization('attacker', 1, { websites: 5 }),
      organization('small', 3, { websites: 2 }),
    ],
  });
}

/** The attacker's links, all in one transaction: one by one would take longer than the test. */
async function insertLinks(path: string): Promise<void> {
  await createSqliteDocumentStore({ path, clock: createTestClock() }).close();
  const database = new Database(path);
  const insert = database.prepare(
    'INSERT INTO links (id, organization_id, version, document) VALUES (?, ?, 1, ?)',
  );
  database.exec('BEGIN');
  for (let n = 0; n < LINKS; n++) {
    const id = `lnk_attack_${String(n).padStart(5, '0')}`;
    const at = new Date(1_750_000_000_000 + n).toISOString();
    const named = newLink(id, {
      organizationId: 'org_attacker',
      name: n === LINKS - 1 ? 'needle' : `Offer ${n}`,
    });
    const link = linkSchema.parse({ ...named, version: 1, createdAt: at, updatedAt: at });
    insert.run(link.id, link.organizationId, JSON.stringify(link));
  }
  database.exec('COMMIT');
  database.close();
}

describe('many documents', () => {
  const directory = createTempDirectory();
  let server: ServerProcess;

  before(async () => {
    const file = directory.file('provision.yml');
    writeFileSync(file, provisioning(), { mode: 0o600 });
    const dataDir = directory.file('data');
    await insertLinks(dataPathsOf(dataDir).documents);
    server = await startProcess('main', {
      DATA_DIR: dataDir,
      PROVISION_FILE: file,
      TRUSTED_PROXIES: '127.0.0.1',
    });
  });
  after(async () => {
    await server.end('SIGTERM');
    directory.remove();
  });

  const call = (as: Organization, method: string, path: string, body?: unknown): Promise<Answer> =>
    callerOf(server.origin)(method, path, { key: KEYS[as], ...(body === undefined ? {} : { body }) });

  it('are searched a bounded part at a time, while another tenant is served as ever', async () => {
    let isOver = false;
    const searches: Answer[] = [];
    const attacker = async (sort: string) => {
      while (!isOver)
        searches.push(await call('attacker', 'GET', `/v1/links?limit=1&search=zzzz&sort=${sort}`));
    };
    const attackers = ['createdAt', '-createdAt', 'name', '-name', 'slug', '-slug'].map(attacker);
    const waits: number[] = [];
    for (let n = 0; n < 15; n++) {
      const begun = performance.now();
      const answer = await call('victim', 'POST', '/track', { name: 'order', websiteId: 'web_victim_0' });
      waits.push(performance.now() - begun);
      expect(answer.status).to.equal(200);
    }
    isOver = true;
    await Promise.all(attackers);
    waits.sort((a, b) => a - b);
    expect(waits.at(-1), `${searches.length} searches meanwhile`).to.be.lessThan(SERVED_MS.slowest);
    expect(waits[Math.floor(waits.length / 2)], 'the median').to.be.lessThan(SERVED_MS.median);
    expect(searches.length).to.be.greaterThan(5);
    for (const { status, body } of searches) {
      expect(status).to.be.oneOf([200, 429]);
      if (status !== 200) continue;
      expect(body.data).to.deep.equal([]);
      expect(body.nextCursor).to.be.a('string');
    }
  });

  it('are found by whoever goes on, in as many calls as there are thousands', async () => {
    let cursor = '';
    const found: string[] = [];
    let calls = 0;
    do {
      const answer = await call('attacker', 'GET', `/v1/links?search=NEEDLE${cursor && `&cursor=${cursor}`}`);
      expect(answer.status).to.equal(200);
      found.push(...answer.body.data.map((link: { name: string }) => link.name));
      cursor = answer.body.nextCursor ?? '';
      calls++;
    } while (cursor !== '');
    expect(found).to.deep.equal(['needle']);
    expect(calls).to.equal(LINKS / 1_000);
  });

  it('are refused at the bound of plans.yml, by a text that names it, until one goes', async () => {
    const link = { targetUrl: 'https://attacker.example.com/', name: 'One more' };
    const refused = await call('attacker', 'POST', '/v1/links', link);
    expect([refused.status, refused.body.code]).to.deep.equal([409, 'CONFLICT']);
    expect(refused.body.error).to.include('10000 links');
    expect((await call('attacker', 'DELETE', '/v1/links/lnk_attack_00000')).status).to.equal(204);
    expect((await call('attacker', 'POST', '/v1/links', link)).status).to.equal(201);
    expect((await call('attacker', 'POST', '/v1/links', link)).status).to.equal(409);
    expect((await call('victim', 'POST', '/v1/links', link)).status).to.equal(201);
  });

  it('of an organization with a number of its own are as many, however many are made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, n) =>
        call('attacker', 'POST', '/v1/websites', { name: `n${n}`, domain: `n${n}.attacker.example.com` }),
      ),
    );
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).to.deep.equal([...Array(4).fill(201), ...Array(12).fill(409)]);
    expect((await call('attacker', 'GET', '/v1/websites')).body.data).to.have.length(5);
    expect((await call('attacker', 'GET', '/v1/query/websites')).body.total).to.equal(5);
    expect((await call('attacker', 'GET', '/v1/organization')).body.data.limits).to.include({
      websites: 5,
      links: 10_000,
      goals: 1_000,
      funnels: 1_000,
    });
    expect((await call('victim', 'GET', '/v1/organization')).body.data.limits).to.include({
      websites: 1_000,
    });
  });

  it('stay where the bound is lower, as the operator made them, and no more are made', async () => {
    expect((await call('small', 'GET', '/v1/websites')).body.data).to.have.length(3);
    const website = { name: 'four', domain: 'four.example.com' };
    const refused = await call('small', 'POST', '/v1/websites', website);
    expect([refused.status, refused.body.error]).to.deep.equal([
      409,
      'The organization has reached its bound of 2 websites.',
    ]);
    const renamed = await call('small', 'PATCH', '/v1/websites/web_small_0', { name: 'Renamed' });
    expect(renamed.status).to.equal(200);
  });
});
