/** What operators are told of a request that nobody sends: what it meets, whether a caller is let in, and what counts of its limits now. */
import { expect } from 'chai';
import { expectError, expectSuccess } from '../support/answers.ts';
import { configurationWithOverrides, type OwnSession, ownerSession } from '../support/owner-session.ts';
import { rawRequest } from '../support/raw-request.ts';
import { startTidegate, type TestServer } from '../support/start-tidegate.ts';
import type { TempDirectory } from '../support/temp-directory.ts';

const PER_MINUTE = 60;

interface Told {
  readonly name: string;
  readonly of: string | null;
}

describe('the views of operators', () => {
  let folder: TempDirectory;
  let server: TestServer;
  let session: OwnSession;

  before(async () => {
    folder = configurationWithOverrides(`{ organization: org_main, limit: perMinute, max: ${PER_MINUTE} }`);
    server = await startTidegate({ configDir: folder.path });
    session = await ownerSession(server);
  });
  after(async () => {
    await server.close();
    folder.remove();
  });

  const look = async (view: string) => {
    const answer = await server.call('GET', `/v1/platform/${view}`, session);
    expectSuccess(answer);
    return answer.body.data;
  };

  it('explain a request without texts of policies, which may hold secrets', async () => {
    const shown = await look('explain?method=get&path=/v1/flags');
    expect(shown).to.include({
      method: 'GET',
      endpoint: 'flags',
      verdict: 'answered when its rule and limits allow',
    });
    expect(shown.caller).to.equal(null);
    expect(shown.policies[0]).to.deep.equal({
      ...{ policy: 'auth', settings: {}, conditional: false, does: null },
    });
    expect(shown.policies.at(-1).settings.serviceEndpoint).to.equal('resources');
    expect((await look('explain?method=GET&path=/nowhere/at/all')).verdict).to.include('404');
    for (const query of [
      '',
      '?method=GET',
      '?method=GTE&path=/',
      '?method=GET&path=flags',
      '?method=GET&path=/&path=/x',
      '?method=GET&path=/&x=1',
    ]) {
      const answer = await server.call('GET', `/v1/platform/explain${query}`, session);
      expectError(answer, 400, 'VALIDATION_ERROR');
    }
  });

  it('explain the outcome as data too, as it is for the caller who is asked about', async () => {
    const refused = await look('explain?method=GET&path=/v1/flags&as=viewer');
    expect(refused).to.include({
      ...{ status: 403, verdict: '403: its rule refuses viewer, who lacks manage:flags' },
    });
    expect(refused.admissions).to.deep.equal([{ needs: ['manage:flags'], under: null }]);
    expect(await look('explain?method=GET&path=/v1/flags&as=owner')).to.include({ status: 200 });
    expect((await look('explain?method=GET&path=/v1/flags&as=nobody')).verdict).to.equal(
      '401: its rule refuses nobody',
    );
    const other = await look('explain?method=GET&path=/v1/query');
    expect(other).to.deep.include({ status: 405, allow: ['POST'] });
    expect(other.admissions).to.deep.equal([{ needs: ['credential'], under: null }]);
    expect(await look('explain?method=GET&path=/nowhere/at/all')).to.include({ status: 404 });
    const under = await look('explain?method=POST&path=/v1/query');
    expect(under.admissions).to.deep.include({ needs: ['read:links'], under: 'link_id' });
  });

  it('explain a target with a "#" as the gateway answers it', async () => {
    const target = '/v1/query/types?x=1#y';
    const bytes = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    expect((await rawRequest(server.origin, bytes)).statusLine).to.include(' 400 ');
    const told = await look(`explain?method=GET&path=${encodeURIComponent(target)}&as=owner`);
    expect(told).to.include({ status: 400, verdict: '400: a target has no "#"; write %23', caller: null });
    expect(told).to.deep.include({ policies: [], limits: [], numbers: [] });
  });

  it('explain the limits of an organization without the numbers of others', async () => {
    const of = async (more: string): Promise<{ limits: string[]; numbers: Told[] }> =>
      look(`explain?method=GET&path=/v1/flags${more}`);
    const plansIn = ({ numbers }: { numbers: readonly Told[] }) => [
      ...new Set(numbers.filter(({ name }) => name === 'plan').map(({ of }) => of)),
    ];
    const all = await of('');
    expect(plansIn(all)).to.include.members(['free', 'pro', 'scale', 'org_main']);
    expect(all.numbers[0]).to.deep.equal({
      ...{ callers: 'known', name: 'plan', of: 'free', limit: 50, window: '10 s' },
      ...{ per: 'organization', counts: 'request', enforced: true },
    });
    const own = await of('&organization=org_main');
    expect(plansIn(own)).to.deep.equal(['free', 'org_main']);
    expect(own.limits.filter((line) => line.includes('plan '))).to.have.length(1);
    expect(own.numbers).to.deep.include({
      ...{ callers: 'known', name: 'plan', of: 'org_main', limit: PER_MINUTE, window: '60 s' },
      ...{ per: 'organization', counts: 'request', enforced: true },
    });
    expect(own.numbers.at(-1)).to.include({ callers: 'refused', name: 'public' });
    expect(plansIn(await of('&organization=org_free'))).to.not.include('org_main');
  });

  it('explain for whom: whether the rule lets them in, and what counts of their limits now', async () => {
    const of = async (path: string, as: string, more = '') =>
      (await look(`explain?method=GET&path=${path}&as=${as}${more}`)).caller;
    const org = '&organization=org_main';
    const verdicts: readonly (readonly [string, string, number, string | null])[] = [
      ['/v1/flags', 'nobody', 401, null],
      ['/v1/flags', 'owner', 200, null],
      ['/v1/flags', 'viewer', 403, 'manage:flags'],
      ['/v1/query/types', 'nobody', 200, null],
      ['/v1/api-keys', 'member', 403, 'owner or admin'],
      ['/v1/platform/traffic', 'owner', 403, 'operator'],
      ['/v1/platform/traffic', 'operator', 200, null],
    ];
    for (const [path, as, status, needs] of verdicts)
      expect(await of(path, as), `${path} as ${as}`).to.deep.equal({ as, status, needs, limits: null });
    const keys: readonly (readonly [string, number, string | null])[] = [
      ['key_all', 200, null],
      ['key_read', 403, 'manage:flags'],
      ['key_revoked', 401, 'a key in force'],
      ['key_expired', 401, 'a key in force'],
    ];
    for (const [as, status, needs] of keys)
      expect(await of('/v1/flags', as, org), as).to.include({ status, needs });

    expect(await of('/v1/query/custom', 'owner')).to.equal(null, 'no endpoint answers GET');
    const custom = await look(`explain?method=POST&path=/v1/query/custom&as=key_all${org}`);
    const counted = custom.caller.limits.map(({ name }: { name: string }) => name);
    expect(counted).to.deep.equal(['plan', 'plan', 'custom-sql', 'custom-sql-seconds']);
    expect(custom.caller.limits[1]).to.include({
      ...{ window: '60 s', limit: PER_MINUTE, counts: 'requests' },
      ...{ per: 'organization', subject: 'org_main' },
    });
    const { used, remaining, limit } = custom.caller.limits[1];
    expect(used + remaining).to.equal(limit);
    for (const query of [
      'as=somebody',
      'as=key_all',
      `as=key_none${org}`,
      'as=owner&organization=org_none',
    ]) {
      const answer = await server.call(
        'GET',
        `/v1/platform/explain?method=GET&path=/v1/flags&${query}`,
        session,
      );
      expectError(answer, 400, 'VALIDATION_ERROR');
    }
  });
});
