/** Stored links whose address a route took are named, each with what to do; others are not. */
import { expect } from 'chai';
import type { ApiEndpoint } from '../../../../gateway/configuration/configuration.ts';
import {
  findTakenLinks,
  takenLinkText,
  warnOfTakenLinks,
} from '../../../../gateway/process/reload/taken-links.ts';
import { newLink } from '../../../contract/resources.contract.ts';
import { createLogWatch } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

const ENDPOINTS = [
  { name: 'dashboard', paths: ['/dashboard', '/dashboard/*'], host: null, hostRegex: null },
  { name: 'track', paths: ['/track'], host: null, hostRegex: null },
  { name: 'evaluation', paths: ['/public/v1/flags'], host: null, hostRegex: null },
] as unknown as readonly ApiEndpoint[];

describe('links whose address a route took', () => {
  it('are named with their organization, those of every organization, and no others', async () => {
    const documents = createMemoryDocumentStore(createTestClock());
    for (const [id, organizationId, slug] of [
      ['lnk_1', 'org_a', 'dashboard'],
      ['lnk_2', 'org_b', 'track'],
      ['lnk_3', 'org_a', 'Dashboard'],
      ['lnk_4', 'org_a', 'public'],
      ['lnk_5', 'org_a', 'winter-sale'],
    ] as const)
      await documents.links.insert(newLink(id, { organizationId, slug }));
    const taken = await findTakenLinks(documents, { endpoints: [...ENDPOINTS] });
    expect(taken).to.deep.equal([
      {
        id: 'lnk_1',
        organizationId: 'org_a',
        slug: 'dashboard',
        answeredBy: 'the endpoint "dashboard"',
      },
      { id: 'lnk_2', organizationId: 'org_b', slug: 'track', answeredBy: 'the endpoint "track"' },
    ]);
    expect(taken.map(takenLinkText)[0]).to.equal(
      'the link lnk_1 of organization org_a has the slug "dashboard", and the endpoint "dashboard" answers /dashboard: give the link another slug (PATCH /v1/links/lnk_1 {"slug": "…"}), or delete it',
    );
    const watch = createLogWatch();
    warnOfTakenLinks(taken, watch.logger);
    const lines = watch.lines.map((line) => JSON.parse(line) as { level: number; msg: string });
    expect(lines.map(({ msg }) => msg)).to.deep.equal(taken.map(takenLinkText));
    expect(new Set(lines.map(({ level }) => level))).to.deep.equal(new Set([40]));
  });
});
