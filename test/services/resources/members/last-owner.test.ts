/** Holds the rule of the last owner over several processes: two services over one file, each with its own connection. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import { type MemberPorts, removeMember } from '../../../../services/resources/members/members.ts';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { rejection } from '../../../support/rejection.ts';
import {
  type ServiceAnswer,
  sessionOf,
  startResourcesServiceOver,
} from '../../../support/start-resources-service.ts';
import { createTempDirectory, type TempDirectory } from '../../../support/temp-directory.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';
import { makeYielding } from '../../../support/yielding-store.ts';

const OWNER = sessionOf('owner', { userId: 'usr_0' });
const ACTOR = { organizationId: 'org_one', userId: 'usr_0', role: 'owner' } as const;
const OWNERS = 10;

type Service = Awaited<ReturnType<typeof startResourcesServiceOver<SqliteDocumentStore>>>;

describe('the last owner of an organization', () => {
  let directory: TempDirectory;
  let clock: TestClock;
  let store: SqliteDocumentStore;
  let services: [Service, Service];

  beforeEach(async () => {
    directory = createTempDirectory();
    clock = createTestClock();
    const path = directory.file('documents.sqlite');
    store = createSqliteDocumentStore({ path, clock });
    const organization = { name: 'One', plan: 'free', limits: {} };
    await store.organizations.insert({ id: 'org_one', organizationId: 'org_one', ...organization });
    const startService = async (seed: number) => {
      const own = createSqliteDocumentStore({ path, clock });
      // The steps of two services fall between each other's, as those of two processes do.
      makeYielding(own, seed);
      return startResourcesServiceOver(own, clock);
    };
    services = [await startService(1), await startService(2)];
    for (let number = 0; number < OWNERS; number++) {
      const user = { id: `usr_${number}`, organizationId: `usr_${number}`, email: `${number}@example.com` };
      await store.users.insert({ ...user, home: '*', passwordHash: 'x' });
      await addOwner(number);
    }
  });
  afterEach(async () => {
    for (const service of services) {
      await service.close();
      await service.documents.close();
    }
    await store.close();
    directory.remove();
  });

  const addOwner = (number: number) =>
    store.memberships.insert({
      ...{ id: `mem_${number}`, organizationId: 'org_one', userId: `usr_${number}`, role: 'owner' },
    });
  const owners = async () => (await store.memberships.all('org_one')).filter(({ role }) => role === 'owner');
  const remove = (service: Service, number: number) =>
    service.ask(OWNER, 'DELETE', `/v1/members/mem_${number}`);
  const demote = (service: Service, number: number) =>
    service.ask(OWNER, 'PATCH', `/v1/members/mem_${number}`, { body: { role: 'member' } });
  const portsOver = (documents: MemberPorts['documents']): MemberPorts => ({
    documents,
    clock,
    ids: createIds(),
    randomBytes,
  });

  it('stays through 20 demotions and removals at the same moment by two services over one file', async () => {
    for (let round = 0; round < 10; round++) {
      const asked: Promise<ServiceAnswer>[] = [];
      for (let number = 0; number < OWNERS; number++) {
        // From both ends, so that they meet where two owners are left.
        asked.push(demote(services[0], number), remove(services[1], OWNERS - 1 - number));
      }
      const answers = await Promise.all(asked);
      expect(await owners(), `round ${round}`).to.have.length(1);
      const statuses = new Set(answers.map(({ status }) => status));
      expect([...statuses].filter((status) => ![200, 204, 404, 409].includes(status))).to.deep.equal([]);
      expect((await store.organizations.get('org_one', 'org_one'))?.departingMembers).to.deep.equal([]);
      for (const { id } of await store.memberships.all('org_one'))
        await store.memberships.remove('org_one', id);
      for (let number = 0; number < OWNERS; number++) await addOwner(number);
    }
  });

  it('stays when two remove each other, however their steps fall', async () => {
    for (let number = 2; number < OWNERS; number++)
      await store.memberships.remove('org_one', `mem_${number}`);
    for (let round = 0; round < 25; round++) {
      const answers = await Promise.all([remove(services[0], 0), remove(services[1], 1)]);
      expect(answers.map(({ status }) => status).sort()).to.deep.equal([204, 409]);
      const [left] = await owners();
      await addOwner(left?.id === 'mem_0' ? 1 : 0);
    }
  });

  it('stays when a member becomes an owner while it is being removed', async () => {
    await store.memberships.update('org_one', 'mem_1', 1, { role: 'member' });
    for (let number = 2; number < OWNERS; number++)
      await store.memberships.remove('org_one', `mem_${number}`);
    const { remove: take } = store.memberships;
    store.memberships.remove = async (organizationId, id) => {
      const promotion = { body: { role: 'owner' } };
      const promoted = await services[0].ask(OWNER, 'PATCH', '/v1/members/mem_1', promotion);
      expect(promoted.status).to.equal(200);
      expect((await demote(services[1], 0)).status).to.equal(409);
      return take.call(store.memberships, organizationId, id);
    };
    await removeMember(portsOver(store), ACTOR, { id: 'mem_1', ifMatch: undefined });
    expect((await owners()).map(({ id }) => id)).to.deep.equal(['mem_0']);
  });

  it('is not held up for good by a process that died on its way', async () => {
    for (let number = 2; number < OWNERS; number++)
      await store.memberships.remove('org_one', `mem_${number}`);
    const at = new Date(clock.now()).toISOString();
    const departingMembers = [{ id: 'left behind', membershipId: 'mem_1', at }];
    await store.organizations.update('org_one', 'org_one', 1, { departingMembers });
    const removeFirst = () => removeMember(portsOver(store), ACTOR, { id: 'mem_0', ifMatch: undefined });
    expect(await rejection(removeFirst()))
      .to.be.instanceOf(ApiError)
      .with.property('kind', 'CONFLICT');
    clock.advance(120_000);
    await removeFirst();
    expect((await owners()).map(({ id }) => id)).to.deep.equal(['mem_1']);
  });
});
