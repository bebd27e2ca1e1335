/** What every event store guarantees of erasure. */
import { expect } from 'chai';
import type { EventSelection } from '../../services/shared/ports/event-store.ts';
import { eventRecord } from '../support/event-record.ts';
import type { EventKeeperFixture } from './event-store.contract.ts';

const EVENTS = [
  { event_id: 'a', organization_id: 'org_1', website_id: 'web_1', anonymous_id: 'anna' },
  { event_id: 'b', organization_id: 'org_1', website_id: 'web_1', anonymous_id: 'bert' },
  { event_id: 'c', organization_id: 'org_1', website_id: 'web_2', anonymous_id: 'anna' },
  { event_id: 'd', organization_id: 'org_1', website_id: null, anonymous_id: 'anna', profile_id: 'p' },
  { event_id: 'e', organization_id: 'org_2', website_id: 'web_3', anonymous_id: 'anna' },
  { event_id: 'f', organization_id: 'org_1', website_id: 'web_1', anonymous_id: null },
].map((event) => eventRecord(event));

const CASES: readonly [string, EventSelection, string[]][] = [
  [
    'a visitor of a website',
    { organizationId: 'org_1', websiteId: 'web_1', anonymousId: 'anna' },
    ['b', 'c', 'd', 'e', 'f'],
  ],
  [
    'a visitor of an organization, wherever they were',
    { organizationId: 'org_1', websiteId: null, anonymousId: 'anna' },
    ['b', 'e', 'f'],
  ],
  ['a website', { organizationId: 'org_1', websiteId: 'web_1', anonymousId: null }, ['c', 'd', 'e']],
  ['an organization', { organizationId: 'org_1', websiteId: null, anonymousId: null }, ['e']],
  [
    'a person of an organization, whoever sent the events',
    { organizationId: 'org_1', websiteId: null, anonymousId: null, profileId: 'p' },
    ['a', 'b', 'c', 'e', 'f'],
  ],
  [
    'the events of some visitors that name nobody',
    {
      organizationId: 'org_1',
      websiteId: null,
      anonymousId: null,
      profileId: null,
      visitors: ['anna', 'bert'],
    },
    ['d', 'e', 'f'],
  ],
  [
    'nothing of no visitors',
    { organizationId: 'org_1', websiteId: null, anonymousId: null, visitors: [] },
    ['a', 'b', 'c', 'd', 'e', 'f'],
  ],
  [
    'nothing of a person elsewhere',
    { organizationId: 'org_1', websiteId: 'web_1', anonymousId: null, profileId: 'p', visitors: ['anna'] },
    ['a', 'b', 'c', 'd', 'e', 'f'],
  ],
  [
    'nothing of a website under another organization',
    { organizationId: 'org_2', websiteId: 'web_1', anonymousId: null },
    ['a', 'b', 'c', 'd', 'e', 'f'],
  ],
];

/** Declares the contract's tests; `fixture` gives the one of the running test. */
export function eventErasureContract(fixture: () => EventKeeperFixture): void {
  describe('erasure', () => {
    const stored = async () => (await fixture().stored()).map(({ event_id }) => event_id);

    for (const [what, selection, left] of CASES) {
      it(`removes ${what}, and says how many events there were`, async () => {
        await fixture().store.append(EVENTS);
        expect(await fixture().store.erase(selection)).to.equal(EVENTS.length - left.length);
        expect(await stored()).to.deep.equal(left);
        expect(await fixture().store.erase(selection)).to.equal(0);
      });
    }

    it('removes exactly the events before an instant, where one is given', async () => {
      const instant = Date.UTC(2026, 0, 1);
      const times = [instant - 1, instant, instant + 1];
      await fixture().store.append(times.map((timestamp, i) => eventRecord({ event_id: `${i}`, timestamp })));
      const selection = { organizationId: 'org_a', websiteId: null, anonymousId: null, before: instant };
      expect(await fixture().store.erase(selection)).to.equal(1);
      expect(await stored()).to.deep.equal(['1', '2']);
    });

    it('stays erased when the store is opened again', async () => {
      await fixture().store.append(EVENTS);
      await fixture().store.erase({ organizationId: 'org_1', websiteId: null, anonymousId: null });
      await fixture().reopen();
      expect(await stored()).to.deep.equal(['e']);
    });

    it('lets appends go on, and loses none of them', async () => {
      await fixture().store.append(EVENTS);
      const appended = Array.from({ length: 40 }, (_, i) =>
        eventRecord({ event_id: `new ${i}`, organization_id: 'org_3', website_id: 'web_4' }),
      );
      const selection = { organizationId: 'org_1', websiteId: null, anonymousId: null };
      await Promise.all([
        ...appended.map((event) => fixture().store.append([event])),
        fixture().store.erase(selection),
      ]);
      expect(await stored()).to.have.members(['e', ...appended.map((event) => event.event_id)]);
    });
  });
}
