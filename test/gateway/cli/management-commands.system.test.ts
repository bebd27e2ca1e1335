/** Holds `tidegate keys rotate|revoke`, `organizations` and `users` to contract.md section 8, over the store and over a running server. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { createAdministration } from '../../../gateway/administration/operations.ts';
import { ADMINISTRATION_ROUTES } from '../../../gateway/administration/routes.ts';
import { type OperatorServer, startOperatorServer } from '../../../gateway/administration/server.ts';
import { createApiKey } from '../../../services/resources/api-keys/create-api-key.ts';
import type { Cleanups } from '../../../services/resources/cleanup/cleanups.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import { hashApiKey, isWellFormedApiKey } from '../../../services/shared/credentials/api-key-text.ts';
import { verifyPassword } from '../../../services/shared/credentials/password.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import { createSqliteDocumentStore } from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createLogWatch } from '../../support/log-watch.ts';
import { noExport } from '../../support/no-export.ts';
import { noImport } from '../../support/no-import.ts';
import { type CliOutcome, runCli } from '../../support/run-cli.ts';
import { createTestCleanups } from '../../support/start-cleanups.ts';
import { storedDocuments } from '../../support/stored-documents.ts';
import { createTestSealer } from '../../support/test-sealer.ts';
import { until } from '../../support/until.ts';

const ids = createIds();

for (const way of ['the store', 'the operator socket of a running server'] as const) {
  describe(`management commands over ${way}`, () => {
    // Each case starts processes, which a busy machine starts slowly.
    let dataDir: string;
    let documents: DocumentStore;
    let server: OperatorServer | undefined;
    let cleanups: Cleanups;
    const log = createLogWatch();
    let key: { id: string; secret: string };

    beforeEach(async () => {
      dataDir = mkdtempSync(join(tmpdir(), 'tidegate-cli-'));
      documents = createSqliteDocumentStore({ path: dataPathsOf(dataDir).documents, clock: systemClock });
      const id = 'org_one';
      await documents.organizations.insert({ id, organizationId: id, name: 'One', plan: 'free', limits: {} });
      const ports = { documents, ids, clock: systemClock, randomBytes, scopes: () => SHIPPED_CATALOGUE };
      const maker = { organizationId: id, createdBy: 'test', prefix: 'tg' };
      const access = { level: 'global' as const };
      const wanted = { name: 'Server', scopes: ['track:events' as const], access };
      const { apiKey, secret } = await createApiKey(ports, maker, wanted);
      key = { id: apiKey.id, secret };
      if (way === 'the store') return;
      cleanups = createTestCleanups(documents, systemClock).cleanups;
      cleanups.start();
      server = await startOperatorServer({
        routes: ADMINISTRATION_ROUTES,
        administration: createAdministration(ports, {
          keyPrefix: 'tg',
          sealer: async () => createTestSealer(),
          plans: async () => ['free', 'pro'],
          importBatch: noImport,
          exportBatch: noExport,
          cleanups: async () => cleanups,
        }),
        socketPath: dataPathsOf(dataDir).operatorSocket,
        logger: log.logger,
      });
    });
    afterEach(async () => {
      await Promise.all([server?.close(), cleanups?.close()]);
      server = undefined;
      await documents.close();
      log.assertClean();
      rmSync(dataDir, { recursive: true, force: true });
    });

    const run = (...args: string[]): Promise<CliOutcome> =>
      runCli(args, { DATA_DIR: dataDir, CONFIG_DIR: join(PACKAGE_ROOT, 'config') });
    async function json(...args: string[]) {
      const { code, out, error } = await run(...args, '--json');
      expect([code, error]).to.deep.equal([0, '']);
      const { success, data } = JSON.parse(out);
      expect(success).to.equal(true);
      return data;
    }
    async function audited(organizationId = 'org_one') {
      const records = await documents.auditRecords.all(organizationId);
      return records.map(({ actor, action, targetId }) => [actor.kind, action, targetId]);
    }

    it('rotates a key, prints its new text once, and keeps the old one for the grace', async () => {
      const { code, out } = await run('keys', 'rotate', key.id, '--grace', '60');
      const secret = out.split('\n')[0] ?? '';
      expect([code, isWellFormedApiKey(secret)]).to.deep.equal([0, true]);
      const stored = await documents.apiKeys.get('org_one', key.id);
      expect(stored).to.include({ keyHash: hashApiKey(secret), previousKeyHash: hashApiKey(key.secret) });
      expect(Date.parse(stored?.previousValidUntil ?? '')).to.be.greaterThan(Date.now());
      const again = await json('keys', 'rotate', key.id);
      expect(await documents.apiKeys.get('org_one', key.id)).to.include({
        keyHash: hashApiKey(again.secret),
      });
      expect(await audited()).to.deep.equal([
        ['cli', 'api-key.rotate', key.id],
        ['cli', 'api-key.rotate', key.id],
      ]);
    });

    it('revokes a key for good, and refuses to rotate it then', async () => {
      expect((await json('keys', 'revoke', key.id)).revokedAt).to.be.a('string');
      expect((await run('keys', 'revoke', key.id)).code).to.equal(0);
      const { code, error } = await run('keys', 'rotate', key.id);
      expect([code, error]).to.deep.equal([
        1,
        `The API key "${key.id}" is revoked for good: create another one.\n`,
      ]);
      expect(await audited()).to.deep.equal([['cli', 'api-key.revoke', key.id]]);
    });

    it('refuses an unknown key with exit code 1 and an impossible grace with exit code 2', async () => {
      for (const act of ['rotate', 'revoke']) {
        const { code, error } = await run('keys', act, 'key_none');
        expect([code, error]).to.deep.equal([1, 'There is no API key "key_none".\n']);
      }
      expect((await run('keys', 'rotate', key.id, '--grace', '86401')).code).to.equal(2);
      expect((await run('keys', 'revoke')).code).to.equal(2);
      expect(await audited()).to.deep.equal([]);
    });

    it('creates, changes and lists organizations', async () => {
      const created = await json('organizations', 'create', '--name', 'Two', '--plan', 'pro');
      expect(created).to.deep.include({ name: 'Two', plan: 'pro', limits: {} });
      const limits = ['--limit', 'perMinute=5000', '--limit', 'publicPerMinute=7'];
      await json('organizations', 'update', created.id, '--plan', 'free', ...limits);
      const days = await json('organizations', 'update', created.id, '--retention-days', '90');
      expect(days).to.deep.include({ retentionDays: 90 });
      const unset = await json('organizations', 'update', created.id, '--retention-days', 'none');
      expect(unset).to.not.have.property('retentionDays');
      const changed = await json('organizations', 'update', created.id, '--limit', 'publicPerMinute=none');
      expect(changed).to.deep.include({ name: 'Two', plan: 'free', limits: { perMinute: 5000 } });
      expect(await documents.organizations.get(created.id, created.id)).to.deep.include({ plan: 'free' });
      const { out } = await run('organizations', 'list');
      expect(
        out
          .trimEnd()
          .split('\n')
          .map((row) => row.split(/ {2,}/)),
      ).to.deep.equal([
        ['ID', 'NAME', 'PLAN', 'LIMITS'],
        ...[
          [created.id, 'Two', 'free', 'perMinute=5000'],
          ['org_one', 'One', 'free', '-'],
        ],
      ]);
      expect(await audited(created.id)).to.deep.equal([
        ['cli', 'organization.create', created.id],
        ['cli', 'organization.change', created.id],
        ['cli', 'organization.change', created.id],
        ['cli', 'organization.change', created.id],
        ['cli', 'organization.change', created.id],
      ]);
    });

    it('deletes an organization with everything that is its own only with --yes, and says before what that is', async () => {
      const organization = { name: 'Two', plan: 'free', limits: {} };
      await documents.organizations.insert({ id: 'org_two', organizationId: 'org_two', ...organization });
      const website = { name: 'Shop', domain: 'shop.example.com', isPublic: false, settings: {} };
      await documents.websites.insert({ id: 'web_one', organizationId: 'org_one', ...website });
      for (const [name, ...organizations] of [
        ['ada', 'org_one'] as const,
        ['bob', 'org_one', 'org_two'] as const,
      ]) {
        const user = { id: `usr_${name}`, organizationId: `usr_${name}` };
        await documents.users.insert({
          ...user,
          email: `${name}@example.com`,
          home: '*',
          passwordHash: 'hash',
        });
        for (const organizationId of organizations) {
          const membership = { id: `mem_${name}_${organizationId}`, organizationId, userId: user.id };
          await documents.memberships.insert({ ...membership, role: 'owner' });
        }
      }

      const before = [
        await storedDocuments(documents, 'org_one'),
        await storedDocuments(documents, 'org_two'),
      ];
      const refused = await run('organizations', 'delete', 'org_one');
      expect([refused.code, refused.out]).to.deep.equal([1, '']);
      expect(refused.error).to.match(
        /^org_one \(One\) would be deleted with 1 website, 1 API key, 2 members \(1 in no other organization\), .* add --yes to delete\./,
      );
      expect([
        await storedDocuments(documents, 'org_one'),
        await storedDocuments(documents, 'org_two'),
      ]).to.deep.equal(before);

      expect(await json('organizations', 'delete', 'org_one', '--yes')).to.include({
        ...{ id: 'org_one', websites: 1, apiKeys: 1, members: 2, users: 1 },
      });
      expect(await documents.organizations.get('org_one', 'org_one')).to.equal(null);
      // Over a server the clean-up stays for its second time; every other document goes.
      const gone = async () => {
        const { cleanups: _, ...left } = await storedDocuments(documents, 'org_one');
        return JSON.stringify(Object.values(left).flat(2)) === '[]';
      };
      await until('everything of the organization is gone', gone);
      if (way === 'the store') expect(await documents.allCleanups()).to.deep.equal([]);
      expect(await documents.users.get('usr_ada', 'usr_ada')).to.equal(null);
      expect(await documents.users.get('usr_bob', 'usr_bob')).to.include({
        email: 'bob@example.com',
      });
      const [, two] = before;
      expect(await storedDocuments(documents, 'org_two')).to.deep.equal(two);
      const again = await run('organizations', 'delete', 'org_one', '--yes');
      expect([again.code, again.error]).to.deep.equal([
        1,
        'organization: There is no organization "org_one". Did you mean "org_two"?\n',
      ]);
    });

    it('refuses an unknown plan, organization and limit, and a change of nothing', async () => {
      const plan = await run('organizations', 'create', '--name', 'Two', '--plan', 'proo');
      expect(plan.code).to.equal(1);
      expect(plan.error).to.match(/^plan: Unknown plan "proo"\. Allowed: .*Did you mean "pro"\?\n$/);
      const unknown = await run('organizations', 'update', 'org_onee', '--plan', 'pro');
      expect([unknown.code, unknown.error]).to.deep.equal([
        1,
        'organization: There is no organization "org_onee". Did you mean "org_one"?\n',
      ]);
      for (const wrong of [
        ['--limit', 'perHour=7'],
        ['--retention-days', '0'],
        ['--retention-days', '36501'],
        ['--limit', 'perMinute'],
        [],
      ]) {
        expect((await run('organizations', 'update', 'org_one', ...wrong)).code).to.equal(2);
      }
      expect(await documents.allOrganizations()).to.have.length(1);
    });

    it('makes a user with a password that is shown once and stored as argon2id text', async () => {
      const args = ['users', 'create', '--organization', 'org_one', '--email', 'Ada@Example.com'];
      const created = await json(...args, '--role', 'owner');
      const user = await documents.users.findUnique('emailHome', ['ada@example.com', '*']);
      expect(await verifyPassword(user?.passwordHash ?? '', created.password)).to.equal(true);
      const membership = await documents.memberships.get('org_one', created.membershipId);
      expect(membership).to.include({ userId: user?.id, role: 'owner' });
      const again = await run(...args, '--role', 'viewer');
      expect([again.code, again.error]).to.deep.equal([
        1,
        'ada@example.com is a member of org_one already.\n',
      ]);
      expect((await run(...args, '--role', 'boss')).code).to.equal(2);
      expect((await run(...args.slice(0, -1), 'ada', '--role', 'viewer')).code).to.equal(1);
      expect(await audited()).to.deep.equal([['cli', 'member.create', created.membershipId]]);
    });

    it('lets a user that exists into another organization only with --existing, and shows where else it belongs', async () => {
      const organization = { name: 'Two', plan: 'free', limits: {} };
      await documents.organizations.insert({ id: 'org_two', organizationId: 'org_two', ...organization });
      const args = ['users', 'create', '--email', 'ada@example.com', '--role', 'admin', '--organization'];
      const absent = await run(...args, 'org_one', '--existing');
      expect([absent.code, absent.error]).to.deep.equal([1, 'There is no user "ada@example.com".\n']);
      const { userId } = await json(...args, 'org_one');
      const refused = await run(...args, 'org_two');
      expect([refused.code, refused.error]).to.deep.equal([
        1,
        'ada@example.com exists already (admin of org_one), with a password of its own. If this is whom you mean, ask with --existing.\n',
      ]);
      expect(await documents.memberships.all('org_two')).to.deep.equal([]);
      const joined = await run(...args, 'org_two', '--existing');
      expect([joined.code, joined.out]).to.deep.equal([
        0,
        'ada@example.com is admin of org_two. The password stays the same. Other organizations of the user: admin of org_one.\n',
      ]);
      expect(
        (await documents.memberships.all('org_two')).map((membership) => membership.userId),
      ).to.deep.equal([userId]);
    });

    it('resets a password to one that is shown once, and says so in the audit of each organization', async () => {
      const args = ['--organization', 'org_one', '--email', 'ada@example.com', '--role', 'owner'];
      const { userId, password: first } = await json('users', 'create', ...args);
      const { code, out } = await run('users', 'reset-password', 'ADA@example.com');
      const password = out.split('\n')[0] ?? '';
      expect(code).to.equal(0);
      const hash = (await documents.users.get(userId, userId))?.passwordHash ?? '';
      expect(await verifyPassword(hash, password)).to.equal(true);
      expect(await verifyPassword(hash, first)).to.equal(false);
      expect((await audited())[1]).to.deep.equal(['cli', 'user.reset-password', userId]);
      const nobody = await run('users', 'reset-password', 'nobody@example.com');
      expect([nobody.code, nobody.error]).to.deep.equal([1, 'There is no user "nobody@example.com".\n']);
    });
  });
}
