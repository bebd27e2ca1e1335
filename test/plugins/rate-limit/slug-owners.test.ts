/** The public limit of the organization whose link a request follows: found, bound at once, and no door for floods to the store. */
import { expect } from 'chai';
import type { GatewayRuntime } from '../../../plugins/kit/runtime.ts';
import { createWebsiteLimits } from '../../../plugins/rate-limit/website-limits.ts';
import { publicPrincipal } from '../../../services/shared/access/principal.ts';
import { addressSubject, publicLimitUses } from '../../../services/shared/plans/public-limit.ts';
import { publishWrites } from '../../../services/shared/storage/publish-writes.ts';
import { newLink } from '../../contract/resources.contract.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import {
  createTestRuntime,
  TEST_ADDRESS,
  TEST_PLANS,
  testEndpoint,
  testRequest,
} from '../../support/policy-kit.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';

const LINKS = testEndpoint({ access: 'public', scopes: [], class: 'links' });
const RAISED = { organizationId: 'org_a', limit: 1_000 };

describe('the public limit of a followed link', () => {
  let clock: TestClock;
  let runtime: GatewayRuntime;
  let follow: (url: string) => Promise<unknown>;
  let lookUps: number;
  let isDown: boolean;

  beforeEach(async () => {
    clock = createTestClock();
    const documents = createMemoryDocumentStore(clock);
    runtime = createTestRuntime(documents, clock);
    for (const [id, limits] of [
      ['org_a', { publicPerMinute: 1_000 }],
      ['org_b', {}],
    ] as const) {
      await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits });
    }
    await documents.links.insert(newLink('lnk_a', { organizationId: 'org_a', slug: 'ours' }));
    await documents.links.insert(newLink('lnk_b', { organizationId: 'org_b', slug: 'theirs' }));
    lookUps = 0;
    isDown = false;
    const { findUnique } = documents.links;
    documents.links.findUnique = (index, values) => {
      lookUps++;
      return isDown ? Promise.reject(new Error('down')) : findUnique(index, values);
    };
    runtime = { ...runtime, documents: publishWrites(documents, runtime.bus) };
    const websiteLimit = createWebsiteLimits(runtime);
    follow = async (url) => {
      const req = testRequest(runtime, LINKS);
      req.context.principal = publicPrincipal();
      Object.assign(req, { url });
      return websiteLimit(req);
    };
  });

  async function useUpCommonBudget(): Promise<void> {
    const { links } = publicLimitUses(TEST_PLANS);
    for (let count = 0; count < links.limit; count++) {
      await runtime.counters.decide(addressSubject(TEST_ADDRESS), [links]);
    }
  }

  it('is that of its organization, whatever its query string, and the common one elsewhere', async () => {
    for (const url of ['/ours', '/ours?utm_source=x']) expect(await follow(url)).to.deep.equal(RAISED);
    for (const url of ['/theirs', '/ours#x', '/none', '/OURS', '/ours/x', '/ab', '/']) {
      expect(await follow(url), url).to.equal(null);
    }
  });

  it('is looked up once in 4 seconds, of unknown slugs too', async () => {
    for (let round = 0; round < 5; round++) for (const url of ['/ours', '/none']) await follow(url);
    expect(lookUps).to.equal(2);
    clock.advance(4_000);
    expect(await follow('/ours')).to.deep.equal(RAISED);
    expect(lookUps).to.equal(3);
  });

  it('costs a flood of made-up slugs no look-up once the address has no common budget left, and still serves what is known', async () => {
    await follow('/ours');
    await useUpCommonBudget();
    lookUps = 0;
    for (let count = 0; count < 500; count++) expect(await follow(`/made-up-${count}`)).to.equal(null);
    expect(lookUps).to.equal(0);
    clock.advance(4_000);
    expect(await follow('/ours')).to.deep.equal(RAISED);
  });

  it('stays known through what other organizations write', async () => {
    await follow('/ours');
    await useUpCommonBudget();
    await runtime.documents.links.update('org_b', 'lnk_b', 1, { slug: 'their-new' });
    await runtime.documents.links.remove('org_b', 'lnk_b');
    expect(await follow('/ours')).to.deep.equal(RAISED);
  });

  it('binds at once for a link that is made, and ends with one that is removed', async () => {
    expect(await follow('/fresh')).to.equal(null);
    await runtime.documents.links.insert(newLink('lnk_f', { organizationId: 'org_a', slug: 'fresh' }));
    expect(await follow('/fresh')).to.deep.equal(RAISED);
    await runtime.documents.links.remove('org_a', 'lnk_f');
    expect(await follow('/fresh')).to.equal(null);
  });

  it('holds as last known while the store is down', async () => {
    await follow('/ours');
    isDown = true;
    clock.advance(3_999);
    expect(await follow('/ours')).to.deep.equal(RAISED);
    clock.advance(1);
    expect(await follow('/ours')).to.deep.equal(RAISED);
    expect(await follow('/none')).to.equal(null);
  });

  it('asks no store while no organization carries such a limit', async () => {
    await runtime.documents.organizations.update('org_a', 'org_a', 1, { limits: {} });
    for (const url of ['/ours', '/none']) expect(await follow(url)).to.equal(null);
    expect(lookUps).to.equal(0);
  });
});
