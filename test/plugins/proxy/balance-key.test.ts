/** What of a request decides its address: the website that it names, else that of the caller, else the organization. */
import { expect } from 'chai';
import { createKeyOf } from '../../../plugins/proxy/balance-key.ts';
import { hashOf } from '../../../plugins/proxy/rendezvous.ts';
import { type Caller, PUBLIC_CALLER } from '../../../services/shared/access/caller.ts';
import type { HashKey } from '../../../services/shared/plans/service-endpoint.ts';
import { createMemoryDocumentStore } from '../../support/memory-document-store.ts';
import { createTestRuntime, testEndpoint, testRequest } from '../../support/policy-kit.ts';
import { createTestClock } from '../../support/test-clock.ts';

const clock = createTestClock();
const runtime = createTestRuntime(createMemoryDocumentStore(clock), clock);
const CALLER: Caller = { ...PUBLIC_CALLER, organizationId: 'org_1', access: { level: 'global' } };

interface Sent {
  readonly url?: string;
  readonly target?: string;
  readonly body?: string;
  readonly caller?: Caller;
}

function keyOf(hash: HashKey, { url = '/v1/query', target, body, caller = CALLER }: Sent): number | null {
  const req = testRequest(runtime, testEndpoint());
  req.url = url;
  req.context.target = target ?? null;
  req.context.body = body === undefined ? null : Buffer.from(body);
  const find = createKeyOf({ balance: { hash }, urls: ['http://a', 'http://b'] });
  return find === null ? null : find(req, caller);
}

describe('the key of a request', () => {
  const website = (sent: Sent) => keyOf('website', sent);

  it('is the website of the query string or of the body', () => {
    const named = hashOf('web_1');
    expect(website({ url: '/v1/query?website_id=web_1' })).to.equal(named);
    expect(website({ url: '/q', target: '/v1/query?websiteId=web_1' })).to.equal(named);
    expect(website({ body: '{"website_id":"web_1","parameters":["summary"]}' })).to.equal(named);
    expect(website({ body: '\ufeff[{"websiteId":"web_1"}]' })).to.equal(named);
  });

  it('is the organization where several websites are named, or none', () => {
    const organization = hashOf('org_1');
    for (const sent of [
      {},
      { url: '/v1/query?link_id=lnk_1' },
      { url: '/v1/query?website_id=a&website_id=b' },
      { body: '[{"website_id":"a"},{"website_id":"b"}]' },
      { body: '{"website_id":"a"' },
      { body: `${'['.repeat(70)}"website_id"${']'.repeat(70)}` },
      { body: JSON.stringify({ website_id: 'a', filler: 'x'.repeat(65_536) }) },
    ])
      expect(website(sent), JSON.stringify(sent).slice(0, 80)).to.equal(organization);
  });

  it('is the only website of a caller who names none', () => {
    const caller: Caller = { ...CALLER, access: { level: 'website', websiteIds: ['web_7'] } };
    expect(website({ caller })).to.equal(hashOf('web_7'));
    expect(website({ caller, url: '/v1/query?website_id=web_1' })).to.equal(hashOf('web_1'));
    const two: Caller = { ...CALLER, access: { level: 'website', websiteIds: ['web_7', 'web_8'] } };
    expect(website({ caller: two })).to.equal(hashOf('org_1'));
  });

  it('is none for a caller without organization who names nothing', () => {
    expect(website({ caller: PUBLIC_CALLER })).to.equal(null);
    expect(keyOf('organization', { caller: PUBLIC_CALLER, url: '/?website_id=a' })).to.equal(null);
  });

  it('is the organization alone where that is configured', () => {
    expect(keyOf('organization', { url: '/v1/query?website_id=web_1' })).to.equal(hashOf('org_1'));
  });

  it('is looked for only where an address is chosen by it', () => {
    expect(createKeyOf({ balance: 'least-connections', urls: ['http://a', 'http://b'] })).to.equal(null);
    expect(createKeyOf({ balance: 'round-robin', urls: ['http://a', 'http://b'] })).to.equal(null);
    expect(createKeyOf({ balance: { hash: 'website' }, urls: ['http://a'] })).to.equal(null);
  });
});
