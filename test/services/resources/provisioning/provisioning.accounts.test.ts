/** Holds what PROVISION_FILE may do with accounts that exist: let nobody in whose password it cannot vouch for. */
import { expect } from 'chai';
import { ProvisioningError } from '../../../../services/resources/provisioning/provisioning-fault.ts';
import { hashPassword } from '../../../../services/shared/credentials/password.ts';
import { createProvisionedStore, fileText } from '../../../support/provisioned-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

type Store = ReturnType<typeof createProvisionedStore>;

describe('provisioning of accounts that exist', () => {
  const clock = createTestClock();
  let documents: Store['documents'];
  let apply: Store['apply'];
  let storedUser: Store['storedUser'];

  beforeEach(() => {
    ({ documents, apply, storedUser } = createProvisionedStore(clock));
  });

  const squat = async (password: string) => {
    const passwordHash = await hashPassword(password);
    const user = {
      id: 'usr_ada',
      organizationId: 'usr_ada',
      email: 'ada@example.com',
      home: '*',
      passwordHash,
    };
    return documents.users.insert(user);
  };
  const SECOND =
    '  - {id: org_two, name: Two, plan: free, users: [{email: ada@example.com, password: battery-staple, role: viewer}]}';
  const faultOf = (line: number, path: string, organizationId: string) =>
    `p.yml:${line}: ${path}: came another one than ada@example.com has, a user that exists and is no member of ${organizationId}; allowed: the one it has, or make it a member before with "tidegate users create --existing"`;

  async function refusalOf(text: string): Promise<string> {
    const outcome = await apply(text).catch((error: unknown) => error);
    if (outcome instanceof ProvisioningError) return outcome.message;
    throw new Error(`no faults but ${JSON.stringify(outcome)}`);
  }

  it('refuses a new membership for an account behind another password, at its line, and writes nothing', async () => {
    await squat('chosen-by-a-stranger');
    const before = documents.text();
    expect(await refusalOf(fileText())).to.equal(faultOf(8, 'organizations[0].users[0].password', 'org_one'));
    const passwordHash = await hashPassword('chosen-by-a-stranger');
    expect(await refusalOf(fileText({ password: `passwordHash: "${passwordHash}"` }))).to.equal(
      faultOf(8, 'organizations[0].users[0].passwordHash', 'org_one'),
    );
    expect(documents.text()).to.equal(before);
  });

  it('makes an operator, and none any more, only where the file says so', async () => {
    await apply(fileText());
    expect((await storedUser()).isOperator).to.equal(undefined);
    await apply(fileText({ user: 'role: owner, operator: true' }));
    expect((await storedUser()).isOperator).to.equal(true);
    await apply(fileText({ user: 'role: admin' }));
    expect((await storedUser()).isOperator).to.equal(true);
    await apply(fileText({ user: 'role: admin, operator: false' }));
    expect((await storedUser()).isOperator).to.equal(false);
    expect(await refusalOf(fileText({ user: 'role: admin, operator: maybe' }))).to.include('operator');
  });

  it('makes a member of an account whose password the file names, as text or as the stored hash', async () => {
    const { id, passwordHash } = await squat('correct-horse');
    await apply(fileText());
    expect(await documents.memberships.findUnique('organizationUser', ['org_one', id])).to.include({
      role: 'owner',
    });
    ({ documents, apply } = createProvisionedStore(clock));
    await documents.users.insert({
      id,
      organizationId: id,
      email: 'ada@example.com',
      home: '*',
      passwordHash,
    });
    await apply(fileText({ password: `passwordHash: "${passwordHash}"` }));
    expect(await documents.memberships.all('org_one')).to.have.length(1);
  });

  it('gives an account whose password the file set a further organization, with a new password at once too', async () => {
    await apply(fileText());
    await apply(fileText({ password: 'password: battery-staple', extra: SECOND }));
    expect(await documents.membershipsOf((await storedUser()).id)).to.have.length(2);
  });

  it('refuses a further organization once somebody changed the password that the file set', async () => {
    await apply(fileText({ password: 'password: battery-staple' }));
    const user = await storedUser();
    const passwordHash = await hashPassword('chosen-since');
    await documents.users.update(user.id, user.id, user.version, { passwordHash });
    expect(await refusalOf(fileText({ password: 'password: battery-staple', extra: SECOND }))).to.equal(
      faultOf(13, 'organizations[1].users[0].password', 'org_two'),
    );
  });

  it('changes the role of who is a member already, whatever its password', async () => {
    const { id } = await squat('chosen-by-ada');
    const membership = { id: 'mem_ada', organizationId: 'org_one', userId: id, role: 'owner' } as const;
    await documents.memberships.insert(membership);
    await apply(fileText({ user: 'role: viewer' }));
    expect(await documents.memberships.get('org_one', 'mem_ada')).to.include({ role: 'viewer' });
  });

  it('takes no account that an invitation of another organization made, and proves one whose password it names', async () => {
    const passwordHash = await hashPassword('correct-horse');
    const invited = { id: 'usr_eve', organizationId: 'usr_eve', email: 'ada@example.com', passwordHash };
    await documents.users.insert({ ...invited, home: 'org_other' });
    await apply(fileText());
    const proven = await storedUser();
    expect(proven.id).to.not.equal('usr_eve');
    expect(await documents.memberships.findUnique('organizationUser', ['org_one', proven.id])).to.include({
      role: 'owner',
    });
    expect(await documents.users.get('usr_eve', 'usr_eve')).to.include({ home: 'org_other', passwordHash });

    for (const [password, home] of [
      ['chosen-by-eve', 'org_one'],
      ['correct-horse', '*'],
    ] as const) {
      ({ documents, apply, storedUser } = createProvisionedStore(clock));
      await documents.users.insert({
        ...invited,
        home: 'org_one',
        passwordHash: await hashPassword(password),
      });
      const membership = {
        id: 'mem_eve',
        organizationId: 'org_one',
        userId: 'usr_eve',
        role: 'member',
      } as const;
      await documents.memberships.insert(membership);
      await apply(fileText());
      expect((await documents.usersOf('ada@example.com')).map((user) => user.home)).to.deep.equal([home]);
      expect(await documents.memberships.get('org_one', 'mem_eve')).to.include({ role: 'owner' });
      expect((await apply(fileText())).applied).to.deep.equal([]);
    }
  });

  it('lets in no account that was made while the file was being applied', async () => {
    const { insert } = documents.organizations;
    documents.organizations.insert = async (organization) => {
      await squat('chosen-by-a-stranger');
      return insert(organization);
    };
    const outcome = await apply(fileText()).catch((error: unknown) => error);
    expect(outcome).to.include({ message: 'the user ada@example.com is being changed by somebody else.' });
    expect(await documents.memberships.all('org_one')).to.deep.equal([]);
  });
});
