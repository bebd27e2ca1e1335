/** Hints of fresh events: by partition, together, and lost without harm. */
import { expect } from 'chai';
import { type FreshCount, FreshCounts } from '../../../../../services/shared/storage/columns/fresh-counts.ts';

const of = (organization_id: string, website_id: string | null) => ({ organization_id, website_id });

describe('counts of fresh events', () => {
  it('are sent together, a number for each partition, and begin anew then', async () => {
    const sent: (readonly FreshCount[])[] = [];
    const counts = new FreshCounts(async (some) => void sent.push(some));
    counts.add([of('org_a', 'web_a'), of('org_a', null), of('org_a', 'web_a')]);
    counts.add([of('org_b', 'web_b')]);
    expect(sent).to.deep.equal([]);
    await counts.flush();
    counts.add([of('org_a', 'web_a')]);
    await counts.flush();
    await counts.flush();
    const count = (organizationId: string, websiteId: string | null, events: number) => ({
      partition: { organizationId, websiteId },
      events,
    });
    expect(sent).to.deep.equal([
      [count('org_a', 'web_a', 2), count('org_a', null, 1), count('org_b', 'web_b', 1)],
      [count('org_a', 'web_a', 1)],
    ]);
  });

  it('that cannot be sent are lost, and later ones come', async () => {
    const sent: number[] = [];
    const counts = new FreshCounts(async ([count]) => {
      if (count?.events === 1) throw new Error('no server');
      sent.push(count?.events ?? 0);
    });
    counts.add([of('org_a', 'web_a')]);
    await counts.flush();
    counts.add([of('org_a', 'web_a'), of('org_a', 'web_a')]);
    await counts.flush();
    expect(sent).to.deep.equal([2]);
  });
});
