/** Holds provisioning over restarts, on the embedded store; and the file that the documentation shows. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  applyProvisioning,
  checkProvisioning,
  type ProvisioningReport,
} from '../../../../services/resources/provisioning/apply-provisioning.ts';
import { SHIPPED_CATALOGUE } from '../../../../services/shared/access/scope-catalogue.ts';
import { createApiKeyText } from '../../../../services/shared/credentials/api-key-text.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { storedDocuments } from '../../../support/stored-documents.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const PLANS = ['free', 'hobby', 'pro', 'scale'];

/** The YAML that docs/provisioning.md shows. */
function documentedFile(): string {
  const page = readFileSync(new URL('../../../../../docs/provisioning.md', import.meta.url), 'utf8');
  return /```yaml\n(.*?)```/s.exec(page)?.[1] ?? '';
}

describe('provisioning over restarts', () => {
  const clock = createTestClock();
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'tidegate-provisioning-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  /** One life of a server: opens the store, applies the file, does `work`, closes the store. */
  async function life(
    text: string,
    work: (documents: SqliteDocumentStore) => Promise<unknown> = async () => {},
  ): Promise<ProvisioningReport> {
    const documents = createSqliteDocumentStore({ path: join(directory, 'documents.sqlite'), clock });
    try {
      const input = {
        file: 'provision.yml',
        text,
        plans: PLANS,
        scopes: SHIPPED_CATALOGUE.ofKeys,
        servedSegments: ['track'],
      };
      const report = await applyProvisioning({ documents, ids: createIds() }, input);
      await work(documents);
      return report;
    } finally {
      await documents.close();
    }
  }

  it('takes the file that the documentation shows', () => {
    const { organizations } = checkProvisioning({
      file: 'docs',
      text: documentedFile(),
      plans: PLANS,
      scopes: SHIPPED_CATALOGUE.ofKeys,
      servedSegments: ['track'],
    });
    expect(organizations.map((organization) => organization.id)).to.deep.equal(['org_acme']);
  });

  it('applies everything once, and nothing after a restart', async () => {
    const text = documentedFile();
    expect((await life(text)).applied).to.have.length(6);
    let [before, after]: [unknown, unknown] = [null, null];
    await life(text, async (documents) => {
      before = await storedDocuments(documents, 'org_acme');
    });
    const again = await life(text, async (documents) => {
      after = await storedDocuments(documents, 'org_acme');
    });
    expect(again.applied).to.deep.equal([]);
    expect(again.unchanged).to.have.length(6);
    expect(after).to.deep.equal(before).and.not.equal(null);
  });

  it('leaves over a restart what the API wrote', async () => {
    const text = documentedFile();
    await life(text, (documents) =>
      documents.apiKeys.update('org_acme', 'key_server', 1, { revokedAt: '2026-07-15T12:00:00.000Z' }),
    );
    await life(text.replace('name: Server', 'name: Renamed'), async (documents) => {
      expect(await documents.apiKeys.get('org_acme', 'key_server')).to.include({
        name: 'Renamed',
        revokedAt: '2026-07-15T12:00:00.000Z',
      });
    });
  });

  it('leaves neither the text of a key nor a password in any file of the store', async () => {
    const key = createApiKeyText('tg', randomBytes);
    const text = documentedFile()
      .replace(/keyHash: .*/, `key: ${key}`)
      .replace(/passwordHash: .*/, 'password: correct-horse-battery');
    expect((await life(text)).applied).to.have.length(6);
    for (const file of readdirSync(directory)) {
      const bytes = readFileSync(join(directory, file));
      expect(bytes.includes(key), file).to.equal(false);
      expect(bytes.includes('correct-horse-battery'), file).to.equal(false);
    }
  });

  it('refuses a file that became faulty and leaves what was applied', async () => {
    await life(documentedFile());
    const faulty = await life(documentedFile().replace('plan: pro', 'plan: gold')).catch(
      (error: Error) => error,
    );
    expect(faulty).to.have.property('name', 'ProvisioningError');
    await life(documentedFile(), async (documents) => {
      expect(await documents.organizations.get('org_acme', 'org_acme')).to.include({ plan: 'pro' });
    });
  });
});
