/** What every event store guarantees of repeats by `event_id`: stored once, also at the same time and after a restart. */
import { expect } from 'chai';
import { eventRecord } from '../support/event-record.ts';
import { rejection } from '../support/rejection.ts';
import type { EventKeeperFixture } from './event-store.contract.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** Declares the tests, within those of the contract of EventKeeper. */
export function eventIdContract(fixture: () => EventKeeperFixture): void {
  describe('repeats of an event_id', () => {
    const storedIds = async () => (await fixture().stored()).map(({ event_id }) => event_id);
    const append = (...ids: readonly (string | null)[]) =>
      fixture().store.append(ids.map((event_id) => eventRecord({ event_id })));

    it('are accepted, counted and not stored again', async () => {
      expect(await append('a', 'b'))
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(await append('b', 'c', 'a'))
        .to.have.property('repeats')
        .with.lengthOf(2);
      expect(await append('a'))
        .to.have.property('repeats')
        .with.lengthOf(1);
      expect(await storedIds()).to.deep.equal(['a', 'b', 'c']);
    });

    it('are left out inside one append', async () => {
      expect(await append('a', 'b', 'a', 'a'))
        .to.have.property('repeats')
        .with.lengthOf(2);
      expect(await storedIds()).to.deep.equal(['a', 'b']);
    });

    it('are none without event_id', async () => {
      expect(await append(null, null))
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(await storedIds()).to.deep.equal([null, null]);
    });

    it('are none for another website, nor for events of another organization or of the organization itself', async () => {
      const { store } = fixture();
      const owners = [
        { website_id: 'web_a' },
        { website_id: 'web_b' },
        { website_id: null },
        { website_id: null, organization_id: 'org_b' },
      ];
      const events = owners.map((owner) => eventRecord({ event_id: 'same', ...owner }));
      expect(await store.append(events))
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(await store.append(events))
        .to.have.property('repeats')
        .with.lengthOf(4);
      expect(await storedIds()).to.have.length(4);
    });

    it('are none of an event without a key and one with a key, whichever came first, in one append and after a restart', async () => {
      const { store, reopen } = fixture();
      const keyless = eventRecord({ event_id: 'order-1', website_id: 'web_a', is_keyless: true });
      const keyed = eventRecord({ event_id: 'order-1', website_id: 'web_a' });
      expect(await store.append([keyless]))
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(await store.append([keyed]), 'the stranger was first')
        .to.have.property('repeats')
        .with.lengthOf(0);
      const other = { website_id: null, event_id: 'order-2' };
      const both = [eventRecord(other), eventRecord({ ...other, is_keyless: true })];
      expect(await store.append(both), 'the owner was first')
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(await store.append([keyless, keyed, ...both]))
        .to.have.property('repeats')
        .with.lengthOf(4);
      const reopened = await reopen();
      expect(await reopened.append([keyless, keyed, ...both]))
        .to.have.property('repeats')
        .with.lengthOf(4);
      const third = { website_id: 'web_a', event_id: 'order-3' };
      await reopened.append([eventRecord({ ...third, is_keyless: true })]);
      expect(await (await reopen()).append([eventRecord(third)]))
        .to.have.property('repeats')
        .with.lengthOf(0);
    });

    it('are found without storing anything: those of stored events, within a day', async () => {
      const { store, clock } = fixture();
      const events = ['a', 'b', 'b', null].map((event_id) => eventRecord({ event_id }));
      expect(await store.findRepeats(events)).to.deep.equal([false, false, false, false]);
      await append('b', null);
      expect(await store.findRepeats(events)).to.deep.equal([false, true, true, false]);
      expect(await store.findRepeats([eventRecord({ event_id: 'b', is_keyless: true })])).to.deep.equal([
        false,
      ]);
      expect(await store.findRepeats([])).to.deep.equal([]);
      expect(await storedIds(), 'nothing was stored').to.have.members(['b', null]);
      expect(await append('a'), 'nor claimed')
        .to.have.property('repeats')
        .with.lengthOf(0);
      clock.advance(DAY_MS + 1_000);
      expect(await store.findRepeats(events)).to.deep.equal([false, false, false, false]);
    });

    it('are told apart to the last of 512 characters', async () => {
      const long = 'é'.repeat(511);
      expect(await append(`${long}1`, `${long}2`, `${long}1`))
        .to.have.property('repeats')
        .with.lengthOf(1);
    });

    it('are stored once when 60 appends of one id come at the same time, and each is answered once it is durable', async () => {
      const { store } = fixture();
      const outcomes = await Promise.all(
        Array.from({ length: 60 }, async (_, i) => {
          const outcome = await store.append([eventRecord({ event_id: 'same', event_name: `sender ${i}` })]);
          expect(await fixture().stored()).to.have.length(1);
          return outcome.repeats.length;
        }),
      );
      expect(outcomes.filter((repeated) => repeated === 0)).to.have.length(1);
    });

    it('are known for 24 hours after the event came, and not after', async () => {
      const { clock } = fixture();
      await append('a');
      clock.advance(DAY_MS);
      expect(await append('a'))
        .to.have.property('repeats')
        .with.lengthOf(1);
      clock.advance(1_000);
      expect(await append('a'))
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(await storedIds()).to.deep.equal(['a', 'a']);
    });

    it('are known after the store is opened again, for as long, also of events of long ago', async () => {
      const { store, clock, reopen } = fixture();
      const old = eventRecord({ event_id: 'old', timestamp: Date.UTC(2001, 0, 1) });
      await store.append([old, eventRecord({ event_id: 'ü 😀', website_id: 'web_a' })]);
      clock.advance(DAY_MS);
      let reopened = await reopen();
      expect(await reopened.append([old]))
        .to.have.property('repeats')
        .with.lengthOf(1);
      expect(await reopened.append([eventRecord({ event_id: 'ü 😀', website_id: 'web_a' })]))
        .to.have.property('repeats')
        .with.lengthOf(1);
      clock.advance(1_000);
      reopened = await reopen();
      expect(await reopened.append([old]))
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(await storedIds()).to.deep.equal(['old', 'old', 'ü 😀']);
    });

    it('are none of an append that failed', async () => {
      const { store } = fixture();
      const impossible = eventRecord({ event_id: 'b', load_time: Number.NaN });
      await rejection(store.append([eventRecord({ event_id: 'a' }), impossible]));
      expect(await append('a', 'b'))
        .to.have.property('repeats')
        .with.lengthOf(0);
      expect(await storedIds()).to.deep.equal(['a', 'b']);
    });
  });
}
