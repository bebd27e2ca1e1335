/** Holds `tidegate secrets` to docs/secrets.md, and `organizations list --json` to what was used, over the store of no running server. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPathsOf } from '../../../config/data-directory.ts';
import {
  loadSecrets,
  readSecrets,
  type Secrets,
  sealerOf,
} from '../../../gateway/process/secrets/secrets.ts';
import { integrationSchemas } from '../../../services/resources/integrations/schema.ts';
import { createIntegration } from '../../../services/resources/integrations/write-integration.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { runCli } from '../../support/run-cli.ts';

const TEXT = 'whsec-of-mine-5678';
const BODY = { type: 'webhook', name: 'w', config: { url: 'https://a.example.com', secret: TEXT } };

describe('tidegate secrets', () => {
  let dataDir: string;
  let documents: SqliteDocumentStore;
  let secrets: Secrets;
  let integrationId: string;
  let file: string;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'tidegate-cli-'));
    const paths = dataPathsOf(dataDir);
    file = paths.secrets;
    documents = createSqliteDocumentStore({ path: paths.documents, clock: systemClock });
    const organization = { id: 'org_one', organizationId: 'org_one', name: 'One', plan: 'free', limits: {} };
    await documents.organizations.insert(organization);
    secrets = await loadSecrets(file);
    const ports = { documents, ids: createIds(), sealer: sealerOf(secrets) };
    const owner = { organizationId: 'org_one', createdBy: 'usr_one' };
    const { input } = integrationSchemas(false);
    integrationId = (await createIntegration(ports, owner, input.parse(BODY))).id;
  });
  afterEach(async () => {
    await documents.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const run = (...args: string[]) => runCli(args, { DATA_DIR: dataDir });
  const newKey = { id: 'newest', key: randomBytes(32).toString('base64url') };
  const write = (integrationKeys: Secrets['integrationKeys']) =>
    writeFileSync(file, JSON.stringify({ ...secrets, integrationKeys }));

  it('makes a secrets file with which a server can start, and refuses to replace one', async () => {
    const fresh = join(dataDir, 'fresh.json');
    expect(await run('secrets', 'create', fresh)).to.deep.include({ code: 0, error: '' });
    const made = await readSecrets(fresh);
    expect(made.cookieKey).to.not.equal(secrets.cookieKey);
    const again = await run('secrets', 'create', fresh);
    expect(again.code).to.equal(1);
    expect(again.error).to.include(`${fresh} exists`);
    expect(await readSecrets(fresh)).to.deep.equal(made);
  });

  it('says what is to be done when the folder or the file of SECRETS_FILE is not there', async () => {
    const nowhere = join(dataDir, 'none', 'secrets.json');
    const refused = await run('secrets', 'create', nowhere);
    expect(refused.code).to.equal(1);
    expect(refused.error).to.include(`there is no folder ${join(dataDir, 'none')}`);
    const fault = await readSecrets(nowhere).catch(String);
    expect(fault).to.include(`${nowhere} is missing`).and.to.include('npx tidegate secrets create');
  });

  /** @returns its token, sealed with the key of before */
  async function insertShare(): Promise<string> {
    const token = 'T'.repeat(43);
    const place = { organizationId: 'org_one', integrationId: 'shr_1', field: 'token' };
    await documents.shares.insert({
      ...{ id: 'shr_1', organizationId: 'org_one', websiteId: 'web_1', view: 'viw_1', name: 'Share' },
      ...{ expiresAt: null, tokenHash: 'h', token: sealerOf(secrets).seal(place, token) },
      ...{ passwordHash: null, ticketKey: '', datasets: ['pages'], origins: [], createdBy: 'usr_1' },
    });
    return token;
  }

  it('encrypts with the first key what an older one had, once, and leaves an audit record of it', async () => {
    const of = { organizationId: 'org_one', integrationId, fields: ['secret'] };
    const shares = { resealed: [{ organizationId: 'org_one', shareId: 'shr_1' }], unreadable: [] };
    const shared = await insertShare();
    write([newKey, ...secrets.integrationKeys]);
    const { code, out, error } = await run('secrets', 'reseal', '--json');
    expect([code, error]).to.deep.equal([0, '']);
    expect(JSON.parse(out).data).to.deep.equal({
      keyId: 'newest',
      resealed: [of],
      unreadable: [],
      shares,
    });
    write([newKey]);
    const again = await run('secrets', 'reseal');
    expect(again.out).to.equal(
      'Integrations re-encrypted: 0. Tokens of shares: 0. Every secret that can be decrypted now uses newest.\n',
    );
    const stored = await documents.integrations.get('org_one', integrationId);
    const place = { organizationId: 'org_one', integrationId, field: 'secret' };
    const sealed = stored?.secrets.secret;
    expect(sealed && sealerOf({ integrationKeys: [newKey] }).open(place, sealed)).to.equal(TEXT);
    const resealed = await documents.shares.get('org_one', 'shr_1');
    const tokenPlace = { organizationId: 'org_one', integrationId: 'shr_1', field: 'token' };
    const opened = resealed && sealerOf({ integrationKeys: [newKey] }).open(tokenPlace, resealed.token);
    expect(opened).to.equal(shared);
    const records = await documents.auditRecords.all('org_one');
    expect(records.map(({ action, targetId, fields }) => [action, targetId, fields])).to.deep.equal([
      ['integration.reseal', integrationId, ['config.secret']],
      ['share.reseal', 'shr_1', ['token']],
    ]);
  });

  it('names what no key decrypts, and changes nothing of it', async () => {
    write([newKey]);
    const { code, out } = await run('secrets', 'reseal');
    expect(code).to.equal(0);
    expect(out).to.include(`No key decrypts secret of ${integrationId} (org_one).`);
    expect((await documents.integrations.get('org_one', integrationId))?.version).to.equal(1);
    expect(await documents.auditRecords.all('org_one')).to.deep.equal([]);
  });

  it('refuses without the secrets file, and makes none', async () => {
    rmSync(file);
    const { code, error } = await run('secrets', 'reseal');
    expect(code).to.equal(1);
    expect(error).to.include('secrets.json is missing');
    expect(existsSync(file)).to.equal(false);
  });

  it('lists organizations with what each used in the current month', async () => {
    const monthAt = (ms: number) => new Date(ms).toISOString().slice(0, 7);
    // The command may run in the next one.
    const current = new Set([monthAt(Date.now()), monthAt(Date.now() + 600_000)]);
    const used = { organizationId: 'org_one', requests: 12, events: 34 };
    await documents.addUsage([...current, '2020-01'].map((month) => ({ ...used, month })));
    const { out } = await run('organizations', 'list', '--json');
    const [listed] = JSON.parse(out).data;
    expect([...current]).to.include(listed.usage.month);
    expect(listed).to.deep.include({ id: 'org_one', usage: { ...listed.usage, requests: 12, events: 34 } });
  });
});
