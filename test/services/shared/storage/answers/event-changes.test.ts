/** Changes of one website end no answers of others, and what is kept of them is bounded, whatever comes in. */
import { expect } from 'chai';
import { EventChanges } from '../../../../../services/shared/storage/answers/event-changes.ts';
import { eventRecord } from '../../../../support/event-record.ts';

const DAY_MS = 86_400_000;
const day = (of: number) => ({ from: of * DAY_MS, to: (of + 1) * DAY_MS });
const reach = (
  websiteIds: readonly string[],
  range: ReturnType<typeof day> | null,
  organizationId = 'org_a',
) => ({
  ...{ organizationId, websiteIds, range },
  organizationEvents: websiteIds.length === 0,
});
const event = (website_id: string | null, of: number, organization_id = 'org_a') =>
  eventRecord({ organization_id, website_id, timestamp: of * DAY_MS });

describe('changes of events', () => {
  it('touch their own website, organization and days alone, from the first event on', () => {
    const changes = new EventChanges();
    const reaches = [
      reach(['web_a'], day(3)),
      reach(['web_a', 'web_b'], null),
      reach(['web_a'], day(4)),
      reach(['web_b'], day(3)),
      reach([], day(3)),
      reach(['web_a'], day(3), 'org_b'),
    ];
    const before = reaches.map((each) => changes.latestOf(each));
    changes.noteAppended([event('web_a', 3)]);
    expect(reaches.map((each, i) => changes.latestOf(each) !== before[i])).to.deep.equal([
      ...[true, true, false, false, false, false],
    ]);
    const then = reaches.map((each) => changes.latestOf(each));
    changes.noteAppended([event(null, 3)]);
    expect(reaches.map((each, i) => changes.latestOf(each) !== then[i])).to.deep.equal([
      ...[false, false, false, false, true, false],
    ]);
  });

  it('of anything are changes of all', () => {
    const changes = new EventChanges();
    changes.noteAppended([event('web_a', 3)]);
    const all = [reach(['web_a'], day(3)), reach(['web_a'], day(9)), reach(['web_x'], null)];
    const before = all.map((each) => changes.latestOf(each));
    changes.noteAll();
    for (const [i, each] of all.entries()) expect(changes.latestOf(each)).to.be.above(before[i] ?? 0);
  });

  for (const [what, events] of [
    ['websites', Array.from({ length: 12_000 }, (_, i) => event(`web_${i}`, 1))],
    ['days', Array.from({ length: 150_000 }, (_, i) => event(`web_${i % 200}`, Math.floor(i / 200)))],
  ] as const)
    it(`of too many ${what} count as changes of all, and no change is forgotten`, () => {
      const changes = new EventChanges();
      const other = reach(['web_other'], day(20_000));
      const before = changes.latestOf(other);
      for (let from = 0; from < events.length; from += 1_000)
        changes.noteAppended(events.slice(from, from + 1_000));
      expect(changes.latestOf(other)).to.be.above(before);
      const mine = reach(['web_1'], day(1));
      const known = changes.latestOf(mine);
      changes.noteAppended([event('web_1', 1)]);
      expect(changes.latestOf(mine)).to.be.above(known);
    });
});
