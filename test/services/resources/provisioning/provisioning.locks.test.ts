/** Holds what PROVISION_FILE may never undo or give away: revocations, disabled keys, rotated secrets, passwords. */

import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import {
  changeApiKey,
  revokeApiKey,
  rotateApiKey,
} from '../../../../services/resources/api-keys/change-api-key.ts';
import { SHIPPED_CATALOGUE } from '../../../../services/shared/access/scope-catalogue.ts';
import { hashApiKey } from '../../../../services/shared/credentials/api-key-text.ts';
import { hashPassword, verifyPassword } from '../../../../services/shared/credentials/password.ts';
import { createProvisionedStore, fileText, KEY, OTHER_KEY } from '../../../support/provisioned-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

type Store = ReturnType<typeof createProvisionedStore>;

describe('provisioning of keys and passwords', () => {
  const clock = createTestClock();
  let documents: Store['documents'];
  let apply: Store['apply'];
  let storedKey: Store['storedKey'];
  let storedUser: Store['storedUser'];

  beforeEach(() => {
    ({ documents, apply, storedKey, storedUser } = createProvisionedStore(clock));
  });

  it('stores neither the text of a key nor a password', async () => {
    await apply(fileText());
    expect(documents.text()).to.not.include(KEY).and.not.include('correct-horse');
  });

  it('stores nothing that is faster to guess a password by than its argon2id text', async () => {
    await apply(fileText());
    const first = (await documents.provisionedEntries.all('org_one')).map((entry) => entry.textHash);
    ({ documents, apply } = createProvisionedStore(clock));
    await apply(fileText({ password: 'password: battery-staple' }));
    const second = (await documents.provisionedEntries.all('org_one')).map((entry) => entry.textHash);
    expect(second).to.deep.equal(first);
  });

  it('never clears a revocation or enables a disabled key, and says so', async () => {
    await apply(fileText());
    const revokedAt = '2026-03-01T13:00:00.000Z';
    await documents.apiKeys.update('org_one', 'key_server', 1, { revokedAt, enabled: false });
    const report = await apply(fileText({ key: `name: Renamed, key: ${KEY}, enabled: true` }));
    expect(await storedKey()).to.include({ name: 'Renamed', revokedAt, enabled: false });
    expect(report.warnings).to.deep.equal([
      'the API key key_server is revoked and stays revoked',
      'the API key key_server is disabled and stays disabled',
    ]);
  });

  it('revokes and disables a key that the file revokes and disables', async () => {
    await apply(fileText());
    await apply(fileText({ key: `name: S, key: ${KEY}, revokedAt: "2026-01-01T00:00:00Z", enabled: false` }));
    expect(await storedKey()).to.include({ revokedAt: '2026-01-01T00:00:00.000Z', enabled: false });
  });

  it('changes a secret that the file set, and never brings back one that was rotated since', async () => {
    await apply(fileText());
    await apply(fileText({ key: `name: S, key: ${OTHER_KEY}` }));
    expect(await storedKey()).to.include({ keyHash: hashApiKey(OTHER_KEY), last4: OTHER_KEY.slice(-4) });
    const { version } = await storedKey();
    await documents.apiKeys.update('org_one', 'key_server', version, { keyHash: 'f'.repeat(64) });

    await apply(fileText({ key: `name: Renamed, key: ${OTHER_KEY}` }));
    expect(await storedKey()).to.include({ name: 'Renamed', keyHash: 'f'.repeat(64) });
    const report = await apply(fileText({ key: `name: Renamed, key: ${KEY}` }));
    expect(await storedKey()).to.include({ keyHash: 'f'.repeat(64) });
    expect(report.warnings).to.deep.equal([
      'the secret of the API key key_server was not set by this file and stays',
    ]);
  });

  describe('after the API changed the key', () => {
    const target = { organizationId: 'org_one', id: 'key_server' };
    const scopes = () => SHIPPED_CATALOGUE;
    const rotate = async (graceSeconds: number) =>
      (await rotateApiKey({ documents, clock, randomBytes, scopes }, target, { graceSeconds, prefix: 'tg' }))
        .secret;

    it('leaves what was changed while the text of the entry stays', async () => {
      await apply(fileText());
      await changeApiKey({ documents, clock, scopes }, target, { name: 'By the API', scopes: ['read:data'] });
      const before = await storedKey();
      expect((await apply(fileText())).applied).to.deep.equal([]);
      expect(await storedKey()).to.deep.equal(before);
    });

    it('never brings back a secret that the API rotated, nor shortens or lengthens its grace', async () => {
      await apply(fileText());
      const secret = await rotate(3_600);
      const rotated = {
        keyHash: hashApiKey(secret),
        previousKeyHash: hashApiKey(KEY),
        last4: secret.slice(-4),
      };
      const previousValidUntil = (await storedKey()).previousValidUntil;
      await apply(fileText());
      expect(await storedKey()).to.include({ ...rotated, previousValidUntil });
      await apply(fileText({ key: `name: Renamed, key: ${KEY}` }));
      expect(await storedKey()).to.include({ name: 'Renamed', ...rotated, previousValidUntil });
      const report = await apply(fileText({ key: `name: Renamed, key: ${OTHER_KEY}` }));
      expect(await storedKey()).to.include({ ...rotated, previousValidUntil });
      expect(report.warnings).to.deep.equal([
        'the secret of the API key key_server was not set by this file and stays',
      ]);
    });

    it('refuses a secret that the API rotated out under another identifier too', async () => {
      await apply(fileText());
      await rotate(0);
      const moved = fileText().replace('id: key_server', 'id: key_moved');
      const refused = await apply(moved).catch((error: Error) => error);
      expect(String(refused)).to.include('came a key that exists under another identifier');
      expect(await documents.apiKeys.get('org_one', 'key_moved')).to.equal(null);
    });

    it('never clears a revocation of the API, nor one that came before a new secret in the file', async () => {
      await apply(fileText());
      await revokeApiKey({ documents, clock }, target);
      const { revokedAt } = await storedKey();
      expect(revokedAt).to.be.a('string');
      await apply(fileText({ key: `name: S, key: ${OTHER_KEY}, enabled: true` }));
      expect(await storedKey()).to.include({ revokedAt });
    });

    it('never enables what the API disabled', async () => {
      await apply(fileText());
      await changeApiKey({ documents, clock, scopes }, target, { enabled: false });
      await apply(fileText({ key: `name: Renamed, key: ${KEY}, enabled: true` }));
      expect(await storedKey()).to.include({ name: 'Renamed', enabled: false });
    });
  });

  it('sets a password that the file changed, alone', async () => {
    await apply(fileText());
    const report = await apply(fileText({ password: 'password: battery-staple' }));
    expect(report.applied).to.deep.equal(['user/org_one/ada@example.com']);
    expect(await verifyPassword((await storedUser()).passwordHash, 'battery-staple')).to.equal(true);
    expect((await apply(fileText({ password: 'password: battery-staple' }))).applied).to.deep.equal([]);
  });

  describe('with a session of the user', () => {
    const begin = async (organizationId: string) => {
      await documents.sessions.insert({
        id: 'ses_old',
        organizationId,
        activeOrganizationId: 'org_one',
        refreshHash: 'none',
        generation: 1,
        recentRotations: [],
        expiresAt: '2027-01-01T00:00:00.000Z',
      });
    };
    const changed = fileText({ password: 'password: battery-staple' });

    it('ends it when the file sets another password, and only then', async () => {
      await apply(fileText());
      const { id } = await storedUser();
      await begin(id);
      await apply(fileText({ user: 'role: admin' }));
      expect(await documents.sessions.all(id)).to.have.length(1);
      await apply(fileText({ user: 'role: admin', password: 'password: battery-staple' }));
      expect(await documents.sessions.all(id)).to.deep.equal([]);
    });

    it('ends it after a restart when the process ended between the password and the sessions', async () => {
      await apply(fileText());
      const { id } = await storedUser();
      await begin(id);
      const { all } = documents.sessions;
      documents.sessions.all = () => Promise.reject(new Error('the power went'));
      const outcome = await apply(changed).catch((error: unknown) => error);
      expect(outcome).to.be.instanceOf(Error).with.property('message', 'the power went');
      documents.sessions.all = all;
      expect((await apply(changed)).warnings).to.deep.equal([]);
      expect(await documents.sessions.all(id)).to.deep.equal([]);
      const next = fileText({ password: 'password: another-staple' });
      expect((await apply(next)).warnings).to.deep.equal([]);
    });
  });

  it('withdraws the invitations that a member made and may not make in the role that the file gives it', async () => {
    await apply(fileText());
    const { id } = await storedUser();
    const role = 'admin' as const;
    const made = { organizationId: 'org_one', role, expiresAt: '2099-01-01T00:00:00.000Z', acceptedAt: null };
    for (const createdBy of [id, 'usr_other']) {
      const own = { id: `inv_${createdBy}`, email: 'eve@example.com', tokenHash: createdBy, createdBy };
      await documents.invitations.insert({ ...made, ...own });
    }
    await apply(fileText({ user: 'role: admin' }));
    expect(await documents.invitations.all('org_one')).to.have.length(2);
    await apply(fileText({ user: 'role: member' }));
    expect((await documents.invitations.all('org_one')).map(({ createdBy }) => createdBy)).to.deep.equal([
      'usr_other',
    ]);
  });

  it('takes a password as argon2id text as it is', async () => {
    const passwordHash = await hashPassword('from-elsewhere');
    await apply(fileText({ password: `passwordHash: "${passwordHash}"` }));
    expect((await storedUser()).passwordHash).to.equal(passwordHash);
    expect((await apply(fileText({ password: `passwordHash: "${passwordHash}"` }))).applied).to.deep.equal(
      [],
    );
  });

  it('never overwrites a password that was changed since, and says so once', async () => {
    await apply(fileText());
    const user = await storedUser();
    const own = await hashPassword('chosen-by-ada');
    await documents.users.update(user.id, user.id, user.version, { passwordHash: own });

    expect((await apply(fileText())).warnings).to.deep.equal([]);
    expect((await storedUser()).passwordHash).to.equal(own);
    await apply(fileText({ user: 'role: admin' }));
    expect((await storedUser()).passwordHash).to.equal(own);

    const changed = fileText({ user: 'role: admin', password: 'password: battery-staple' });
    expect((await apply(changed)).warnings).to.deep.equal([
      'the password of ada@example.com was not set by this file and stays',
    ]);
    expect((await storedUser()).passwordHash).to.equal(own);
    expect((await apply(changed)).warnings).to.deep.equal([]);
  });
});
