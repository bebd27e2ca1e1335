/** What redirects remember of links: one look-up serves many, no change goes unseen, and floods drive nothing out. */
import { expect } from 'chai';
import { MemoryBus } from '../../../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../../../services/shared/storage/publish-writes.ts';
import { createKnownLinks, type KnownLinks } from '../../../../services/tracking/redirect/known-links.ts';
import { newWebsite } from '../../../contract/document-store.contract.ts';
import { newLink } from '../../../contract/resources.contract.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock, type TestClock } from '../../../support/test-clock.ts';

describe('known links', () => {
  let clock: TestClock;
  let documents: ReturnType<typeof createMemoryDocumentStore>;
  let bus: MemoryBus;
  let knownLinks: KnownLinks;
  let lookUps: number;

  beforeEach(async () => {
    clock = createTestClock();
    bus = new MemoryBus();
    const inner = createMemoryDocumentStore(clock);
    lookUps = 0;
    const { findUnique } = inner.links;
    inner.links.findUnique = (index, values) => {
      lookUps++;
      return findUnique(index, values);
    };
    documents = publishWrites(inner, bus) as typeof documents;
    const limits = {};
    await documents.organizations.insert({
      id: 'org_a',
      organizationId: 'org_a',
      name: 'A',
      plan: 'free',
      limits,
    });
    await documents.websites.insert(newWebsite('web_1'));
    await documents.links.insert(newLink('lnk_1', { slug: 'one', websiteId: 'web_1' }));
    knownLinks = createKnownLinks({ documents, bus, clock });
  });

  const targetOf = async (slug: string) => (await knownLinks(slug))?.link.targetUrl ?? null;

  it('are looked up once for a crowd and then for 4 seconds, unknown ones too', async () => {
    await Promise.all(Array.from({ length: 50 }, (_, i) => knownLinks(i % 2 === 0 ? 'one' : 'none')));
    clock.advance(3_999);
    await Promise.all([knownLinks('one'), knownLinks('none')]);
    expect(lookUps).to.equal(2);
    clock.advance(1);
    await Promise.all([knownLinks('one'), knownLinks('none')]);
    expect(lookUps).to.equal(4);
  });

  it('change with the very next click: target, slug, removal, and a slug that was free before', async () => {
    expect(await targetOf('one')).to.equal('https://example.com/');
    expect(await targetOf('two')).to.equal(null);
    await documents.links.update('org_a', 'lnk_1', 1, { targetUrl: 'https://new.example/' });
    expect(await targetOf('one')).to.equal('https://new.example/');
    await documents.links.update('org_a', 'lnk_1', 2, { slug: 'two' });
    expect([await targetOf('one'), await targetOf('two')]).to.deep.equal([null, 'https://new.example/']);
    await documents.links.remove('org_a', 'lnk_1');
    expect(await targetOf('two')).to.equal(null);
  });

  it('do not remember what was looked up before a change and answered after it', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const { findUnique } = documents.links;
    documents.links.findUnique = async (index, values) => {
      const found = await findUnique(index, values);
      await held;
      return found;
    };
    const early = knownLinks('one');
    await new Promise((resolve) => setImmediate(resolve));
    documents.links.findUnique = findUnique;
    await documents.links.update('org_a', 'lnk_1', 1, { targetUrl: 'https://new.example/' });
    release();
    await early;
    expect(await targetOf('one')).to.equal('https://new.example/');
  });

  it('end with their website and with their organization', async () => {
    expect(await targetOf('one')).to.not.equal(null);
    await documents.websites.remove('org_a', 'web_1');
    expect(await targetOf('one')).to.equal(null);
    await documents.links.insert(newLink('lnk_2', { slug: 'own' }));
    expect(await targetOf('own')).to.not.equal(null);
    await documents.organizations.remove('org_a', 'org_a');
    expect(await targetOf('own')).to.equal(null);
  });

  it('keep of a website what clicks need, however large it is', async () => {
    await documents.websites.update('org_a', 'web_1', 1, {
      settings: { allowedOrigins: ['https://a.example'] },
    });
    expect((await knownLinks('one'))?.website).to.deep.equal({ id: 'web_1', domain: 'web_1.example.com' });
  });

  it('stay remembered through a flood of made-up slugs', async () => {
    await knownLinks('one');
    for (let i = 0; i < 12_000; i++) await knownLinks(`made-up-${i}`);
    lookUps = 0;
    await knownLinks('one');
    expect(lookUps).to.equal(0);
  });
});
