/** A call that names the organization that it is meant for, while the session acts for the same one or for another. */
import { expect } from 'chai';
import { expectError } from '../../support/answers.ts';
import {
  cookiesOf,
  type SessionCall,
  type SessionGateway,
  startSessionGateway,
} from '../../support/start-session-gateway.ts';

describe('a call that is meant for an organization', () => {
  let gateway: SessionGateway;
  let cookies: Record<string, string>;

  beforeEach(async () => {
    gateway = await startSessionGateway();
    cookies = await gateway.login('owner@example.com');
  });
  afterEach(() => gateway.close());

  const LIST = '/v1/query/websites';
  const meant = (...ids: string[]): Pick<SessionCall, 'headers'> => ({
    headers: ids.map((id) => ['X-Organization-Id', id] as const),
  });
  const ask = (call: SessionCall) => gateway.call('GET', LIST, { cookies, ...call });
  async function expectRefused(call: SessionCall): Promise<void> {
    const answer = await ask(call);
    expectError(answer, 412, 'PRECONDITION_FAILED', gateway.clock.now());
    expect(answer.body.details.map(({ field }: { field: string }) => field)).to.deep.equal([
      'X-Organization-Id',
    ]);
    expect(answer.body).not.to.have.property('caller');
  }

  it('is answered where the session acts for it, and where none is named', async () => {
    expect((await ask(meant('org_a'))).body.caller.organizationId).to.equal('org_a');
    expect((await ask({})).body.caller.organizationId).to.equal('org_a');
  });

  it('is refused, and reaches no backend, where the session acts for another one', async () => {
    for (const ids of [['org_b'], [''], ['ORG_A'], ['org_a', 'org_a'], ['org_a, org_b']]) {
      await expectRefused(meant(...ids));
    }
  });

  it('is judged by what the session acts for now, from the request after a switch on', async () => {
    expect((await ask(meant('org_a'))).status).to.equal(200);
    const answer = await gateway.call('POST', '/v1/auth/switch', {
      cookies,
      body: { organizationId: 'org_b' },
    });
    const switched = { ...cookies, ...cookiesOf(answer) };
    await expectRefused({ ...meant('org_a'), cookies: switched });
    // Somebody who still sends the cookie of before is told so too.
    await expectRefused(meant('org_a'));
    expect((await ask({ ...meant('org_b'), cookies: switched })).status).to.equal(200);
  });

  it('changes nothing for an API key, which has one organization, and for who is not logged in', async () => {
    const answer = await ask({ ...meant('org_b'), cookies: {}, key: gateway.key });
    expect(answer.body.caller.organizationId).to.equal('org_a');
    const nobody = await ask({ ...meant('org_a'), cookies: {} });
    expectError(nobody, 401, 'AUTH_REQUIRED', gateway.clock.now());
  });
});
