/** The public limit of the organization whose website a request names: found, remembered, bounded, never stale past 5 s. */
import { expect } from 'chai';
import type { GatewayRuntime } from '../../../plugins/kit/runtime.ts';
import { createWebsiteLimits } from '../../../plugins/rate-limit/website-limits.ts';
import { Principal, publicPrincipal } from '../../../services/shared/access/principal.ts';
import type { Endpoint } from '../../../services/shared/plans/endpoint.ts';
import { addressSubject, publicLimitUses } from '../../../services/shared/plans/public-limit.ts';
import { createLogWatch, type LogWatch } from '../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import {
  createTestRuntime,
  TEST_ADDRESS,
  TEST_PLANS,
  testEndpoint,
  testRequest,
} from '../../support/policy-kit.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

const FLAGS = testEndpoint({ access: 'public', scopes: [], class: 'flags' });
const INGEST = testEndpoint({ access: 'keyless', scopes: ['track:events'], class: 'ingest' });
const WEBSITE = {
  ...{ id: 'web_a', organizationId: 'org_a', name: 'A website', domain: 'example.com' },
  ...{ isPublic: false, settings: {} },
};
const RAISED = { organizationId: 'org_a', limit: 1_000 };

describe('the public limit of a named website', () => {
  let clock: TestClock;
  let runtime: GatewayRuntime;
  let ask: (url: string, headers?: Record<string, string>, endpoint?: Endpoint) => Promise<unknown>;
  let readings: number;
  let isDown: boolean;
  let log: LogWatch;

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
    await documents.websites.insert(WEBSITE);
    await documents.websites.insert({ ...WEBSITE, id: 'web_b', organizationId: 'org_b' });
    log = createLogWatch();
    runtime = { ...createTestRuntime(documents, clock), logger: log.logger };
    readings = 0;
    isDown = false;
    const { ownPublicLimits } = documents;
    documents.ownPublicLimits = () => {
      readings++;
      return isDown ? Promise.reject(new Error('down')) : ownPublicLimits();
    };
    const websiteLimit = createWebsiteLimits(runtime);
    ask = async (url, headers = {}, endpoint = FLAGS) => {
      const req = testRequest(runtime, endpoint);
      req.context.principal = publicPrincipal();
      Object.assign(req, { url, headers });
      return websiteLimit(req);
    };
  });

  it('of ingest is that of the one website that the service chooses', async () => {
    const header = { 'databuddy-client-id': 'web_b' };
    for (const url of [
      '/?website_id=web_a&websiteId=web_b&client_id=web_b',
      '/?client_id=web_b&websiteId=web_a',
      '/?a=1&client_id=web_a',
      '/?client_id=web_a%00',
      '/?client_id=web_a&clientId=web_b',
    ]) {
      expect(await ask(url, header, INGEST), url).to.deep.equal(RAISED);
    }
    expect(await ask('/?a=1', { 'databuddy-client-id': 'web_a' }, INGEST)).to.deep.equal(RAISED);
  });

  it('of ingest is the common one where the service reads no name, or another', async () => {
    const header = { 'databuddy-client-id': 'web_a' };
    expect(await ask('/?clientId=web_a', {}, INGEST)).to.equal(null);
    expect(await ask('/?client_id=web_a#anything', {}, INGEST)).to.equal(null);
    expect(await ask('/?client_id=org_a', {}, INGEST), 'an organization is no website').to.equal(null);
    for (const url of [
      '/?client_id=web_b',
      '/?client_id=',
      '/?client_id=web_a&client_id=web_a',
      '/?client_id=web_none',
    ]) {
      expect(await ask(url, header, INGEST), url).to.equal(null);
    }
  });

  it('of flags goes by clientId alone, a website or an organization', async () => {
    expect(await ask('/x?clientId=web_a&client_id=web_b', { 'databuddy-client-id': 'x' })).to.deep.equal(
      RAISED,
    );
    expect(await ask('/x?clientId=org_a')).to.deep.equal(RAISED);
    for (const url of ['/x', '/x?clientId=', '/x?client_id=web_a', '/x?clientId=web_b', '/x?clientId=none']) {
      expect(await ask(url), url).to.equal(null);
    }
  });

  it('is not looked for on other endpoints, nor for a caller who is known', async () => {
    const other = testEndpoint({ access: 'public', class: 'other' });
    expect(await ask('/x?clientId=web_a', {}, other)).to.equal(null);
    const websiteLimit = createWebsiteLimits(runtime);
    const req = testRequest(runtime, FLAGS);
    Object.assign(req, { url: '/x?clientId=web_a' });
    expect(websiteLimit(req), 'refused').to.equal(null);
    const { caller } = publicPrincipal();
    req.context.principal = new Principal({ ...caller, kind: 'key', organizationId: 'org_b' }, {});
    expect(websiteLimit(req), 'known').to.equal(null);
    expect(readings).to.equal(0);
  });

  it('is known of all by one reading for a crowd of any names, and read again after 4 seconds', async () => {
    const names = Array.from({ length: 50 }, (_, index) => `/x?clientId=${index === 0 ? 'web_a' : index}`);
    const answers = await Promise.all(names.map((url) => ask(url)));
    expect(answers).to.deep.equal([RAISED, ...Array(49).fill(null)]);
    clock.advance(3_999);
    await ask('/x?clientId=web_none');
    expect(readings).to.equal(1);
    await runtime.documents.websites.insert({ ...WEBSITE, id: 'web_new', domain: 'new.example.com' });
    clock.advance(1);
    expect(await ask('/x?clientId=web_new')).to.deep.equal(RAISED);
    expect(readings).to.equal(2);
  });

  it('is read again in time where the clock is set back an hour', async () => {
    await ask('/x?clientId=web_a');
    clock.advance(-3_600_000);
    await ask('/x?clientId=web_a');
    clock.advance(4_000);
    await ask('/x?clientId=web_a');
    expect(readings).to.equal(2);
  });

  it('is not taken from a visitor by strangers who used up the budget of its address', async () => {
    const uses = Object.values(publicLimitUses(TEST_PLANS));
    for (let count = 0; count < 100; count++) {
      await runtime.counters.decide(addressSubject(TEST_ADDRESS), uses);
    }
    expect(await ask('/x?clientId=web_a')).to.deep.equal(RAISED);
  });

  it('binds at once when the bus tells of the organization', async () => {
    const { documents, bus } = runtime;
    await ask('/x?clientId=web_a');
    await documents.organizations.update('org_a', 'org_a', 1, { limits: { publicPerMinute: 7 } });
    expect(await ask('/x?clientId=web_a')).to.deep.equal(RAISED);
    bus.publish({ kind: 'organization', id: 'org_a' });
    expect(await ask('/x?clientId=web_a')).to.deep.equal({ organizationId: 'org_a', limit: 7 });
    await documents.organizations.update('org_a', 'org_a', 2, { limits: {} });
    bus.publish({ kind: 'everything' });
    expect(await ask('/x?clientId=web_a')).to.equal(null);
  });

  it('is not remembered as it was read before the bus told of a change', async () => {
    const { documents, bus } = runtime;
    const before = ask('/x?clientId=web_a');
    await documents.organizations.update('org_a', 'org_a', 1, { limits: {} });
    bus.publish({ kind: 'organization', id: 'org_a' });
    await before;
    expect(await ask('/x?clientId=web_a')).to.equal(null);
    expect(readings).to.equal(2);
  });

  it('stays as last known while the store does not answer, which is asked every 4 seconds', async () => {
    await ask('/x?clientId=web_a');
    isDown = true;
    clock.advance(10_000);
    for (let count = 0; count < 9; count++) expect(await ask('/x?clientId=web_a')).to.deep.equal(RAISED);
    expect([readings, log.lines.length]).to.deep.equal([2, 1]);
  });
});
