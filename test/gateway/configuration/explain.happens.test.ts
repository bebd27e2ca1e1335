/** What `explain` says of a request is what happens to it: every route of the shipped configuration and of a backend behind further policies, asked by every kind of caller. */
import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import type { Configuration } from '../../../gateway/configuration/configuration.ts';
import { type Explanation, explainRequest, listRoutes } from '../../../gateway/configuration/explain.ts';
import { loadConfiguration } from '../../../gateway/configuration/load-configuration.ts';
import {
  configurationVariables,
  UNSTARTED_SERVICE_URLS,
} from '../../../gateway/process/reload/configuration-variables.ts';
import { createApiKey } from '../../../services/resources/api-keys/create-api-key.ts';
import { ROLE_SCOPES } from '../../../services/shared/access/role-scopes.ts';
import { SHIPPED_CATALOGUE } from '../../../services/shared/access/scope-catalogue.ts';
import { SCOPES } from '../../../services/shared/access/scopes.ts';
import { ROLES, type Role } from '../../../services/shared/model/user.ts';
import { createIds } from '../../../services/shared/ports/ids.ts';
import { withForeignBackends } from '../../support/foreign-backends.ts';
import { startUpstream } from '../../support/start-gateway.ts';
import {
  type SessionCall,
  type SessionGateway,
  startSessionGateway,
} from '../../support/start-session-gateway.ts';
import { type Answer, newKeyText } from '../../support/start-tidegate.ts';
import type { TempDirectory } from '../../support/temp-directory.ts';

/** Who asks: with what, and what that is worth. `scopes` null: it is worth nothing, and refused where it is read. */
interface Asker {
  readonly name: string;
  readonly kind: 'nobody' | 'key' | 'session';
  readonly call: SessionCall;
  readonly scopes: readonly string[] | null;
  readonly role?: Role;
}

const VARIABLES = configurationVariables(UNSTARTED_SERVICE_URLS);
const REFUSED = [401, 403];

/** Whether the rule, in the words of `explain`, admits the asker. */
function admits(rule: string, { kind, scopes, role }: Asker): boolean {
  if (rule.startsWith('public')) return true;
  if (scopes === null) return kind === 'session' && rule.endsWith('or keyless');
  if (rule.startsWith('optional')) return true;
  if (rule.startsWith('any valid')) return kind !== 'nobody' || rule.endsWith('or keyless');
  const [, roles] = /^session of (.+)$/.exec(rule) ?? [];
  if (roles !== undefined) return kind === 'session' && roles.split(' or ').includes(role ?? '');
  const [, keyed] = /^(.+), or keyless$/.exec(rule) ?? [];
  // No cookie is read: a session is nobody.
  if (keyed !== undefined && kind !== 'key') return true;
  if (kind === 'nobody') return false;
  const ways = (keyed ?? rule).split(', or ').map((way) => way.replace(/ under .*$/, '').split(' + '));
  return ways.some((way) => way.every((scope) => scopes.includes(scope)));
}

const JSON_WHOLE = 'maxBytes: 1024, contentTypes: [application/json], read: whole';
const FURTHER = [
  '- request-schema: [{ action: { schema: { type: object, properties: { text: { type: string } } }, required: false } }]',
  '- canary: [{ action: { rules: [{ to: beta, header: { name: x-canary, values: ["always"] } }] } }]',
  '- cache: [{ action: { seconds: 3600 } }]',
];

/** Says its name, and how often it was asked. */
function startBackend(name: string): ReturnType<typeof startUpstream> {
  let asked = 0;
  return startUpstream((_req, res) => res.end(JSON.stringify({ name, asked: ++asked })));
}

describe('what explain says of a request', () => {
  let gateway: SessionGateway;
  let configuration: Configuration;
  let folder: TempDirectory;
  let backends: Awaited<ReturnType<typeof startUpstream>>[];
  let askers: Asker[];

  before(async () => {
    backends = await Promise.all(['news', 'beta'].map(startBackend));
    const service = backends.map(({ origin }) => [`url: ${origin}`]);
    const endpoint = ['scopes: [read:data]', 'methods: [GET, POST]'];
    folder = withForeignBackends(
      {
        news: { service: service[0] ?? [], endpoint, steps: FURTHER, body: JSON_WHOLE },
        beta: { service: service[1] ?? [], endpoint },
      },
      ['request-schema', 'canary', 'cache'],
    );
    configuration = await loadConfiguration(folder.path, VARIABLES);
    gateway = await startSessionGateway(undefined, undefined, folder.path);
    const { documents, clock } = gateway;
    const ports = { documents, ids: createIds(), clock, randomBytes, scopes: () => SHIPPED_CATALOGUE };
    const owner = { organizationId: 'org_a', createdBy: 'test', prefix: 'tg' };
    const keyOf = async (scopes: readonly string[]): Promise<SessionCall> => {
      const asked = { name: 'one', scopes: [...scopes], access: { level: 'global' as const } };
      return { key: (await createApiKey(ports, owner, asked)).secret };
    };
    askers = [
      { name: 'nobody', kind: 'nobody', call: {}, scopes: [] },
      { name: 'a wrong key', kind: 'key', call: { key: newKeyText() }, scopes: null },
      { name: 'a key with all', kind: 'key', call: await keyOf(SCOPES), scopes: SCOPES },
    ];
    for (const scope of SCOPES)
      askers.push({ name: `a key with ${scope}`, kind: 'key', call: await keyOf([scope]), scopes: [scope] });
    for (const role of ROLES) {
      const call = { cookies: await gateway.login(`${role}@example.com`) };
      askers.push({ name: `a session of ${role}`, kind: 'session', call, scopes: ROLE_SCOPES[role], role });
    }
  });
  after(async () => {
    await gateway.close();
    for (const backend of backends) await backend.close();
    folder.remove();
  });

  /** What happened, in the terms of an explanation. */
  function outcomeOf({ status }: Answer): string {
    if (status === 200) return 'answered';
    return REFUSED.includes(status) ? 'refused' : String(status);
  }

  function expected({ verdict, rule }: Explanation, asker: Asker): string {
    const passes = admits(rule, asker);
    if (!passes) return 'refused';
    return /^(404|405)/.exec(verdict)?.[1] ?? 'answered';
  }

  it('happens to every caller of every route that a service answers', async function () {
    this.timeout(240_000);
    const rows = listRoutes(configuration).filter(({ service, path }) => service !== null && path !== '/*');
    expect(rows.length).to.be.greaterThan(60);
    const wrong: string[] = [];
    for (const { method, path } of rows) {
      const target = path.replace(/:\w+/g, 'some_id');
      for (const asker of askers) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const answer = await gateway.call(method, target, { ...asker.call, body });
        const said = explainRequest(configuration, method, target);
        const came = outcomeOf(answer);
        const meant = expected(said, asker);
        if (came !== meant)
          wrong.push(`${method} ${target} by ${asker.name}: ${said.rule}: ${meant}, came ${answer.status}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });

  it('happens behind request-schema, canary and cache', async () => {
    const said = explainRequest(configuration, 'POST', '/news');
    const does = Object.fromEntries(said.policies.map((one) => [one.policy, one.does ?? '']));
    expect(Object.keys(does)).to.deep.equal([
      ...['auth', 'body', 'scopes', 'rate-limit', 'request-schema', 'canary', 'cache', 'proxy'],
    ]);
    expect(does['request-schema']).to.equal('checks bodies of JSON by its schema; refuses other bodies');
    expect(does.canary).to.match(/^sends .*x-canary.* to beta; others to the backend of proxy$/);
    expect(does.cache).to.match(/^keeps answers to GET for 3600 s /);
    expect(said.service?.name).to.equal('news');
    let passed = 0;
    for (const asker of askers) {
      const ask = (method: string, further: SessionCall = {}) =>
        gateway.call(method, '/news', { ...asker.call, ...further });
      const canary: SessionCall = { headers: [['x-canary', 'always']] };
      const wrong = await ask('POST', { body: { text: 1 } });
      const right = await ask('POST', { body: { text: 'a' } });
      // What was asked in the same instant as the write would count as old.
      gateway.clock.advance(1);
      const [first, again] = [await ask('GET'), await ask('GET')];
      const [other, otherAgain] = [await ask('GET', canary), await ask('GET', canary)];
      const all = [wrong, right, first, again, other, otherAgain];
      if (!admits(said.rule, asker)) {
        for (const { status } of all) expect(REFUSED, asker.name).to.include(status);
        continue;
      }
      passed++;
      const statuses = all.map(({ status }) => status);
      expect(statuses, asker.name).to.deep.equal([400, 200, 200, 200, 200, 200]);
      expect([first.body.name, other.body.name], asker.name).to.deep.equal(['news', 'beta']);
      expect([again.body, otherAgain.body], asker.name).to.deep.equal([first.body, other.body]);
    }
    expect(passed).to.be.within(1, askers.length - 1);
  });

  it('happens at a wrong method and at unknown paths', async () => {
    const wrong: string[] = [];
    const targets = [
      ['PUT', '/v1/websites'],
      ['DELETE', '/v1/query'],
      ['POST', '/v1/members/some_id/unknown'],
      ['GET', '/v1/unknown'],
      ['GET', '/v1/websites/a%2Fb'],
    ] as const;
    for (const [method, target] of targets) {
      const said = explainRequest(configuration, method, target);
      expect(said.verdict).to.match(/^40[45]/);
      for (const asker of askers) {
        const { status } = await gateway.call(method, target, asker.call);
        const meant = expected(said, asker);
        const came = outcomeOf({ status } as Answer);
        if (came !== meant)
          wrong.push(`${method} ${target} by ${asker.name}: ${said.rule}: ${meant}, came ${status}`);
      }
    }
    expect(wrong).to.deep.equal([]);
  });
});
