/** Overrides for organizations that do not exist: each is told once, and the store is asked only where there are some. */
import { expect } from 'chai';
import {
  findUnknownOrganizations,
  warnOfUnknownOrganizations,
} from '../../../../gateway/process/reload/unknown-overrides.ts';
import { createLogWatch } from '../../../support/log-watch.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { createTestClock } from '../../../support/test-clock.ts';

describe('overrides for organizations that do not exist', () => {
  const documents = createMemoryDocumentStore(createTestClock());
  before(async () => {
    await documents.organizations.insert({
      ...{ id: 'org_a', organizationId: 'org_a', name: 'A', plan: 'free', limits: {} },
    });
  });

  it('are found, each once; keys are not looked for', async () => {
    const overrides = [
      { organization: 'org_a', limit: 'perMinute', max: 1 },
      { organization: 'org_slip', limit: 'perMinute', max: 1 },
      { organization: 'org_slip', limit: 'perDay', max: 1 },
      { key: 'key_slip', limit: 'perDay', max: 1 },
    ];
    expect(await findUnknownOrganizations(documents, { overrides })).to.deep.equal(['org_slip']);
  });

  it('ask nothing of the store where no override names an organization', async () => {
    const refuses = { allOrganizations: () => Promise.reject(new Error('asked')) };
    const overrides = [{ key: 'key_a', limit: 'perDay', max: 1 }];
    expect(await findUnknownOrganizations(refuses, { overrides })).to.deep.equal([]);
  });

  it('are told by their identifier', () => {
    const { logger, lines } = createLogWatch();
    warnOfUnknownOrganizations(['org_slip'], logger);
    expect(lines.join()).to.contain('the organization org_slip, which does not exist');
  });
});
