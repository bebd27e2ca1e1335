/** What `tidegate users` does where an email has accounts that invitations made. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { PACKAGE_ROOT } from '../../../config/settings.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { type CliOutcome, runCli } from '../../support/run-cli.ts';

describe('tidegate users, of an email with several accounts', () => {
  let dataDir: string;
  let documents: SqliteDocumentStore;

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'tidegate-cli-'));
    documents = createSqliteDocumentStore({ path: dataPathsOf(dataDir).documents, clock: systemClock });
    const organization = { name: 'One', plan: 'free', limits: {} };
    await documents.organizations.insert({ id: 'org_one', organizationId: 'org_one', ...organization });
  });
  afterEach(async () => {
    await documents.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const run = (...args: string[]): Promise<CliOutcome> =>
    runCli(args, { DATA_DIR: dataDir, CONFIG_DIR: join(PACKAGE_ROOT, 'config') });
  async function json(...args: string[]) {
    const { code, out, error } = await run(...args, '--json');
    expect([code, error]).to.deep.equal([0, '']);
    return JSON.parse(out).data;
  }

  it('makes an operator and takes it back, with a record in each organization of the person', async () => {
    const made = [
      'users',
      'create',
      '--email',
      'ada@example.com',
      '--role',
      'viewer',
      '--organization',
      'org_one',
    ];
    const { userId } = await json(...made);
    expect(await json('users', 'operator', 'ada@example.com', '--grant')).to.include({
      userId,
      isOperator: true,
    });
    const said = await run('users', 'operator', userId, '--revoke');
    expect([said.code, said.out]).to.deep.equal([
      0,
      'ada@example.com is no operator any more, within 5 seconds.\n',
    ]);
    expect((await documents.users.get(userId, userId))?.isOperator).to.equal(false);
    const records = (await documents.auditRecords.all('org_one')).map(({ action }) => action);
    expect(records).to.include.members(['user.grant-operator', 'user.revoke-operator']);
    for (const wish of [[], ['--grant', '--revoke']])
      expect((await run('users', 'operator', userId, ...wish)).code).to.not.equal(0);
  });

  it('takes an account that an invitation made for nobody else, until --existing or a new password proves it', async () => {
    const organization = { name: 'Two', plan: 'free', limits: {} };
    await documents.organizations.insert({ id: 'org_two', organizationId: 'org_two', ...organization });
    const account = { email: 'eve@example.com', passwordHash: 'hash' };
    const invited = (id: string, home: string) =>
      documents.users.insert({ id, organizationId: id, home, ...account });
    const homes = async () => (await documents.usersOf('eve@example.com')).map(({ home }) => home);
    await invited('usr_two', 'org_two');
    const args = ['users', 'create', '--email', 'eve@example.com', '--role', 'viewer', '--organization'];
    const created = await json(...args, 'org_one');
    expect(created.userId).to.not.equal('usr_two');
    expect(created.password).to.be.a('string');
    expect(await homes()).to.have.members(['org_two', '*']);

    await documents.users.remove(created.userId, created.userId);
    await documents.memberships.remove('org_one', created.membershipId);
    expect(await json(...args, 'org_one', '--existing')).to.include({ userId: 'usr_two', password: null });
    expect(await homes()).to.deep.equal(['*']);

    await documents.users.remove('usr_two', 'usr_two');
    await invited('usr_one', 'org_one');
    expect((await json('users', 'reset-password', 'eve@example.com')).userId).to.equal('usr_one');
    expect(await homes()).to.deep.equal(['*']);

    await documents.users.remove('usr_one', 'usr_one');
    await invited('usr_one', 'org_one');
    await invited('usr_two', 'org_two');
    const unclear = await run('users', 'reset-password', 'eve@example.com');
    expect([unclear.code, unclear.error]).to.deep.equal([
      1,
      'eve@example.com has 2 accounts that invitations made, and none is proven: usr_one (no organization), usr_two (org_one). Reset the password of the one that is meant by its id, or make one that counts everywhere by users create without --existing.\n',
    ]);
    expect((await json('users', 'reset-password', 'usr_two')).userId).to.equal('usr_two');
    expect((await run('users', 'operator', 'usr_two', '--grant')).code).to.equal(1);
    expect(await homes()).to.have.members(['org_one', 'org_two']);
  });
});
