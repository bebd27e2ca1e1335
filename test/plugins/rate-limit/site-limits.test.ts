/** The public limit of the organization whose website a request names: found, remembered, bounded, never stale past 5 s. */
import { expect } from 'chai';
import { createSiteLimits } from '../../../plugins/rate-limit/site-limits.ts';
import { Principal, publicPrincipal } from '../../../services/shared/access/principal.ts';
import type { Endpoint } from '../../../services/shared/plugin/endpoint.ts';
import type { GatewayRuntime } from '../../../services/shared/plugin/runtime.ts';
import { addressSubject, publicLimitUses } from '../../../services/shared/rate-limit/public-limit.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import {
  createTestRuntime,
  TEST_ADDRESS,
  TEST_PLANS,
  testEndpoint,
  testRequest,
} from '../../support/policy-kit.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

const OPEN = testEndpoint({ access: 'public', scopes: [], class: 'flags' });
const RAISED = { organizationId: 'org_a', limit: 1_000 };

describe('the public limit of a named website', () => {
  let clock: TestClock;
  let runtime: GatewayRuntime;
  let ask: (url: string, headers?: Record<string, string>, endpoint?: Endpoint) => Promise<unknown>;
  let lookUps: number;
  let isDown: boolean;

  beforeEach(async () => {
    clock = createTestClock();
    const documents = createMemoryDocumentStore(clock);
    await documents.organizations.insert({
      id: 'org_a',
      organizationId: 'org_a',
      name: 'A',
      plan: 'free',
      limits: { publicPerMinute: 1_000 },
    });
    await documents.organizations.insert({
      id: 'org_b',
      organizationId: 'org_b',
      name: 'B',
      plan: 'free',
      limits: {},
    });
    for (const [id, organizationId] of [
      ['web_a', 'org_a'],
      ['web_b', 'org_b'],
    ] as const) {
      await documents.websites.insert({
        id,
        organizationId,
        name: id,
        domain: `${organizationId}.example.com`,
        isPublic: false,
        settings: {},
      });
    }
    runtime = createTestRuntime(documents, clock);
    lookUps = 0;
    isDown = false;
    const { findUnique } = documents.websites;
    documents.websites.findUnique = (index, values) => {
      lookUps++;
      if (isDown) return Promise.reject(new Error('down'));
      return findUnique.call(documents.websites, index, values);
    };
    const siteLimit = createSiteLimits(runtime);
    ask = async (url, headers = {}, endpoint = OPEN) => {
      const req = testRequest(runtime, endpoint);
      req.context.principal = publicPrincipal();
      Object.assign(req, { url, headers });
      return siteLimit(req);
    };
  });

  it('is found by every name that a request may give it', async () => {
    for (const name of ['clientId', 'client_id', 'website_id', 'websiteId']) {
      expect(await ask(`/x?a=1&${name}=web_a`), name).to.deep.equal(RAISED);
    }
    expect(await ask('/x', { 'databuddy-client-id': 'web_a' })).to.deep.equal(RAISED);
    expect(await ask('/x?clientId=org_a')).to.deep.equal(RAISED);
  });

  it('is the common one without a name, for two names, an unknown one and an organization without a number', async () => {
    const none = ['/x', '/x?clientId=', '/x?clientId=web_a&client_id=web_b', '/x?clientId=web_none'];
    for (const url of [...none, '/x?clientId=web_b']) expect(await ask(url), url).to.equal(null);
    expect(await ask('/x?clientId=web_a', { 'databuddy-client-id': 'web_b' })).to.equal(null);
  });

  it('is not looked for on other endpoints, nor for a caller who is known', async () => {
    expect(await ask('/x?clientId=web_a', {}, testEndpoint({ access: 'public', class: 'other' }))).to.equal(
      null,
    );
    const siteLimit = createSiteLimits(runtime);
    const req = testRequest(runtime, OPEN);
    Object.assign(req, { url: '/x?clientId=web_a' });
    expect(siteLimit(req), 'refused').to.equal(null);
    const { caller } = publicPrincipal();
    req.context.principal = new Principal({ ...caller, kind: 'key', organizationId: 'org_b' }, {});
    expect(siteLimit(req), 'known').to.equal(null);
    expect(lookUps).to.equal(0);
  });

  it('is looked up once for a crowd, and again after 4 seconds', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/x?clientId=web_a')));
    expect(answers).to.deep.equal(Array.from({ length: 50 }, () => RAISED));
    clock.advance(3_999);
    await ask('/x?clientId=web_a');
    expect(lookUps).to.equal(1);
    clock.advance(1);
    await ask('/x?clientId=web_a');
    expect(lookUps).to.equal(2);
  });

  it('is looked up again at once when the bus tells of the organization', async () => {
    const { documents, bus } = runtime;
    await ask('/x?clientId=web_a');
    await documents.organizations.update('org_a', 'org_a', 1, { limits: { publicPerMinute: 7 } });
    bus.publish({ kind: 'organization', id: 'org_b' });
    expect(await ask('/x?clientId=web_a')).to.deep.equal(RAISED);
    bus.publish({ kind: 'organization', id: 'org_a' });
    expect(await ask('/x?clientId=web_a')).to.deep.equal({ organizationId: 'org_a', limit: 7 });
    await documents.organizations.update('org_a', 'org_a', 2, { limits: {} });
    bus.publish({ kind: 'everything' });
    expect(await ask('/x?clientId=web_a')).to.equal(null);
  });

  it('is not looked up for an unknown name once its address has used its budget up', async () => {
    await ask('/x?clientId=web_a');
    const { flags } = publicLimitUses(TEST_PLANS);
    for (let count = 0; count < 100; count++) {
      await runtime.counters.decide(addressSubject(TEST_ADDRESS), [flags]);
    }
    expect(await ask('/x?clientId=web_b')).to.equal(null);
    expect(lookUps).to.equal(1);
    clock.advance(4_000);
    expect(await ask('/x?clientId=web_a'), 'a known name').to.deep.equal(RAISED);
    expect(lookUps).to.equal(2);
  });

  it('remembers for 4 seconds that a name is nobody’s', async () => {
    for (let count = 0; count < 5; count++) await ask('/x?clientId=web_none');
    expect(lookUps).to.equal(1);
    clock.advance(4_000);
    await ask('/x?clientId=web_none');
    expect(lookUps).to.equal(2);
  });

  it('stays as last known while the store does not answer, and is the common one where nothing is known', async () => {
    await ask('/x?clientId=web_a');
    isDown = true;
    clock.advance(10_000);
    expect(await ask('/x?clientId=web_a')).to.deep.equal(RAISED);
    expect(await ask('/x?clientId=web_b')).to.equal(null);
  });
});
