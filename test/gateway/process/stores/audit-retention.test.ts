/** Audit records are kept for their time, then removed, organization by organization. */
import { expect } from 'chai';
import { loadSettings, SettingsError } from '../../../../config/settings.ts';
import { removeOldAuditRecords } from '../../../../gateway/process/stores/audit-retention.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import { createLogWatch, createStrictLogger } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const DAY_MS = 86_400_000;

describe('the retention of audit records', () => {
  const ids = createIds();
  let clock: ReturnType<typeof createTestClock>;
  let documents: ReturnType<typeof createMemoryDocumentStore>;

  beforeEach(async () => {
    clock = createTestClock();
    documents = createMemoryDocumentStore(clock);
    for (const id of ['org_a', 'org_b'])
      await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
  });

  async function record(organizationId: string, targetId: string): Promise<void> {
    const actor = { kind: 'cli', id: 'cli', userId: null } as const;
    const where = { address: null, requestId: null, fields: [] };
    await documents.auditRecords.insert({
      id: ids.create('aud'),
      organizationId,
      actor,
      action: 'link.create',
      targetId,
      ...where,
    });
  }
  const left = async (organizationId: string) =>
    (await documents.auditRecords.list(organizationId, { limit: 100 })).map(({ targetId }) => targetId);
  const parts = (auditRetentionDays: number | null, signal = new AbortController().signal) => ({
    ...{ documents, auditRetentionDays, clock, logger: createStrictLogger(), signal },
  });

  it('removes exactly those that are older, also more than one page of them', async () => {
    for (let count = 0; count < 230; count++) await record('org_a', `old-${count}`);
    await record('org_b', 'old');
    clock.advance(1);
    await record('org_a', 'on the edge');
    clock.advance(10 * DAY_MS);
    await record('org_a', 'new');
    await removeOldAuditRecords(parts(10));
    expect(await left('org_a')).to.deep.equal(['on the edge', 'new']);
    expect(await left('org_b')).to.deep.equal([]);
  });

  it('removes none where they are kept for ever, and none after the process began to end', async () => {
    await record('org_a', 'old');
    clock.advance(10_000 * DAY_MS);
    await removeOldAuditRecords(parts(null));
    await removeOldAuditRecords(parts(1, AbortSignal.abort()));
    expect(await left('org_a')).to.deep.equal(['old']);
  });

  it('goes on with the other organizations when it fails for one', async () => {
    await record('org_a', 'old');
    await record('org_b', 'old');
    clock.advance(2 * DAY_MS);
    const { auditRecords } = documents;
    const failing: typeof auditRecords = Object.create(auditRecords, {
      list: {
        value: (organizationId: string, page: { limit: number }) =>
          organizationId === 'org_a'
            ? Promise.reject(new Error('lost'))
            : auditRecords.list(organizationId, page),
      },
      remove: { value: (organizationId: string, id: string) => auditRecords.remove(organizationId, id) },
    });
    const watch = createLogWatch();
    const { allOrganizations } = documents;
    await removeOldAuditRecords({
      ...parts(1),
      documents: { auditRecords: failing, allOrganizations: () => allOrganizations.call(documents) },
      logger: watch.logger,
    });
    expect(await left('org_a')).to.deep.equal(['old']);
    expect(await left('org_b')).to.deep.equal([]);
    expect(watch.lines.join('\n')).to.include('old audit records could not be removed');
  });

  it('is 730 days unless the setting says otherwise', () => {
    expect(loadSettings({}).auditRetentionDays).to.equal(730);
    expect(loadSettings({ AUDIT_RETENTION_DAYS: '90' }).auditRetentionDays).to.equal(90);
    expect(loadSettings({ AUDIT_RETENTION_DAYS: 'unlimited' }).auditRetentionDays).to.equal(null);
    expect(() => loadSettings({ AUDIT_RETENTION_DAYS: '0' })).to.throw(
      SettingsError,
      'AUDIT_RETENTION_DAYS="0"',
    );
  });
});
