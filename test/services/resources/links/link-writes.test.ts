/** Writes of short links that meet each other, over a store that lets others run around each call. */
import { expect } from 'chai';
import {
  changeLink,
  removeLink,
  type WriteLinkPorts,
} from '../../../../services/resources/links/write-link.ts';
import { type Caller, PUBLIC_CALLER } from '../../../../services/shared/access/caller.ts';
import { ApiError } from '../../../../services/shared/errors/api-error.ts';
import { createIds } from '../../../../services/shared/ports/ids.ts';
import { newLink } from '../../../contract/resources.contract.ts';
import { createMemoryDocumentStore } from '../../../support/memory-document-store.ts';
import { TEST_PLANS } from '../../../support/policy-kit.ts';
import { createTestClock } from '../../../support/test-clock.ts';
import { makeYielding } from '../../../support/yielding-store.ts';

const CALLER: Caller = {
  ...PUBLIC_CALLER,
  id: 'key_a',
  kind: 'key',
  organizationId: 'org_a',
  plan: 'free',
  scopes: ['write:links'],
  access: { level: 'global' },
};

describe('writes of one link at a time', () => {
  /** The kinds of error that writes of one fresh link end with, null for each that succeeds. */
  async function meet(
    seed: number,
    writes: readonly ((ports: WriteLinkPorts) => Promise<unknown>)[],
  ): Promise<(string | null)[]> {
    const documents = createMemoryDocumentStore(createTestClock());
    await documents.links.insert(newLink('lnk_1'));
    makeYielding(documents, seed);
    const ports = {
      documents,
      ids: createIds(),
      randomBytes: () => new Uint8Array(6),
      isReservedSlug: () => false,
      plans: () => TEST_PLANS,
    };
    const ended = await Promise.allSettled(writes.map((write) => write(ports)));
    return ended.map((end) => {
      if (end.status === 'fulfilled') return null;
      if (end.reason instanceof ApiError) return end.reason.kind;
      throw end.reason;
    });
  }
  const target = { caller: CALLER, id: 'lnk_1', ifMatch: '"1"' };

  it('let a change and a deletion under one If-Match never both succeed', async () => {
    for (let seed = 1; seed <= 40; seed++) {
      const ends = await meet(seed, [
        (ports) => changeLink(ports, target, { name: 'Changed' }),
        (ports) => removeLink(ports, target),
      ]);
      expect(
        ends.filter((end) => end === null),
        `seed ${seed}`,
      ).to.have.length(1);
      for (const end of ends) expect(end).to.be.oneOf([null, 'PRECONDITION_FAILED', 'NOT_FOUND']);
    }
  });

  it('let one of several deletions succeed, the others find nothing', async () => {
    const remove = (ports: WriteLinkPorts) => removeLink(ports, { ...target, ifMatch: undefined });
    for (let seed = 1; seed <= 40; seed++) {
      const ends = await meet(seed, [remove, remove, remove]);
      expect(ends.sort(), `seed ${seed}`).to.deep.equal(['NOT_FOUND', 'NOT_FOUND', null]);
    }
  });
});
