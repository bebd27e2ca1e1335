/** What the reads over people guarantee, whichever engine holds the events. */
import { expect } from 'chai';
import type { EventRecord } from '../../services/shared/model/event-record.ts';
import type { PersonScope, UnnamedEvents } from '../../services/shared/ports/profile-events.ts';
import { eventRecord } from '../support/event-record.ts';
import type { EventKeeperFixture } from './event-store.contract.ts';

const T = Date.UTC(2026, 6, 1);
const event = (
  website_id: string | null,
  anonymous_id: string | null,
  profile_id: string | null,
  minute: number,
) =>
  eventRecord({
    organization_id: 'org_1',
    website_id,
    anonymous_id,
    profile_id,
    timestamp: T + minute * 60_000,
  });

const keyless = (one: EventRecord): EventRecord => ({ ...one, is_keyless: true });

const EVENTS = [
  event('web_1', 'anna', 'p', 1),
  event('web_1', 'anna', null, 0),
  event('web_1', 'anna', 'other', 9),
  event('web_1', 'berta', 'p', 3),
  keyless(event('web_1', 'berta', 'p', 3)),
  event('web_1', null, 'p', 4),
  event('web_1', 'carl', null, 8),
  keyless(event('web_2', 'anna', 'p', 5)),
  event(null, 'anna', 'p', 6),
  { ...event('web_3', 'zoe', 'p', 7), organization_id: 'org_2' },
];

/** Declares the contract's tests; `fixture` gives the one of the running test. */
export function profileEventsContract(fixture: () => EventKeeperFixture): void {
  describe('people', () => {
    const everywhere: PersonScope = { organizationId: 'org_1', websiteIds: null, profileId: 'p' };
    const anywhere = (...visitors: string[]): UnnamedEvents[] => [{ websiteId: null, visitors }];
    const people = () => fixture().store.profileEvents;
    beforeEach(async () => {
      await fixture().store.append(EVENTS);
    });

    it('are told by the visitors whose events name them, ascending and in pages', async () => {
      const all = [
        { websiteId: null, anonymousId: 'anna', isKeyed: true },
        { websiteId: 'web_1', anonymousId: 'anna', isKeyed: true },
        { websiteId: 'web_2', anonymousId: 'anna', isKeyed: false },
        { websiteId: 'web_1', anonymousId: 'berta', isKeyed: true },
      ];
      expect(await people().visitors(everywhere, { limit: 100 })).to.deep.equal(all);
      expect(await people().visitors(everywhere, { limit: 2 })).to.deep.equal(all.slice(0, 2));
      for (const [i, after] of all.entries()) {
        const behind = await people().visitors(everywhere, { limit: 100, after });
        expect(behind).to.deep.equal(all.slice(i + 1));
      }
      const one = { ...everywhere, websiteIds: ['web_2', 'web_none'] };
      expect(await people().visitors(one, { limit: 100 })).to.deep.equal([all[2]]);
      expect(await people().visitors({ ...everywhere, websiteIds: [] }, { limit: 100 })).to.deep.equal([]);
      expect(await people().visitors({ ...everywhere, profileId: "p' OR 1=1" }, { limit: 9 })).to.deep.equal(
        [],
      );
    });

    it('share a visitor with those whom an event with a key names on the same website', async () => {
      const anna = { websiteId: 'web_1', anonymousId: 'anna' };
      const all = [anna, { ...anna, websiteId: 'web_2' }, { ...anna, anonymousId: 'berta' }];
      expect(await people().keyedToOthers(everywhere, all)).to.deep.equal([anna]);
      const ofOther = { ...everywhere, profileId: 'other' };
      const found = await people().keyedToOthers(ofOther, all);
      expect(found).to.have.deep.members([anna, { ...anna, anonymousId: 'berta' }]);
      expect(await people().keyedToOthers({ ...ofOther, organizationId: 'org_2' }, all)).to.deep.equal([]);
      expect(await people().keyedToOthers(everywhere, [])).to.deep.equal([]);
    });

    it('have the events that name them, and those of their visitors that name nobody', async () => {
      const at = (minute: number) => T + minute * 60_000;
      expect(await people().counts(everywhere, anywhere('anna', 'berta'))).to.deep.equal([
        { websiteId: null, events: 1, firstAt: at(6), lastAt: at(6) },
        { websiteId: 'web_1', events: 5, firstAt: at(0), lastAt: at(4) },
        { websiteId: 'web_2', events: 1, firstAt: at(5), lastAt: at(5) },
      ]);
      expect(await people().counts({ ...everywhere, websiteIds: ['web_1'] }, [])).to.deep.equal([
        { websiteId: 'web_1', events: 4, firstAt: at(1), lastAt: at(4) },
      ]);
      const onOne = (websiteId: string) => [{ websiteId, visitors: ['anna', 'carl'] }];
      const eventsOf = async (unnamed: UnnamedEvents[]) =>
        (await people().counts(everywhere, unnamed)).map(({ events }) => events);
      expect(await eventsOf(onOne('web_1'))).to.deep.equal([1, 6, 1]);
      expect(await eventsOf(onOne('web_2'))).to.deep.equal([1, 4, 1]);
      expect(await eventsOf([...onOne('web_2'), ...anywhere('carl')])).to.deep.equal([1, 5, 1]);
      expect(
        await people().counts({ ...everywhere, organizationId: 'org_2' }, anywhere('anna')),
      ).to.have.length(1);
      expect(await people().counts({ ...everywhere, profileId: 'none' }, [])).to.deep.equal([]);
    });
  });
}
