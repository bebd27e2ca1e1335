/** The public client's flags, unmodified, as a user of the whole server: its verdicts are those of a table worked out here. */
import { createServerFlagsManager } from '@databuddy/sdk/node';
import { expect } from 'chai';
import { withStored } from '../support/open-stored.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';

const USERS = 1_000;
/** Requests that are under way at a time. */
const AT_ONCE = 25;

interface Person {
  readonly userId: string;
  readonly email: string;
  readonly organizationId: string;
  readonly teamId?: string;
  readonly properties: { readonly plan: string; readonly seats: number };
}

/** People of all kinds, among them names beyond ASCII. */
const PEOPLE: readonly Person[] = Array.from({ length: USERS }, (_, i) => ({
  userId: i % 10 === 0 ? `ünïcödé-😀-${i}` : `user-${i}`,
  email: `user${i}@${i % 3 === 0 ? 'example.com' : 'other.test'}`,
  organizationId: `acme-${i % 40}`,
  ...(i % 2 === 0 ? { teamId: `team-${i % 7}` } : {}),
  properties: { plan: ['free', 'pro', 'scale'][i % 3] ?? '', seats: i % 5 },
}));

const RULES = [
  { type: 'user_id', operator: 'in', values: ['user-1', 'user-2', 'ünïcödé-😀-10'], enabled: false },
  { type: 'email', operator: 'ends_with', value: '@example.com', enabled: true },
  { type: 'property', operator: 'equals', field: 'seats', value: 4, enabled: false },
  { type: 'property', operator: 'equals', value: 20, enabled: true },
];
const VARIANTS = [
  { key: 'red', value: '#f00', type: 'string', weight: 20 },
  { key: 'two', value: 2, type: 'number', weight: 30.5 },
  { key: 'rest', value: { a: [1] }, type: 'json', weight: 49.5 },
];

/** The hash of the contract by its words: 32-bit arithmetic as shifts and subtractions. */
function hashMod(text: string, count: number): number {
  let h = 0;
  for (const unit of text.split('')) {
    h = (h << 5) - h + unit.charCodeAt(0);
    h = h & 0xffffffff;
  }
  return Math.abs(h) % count;
}

/** What each flag must be for a person: the table. */
function table(person: Person): Record<string, object> {
  const { userId, email, organizationId, teamId, properties } = person;
  const verdict = (on: boolean, reason: string, payload: unknown = null) => ({
    ...{ enabled: on, value: on, payload: on ? payload : null, reason },
  });
  const rollout = (key: string, identifier: string, share: number, payload: unknown = null) => {
    const on = hashMod(`${key}:${identifier}`, 100) < share;
    return verdict(on, on ? 'ROLLOUT_ENABLED' : 'ROLLOUT_DISABLED', payload);
  };
  const number = Number(/\d+$/.exec(userId)?.[0]);
  const ruled = () => {
    if (number === 1 || number === 2 || number === 10) return verdict(false, 'USER_RULE_MATCH');
    if (email.endsWith('@example.com')) return verdict(true, 'USER_RULE_MATCH');
    if (properties.seats === 4) return verdict(false, 'USER_RULE_MATCH');
    if (hashMod(`percentage:${userId}`, 100) < 20) return verdict(true, 'USER_RULE_MATCH');
    return verdict(false, 'BOOLEAN_DEFAULT');
  };
  const weighted = () => {
    const bucket = hashMod(`weighted:variant:${userId}`, 100);
    const { key, value } = VARIANTS[bucket < 20 ? 0 : bucket < 50.5 ? 1 : 2] ?? {};
    return { enabled: true, value, payload: null, reason: 'MULTIVARIANT_EVALUATED', variant: key };
  };
  const even = () => {
    const key = ['a', 'b', 'c'][hashMod(`even:variant:${userId}`, 3)];
    return { enabled: true, value: key, payload: 'p', reason: 'MULTIVARIANT_EVALUATED', variant: key };
  };
  const half = rollout('half', userId, 50, { columns: 2 });
  const grouped =
    properties.plan === 'scale' ? verdict(true, 'TARGET_GROUP_MATCH') : verdict(false, 'BOOLEAN_DEFAULT');
  const dependent =
    half.enabled && grouped.enabled
      ? verdict(true, 'BOOLEAN_DEFAULT')
      : verdict(false, 'DEPENDENCY_NOT_SATISFIED');
  return {
    half,
    'by-team': rollout('by-team', teamId ?? userId, 35),
    'by-organization': rollout('by-organization', organizationId, 60),
    ...{ ruled: ruled(), weighted: weighted(), even: even(), grouped, dependent },
    shadowed: verdict(true, 'BOOLEAN_DEFAULT'),
  };
}

describe('@databuddy/sdk 2.6.0, the flags client', () => {
  let server: TestServer;

  before(async () => {
    server = await startTidegate();
    await raisePublicLimit(server.dataDir);
    const key = server.keys.all;
    const post = async (path: string, body: object): Promise<string> => {
      const answer = await server.call('POST', path, { key, body });
      expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
      return answer.body.data.id;
    };
    const flag = (name: string, body: object, websiteId: string | null = 'web_shop') =>
      post('/v1/flags', { key: name, websiteId, ...body });
    const scale = { type: 'property', operator: 'equals', field: 'plan', value: 'scale', enabled: true };
    const groupId = await post('/v1/target-groups', { name: 'Large', rules: [scale] });
    await flag('half', { type: 'rollout', rolloutPercentage: 50, payload: { columns: 2 } });
    await flag('by-team', { type: 'rollout', rolloutPercentage: 35, rolloutBy: 'team' });
    await flag(
      'by-organization',
      { type: 'rollout', rolloutPercentage: 60, rolloutBy: 'organization' },
      null,
    );
    await flag('ruled', { rules: RULES });
    await flag('weighted', { type: 'multivariant', variants: VARIANTS });
    const even = ['a', 'b', 'c'].map((each) => ({ key: each, value: each, type: 'string' }));
    await flag('even', { type: 'multivariant', variants: even, payload: 'p' });
    await flag('grouped', { targetGroupIds: [groupId] }, null);
    await flag('dependent', { defaultValue: true, dependencies: ['half', 'grouped'] });
    await flag('shadowed', { defaultValue: false }, null);
    await flag('shadowed', { defaultValue: true });
    await flag('off', { defaultValue: true, status: 'inactive' });
    await flag('staged', { defaultValue: true, environment: 'staging' });
  });
  after(() => server.close());

  function clientOf(person: Person | undefined, environment?: string) {
    return createServerFlagsManager({
      clientId: 'web_shop',
      apiUrl: server.origin,
      autoFetch: false,
      ...(person === undefined ? {} : { user: person }),
      ...(environment === undefined ? {} : { environment }),
    });
  }

  it(`gives ${USERS} users the verdicts of the table`, async () => {
    const seen = new Map<string, Set<string>>();
    for (let from = 0; from < USERS; from += AT_ONCE) {
      await Promise.all(
        PEOPLE.slice(from, from + AT_ONCE).map(async (person) => {
          const client = clientOf(person);
          await client.fetchAllFlags();
          const flags = client.getMemoryFlags();
          client.destroy();
          expect(flags, person.userId).to.deep.equal(table(person));
          for (const [key, { enabled, reason, variant = '' }] of Object.entries(flags)) {
            seen.set(key, (seen.get(key) ?? new Set()).add(`${enabled} ${reason} ${variant}`));
          }
        }),
      );
    }
    // The table is no table if its rows are all the same.
    const kinds = [...seen].map(([key, set]) => [key, set.size]);
    expect(Object.fromEntries(kinds)).to.deep.equal({
      ...{ half: 2, 'by-team': 2, 'by-organization': 2, ruled: 3, weighted: 3, even: 3, grouped: 2 },
      ...{ dependent: 2, shadowed: 1 },
    });
  });

  it('answers single flags, which the client asks for in one call, and unknown ones', async () => {
    const [person] = PEOPLE;
    if (!person) throw new Error('there are people');
    const client = clientOf(person);
    const keys = ['half', 'ruled', 'weighted', 'none', 'off', 'staged'];
    const [half, ruled, weighted, ...absent] = await Promise.all(keys.map((key) => client.getFlag(key)));
    const wanted = table(person);
    expect({ half, ruled, weighted }).to.deep.equal({
      ...{ half: wanted.half, ruled: wanted.ruled, weighted: wanted.weighted },
    });
    expect(absent.map((verdict) => [verdict?.enabled, verdict?.reason])).to.deep.equal(
      Array(3).fill([false, 'NOT_FOUND']),
    );
    expect(client.isEnabled('half')).to.deep.include({ status: 'ready', loading: false });
    client.destroy();
  });

  it('shows the flags of an environment to clients that name it, and no other', async () => {
    const client = clientOf(undefined, 'staging');
    await client.fetchAllFlags();
    expect(client.getMemoryFlags()).to.deep.equal({
      staged: { enabled: true, value: true, payload: null, reason: 'BOOLEAN_DEFAULT' },
    });
    client.destroy();
  });

  it('sees a changed flag at the next call', async () => {
    const list = await server.call('GET', '/v1/flags?search=shadowed&website_id=web_shop', {
      key: server.keys.all,
    });
    const path = `/v1/flags/${list.body.data[0].id}`;
    const read = async () => {
      const client = clientOf(undefined);
      const { value } = await client.getFlag('shadowed');
      client.destroy();
      return value;
    };
    expect(await read()).to.equal(true);
    for (const defaultValue of [false, true, false]) {
      await server.call('PATCH', path, { key: server.keys.all, body: { defaultValue } });
      expect(await read()).to.equal(defaultValue);
    }
  });
});

/** The client calls from this machine's address alone, a thousand times in a minute. */
function raisePublicLimit(dataDir: string): Promise<void> {
  return withStored(dataDir, async (store) => {
    const organization = await store.organizations.get('org_main', 'org_main');
    if (!organization) throw new Error('the provisioned organization is missing');
    const limits = { ...organization.limits, publicPerMinute: 1_000_000 };
    await store.organizations.update('org_main', 'org_main', organization.version, { limits });
  });
}
