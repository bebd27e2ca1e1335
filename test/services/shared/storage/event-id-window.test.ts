/** The window of event ids: exact for its size and age against a plain model, and small. */
import { hash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { EventIdWindow, eventIdHash } from '../../../../services/shared/storage/event-id-window.ts';
import { fairParts, type IdParty } from '../../../../services/shared/storage/id-shares.ts';
import { eventRecord } from '../../../support/event-record.ts';

function idOf(number: number): string {
  return hash('md5', `id ${number}`, 'binary');
}

const ONE: IdParty = { organizationId: 'org_a', websiteId: null, isKeyless: false };
const party = (organizationId: string, isKeyless = false, websiteId: string | null = 'web'): IdParty => {
  return { organizationId, websiteId, isKeyless };
};

/** A window that holds what parties added: the number of ids that each still has. */
function windowOf(size: number) {
  const window = new EventIdWindow({ size, keepMs: 1_000_000 });
  const added = new Map<IdParty, string[]>();
  let last = 0;
  return {
    window,
    add(count: number, by: IdParty) {
      const ids = Array.from({ length: count }, () => idOf(last++));
      for (const id of ids) window.add(id, 1_000, by);
      added.set(by, [...(added.get(by) ?? []), ...ids]);
    },
    known: (by: IdParty) => (added.get(by) ?? []).map((id) => window.has(id, 1_000)),
    count: (by: IdParty) => (added.get(by) ?? []).filter((id) => window.has(id, 1_000)).length,
  };
}

describe('EventIdWindow', () => {
  it('knows exactly the newest ids of its size, also after running through its memory several times', () => {
    const window = new EventIdWindow({ size: 70_000, keepMs: 1_000_000 });
    for (let number = 0; number < 300_000; number++) window.add(idOf(number), 1_000, ONE);
    expect(window.count).to.equal(70_000);
    const known: number[] = [];
    for (let number = 0; number < 300_000; number++) if (window.has(idOf(number), 1_000)) known.push(number);
    expect(known).to.have.length(70_000);
    expect(known[0]).to.equal(230_000);
  });

  it('forgets an id once it is older than its window, and not before', () => {
    const window = new EventIdWindow({ size: 10, keepMs: 60_000 });
    window.add(idOf(1), 5_000, ONE);
    expect(window.has(idOf(1), 65_000)).to.equal(true);
    expect(window.has(idOf(1), 66_000)).to.equal(false);
    expect(window.count).to.equal(0);
  });

  it('does as a plain list does, whatever is added and asked at whatever instant', () => {
    const step = fc.record({ id: fc.integer({ min: 0, max: 40 }), wait: fc.integer({ min: 0, max: 3_000 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), fc.integer({ min: 1, max: 30 }), (steps, size) => {
        const window = new EventIdWindow({ size, keepMs: 20_000 });
        let model: { id: number; at: number }[] = [];
        let now = 1_700_000_000_000;
        for (const { id, wait } of steps) {
          now += wait;
          const earliest = Math.floor(now / 1000) - 20;
          model = model.filter((entry) => Math.floor(entry.at / 1000) >= earliest);
          const isKnown = model.some((entry) => entry.id === id);
          expect(window.has(idOf(id), now)).to.equal(isKnown);
          window.add(idOf(id), now, ONE);
          if (!isKnown) model = [...model, { id, at: now }].slice(-size);
          expect(window.count).to.equal(model.length);
        }
      }),
    );
  });

  it('keeps 200,000 ids in less than 32 bytes each', () => {
    const window = new EventIdWindow({ size: 5_000_000, keepMs: 1_000 });
    for (let number = 0; number < 200_000; number++) window.add(idOf(number), 1_000, ONE);
    expect(window.count).to.equal(200_000);
    expect(window.bytes).to.be.within(200_000 * 20, 200_000 * 32);
  });

  describe('shared by organizations', () => {
    const [owner, flooding, third] = [party('org_a'), party('org_b'), party('org_c')];

    it('keeps all ids of one that holds no more than its fair share, whatever another adds', () => {
      const { add, count, window } = windowOf(300);
      add(140, owner);
      add(5_000, flooding);
      expect([count(owner), count(flooding), window.count]).to.deep.equal([140, 160, 300]);
    });

    it('gives a latecomer its fair share of what another has filled, and keeps the newest of each', () => {
      const { add, count, known } = windowOf(300);
      add(1_000, flooding);
      add(400, owner);
      add(400, third);
      expect([count(owner), count(flooding), count(third)]).to.deep.equal([100, 100, 100]);
      for (const one of [owner, flooding, third]) {
        expect(known(one).slice(-100).every(Boolean), 'the newest').to.equal(true);
      }
    });

    it('keeps the keyed ids of an organization from a flood without a key, and those of a website from that of another', () => {
      const [noise, quiet] = [party('org_a', true, 'web_noise'), party('org_a', true, 'web_quiet')];
      const { add, count } = windowOf(400);
      add(150, owner);
      add(90, quiet);
      add(3_000, noise);
      expect([count(owner), count(quiet), count(noise)]).to.deep.equal([150, 90, 160]);
      add(300, owner);
      expect([count(owner), count(quiet), count(noise)]).to.deep.equal([200, 90, 110]);
    });

    it('does as a plain list does from which the one with most takes its oldest', () => {
      const parties = [
        owner,
        flooding,
        party('org_a', true),
        party('org_a', true, 'other'),
        party('org_b', true),
      ];
      const step = fc.record({
        by: fc.constantFrom(...parties),
        id: fc.nat({ max: 60 }),
        wait: fc.nat({ max: 2_000 }),
      });
      fc.assert(
        fc.property(fc.array(step, { maxLength: 300 }), fc.integer({ min: 1, max: 25 }), (steps, size) => {
          const window = new EventIdWindow({ size, keepMs: 60_000 });
          let model: Kept[] = [];
          let now = 1_700_000_000_000;
          for (const { by, id, wait } of steps) {
            now += wait;
            const earliest = Math.floor(now / 1000) - 60;
            model = model.filter(({ at }) => Math.floor(at / 1000) >= earliest);
            const isKnown = model.some((kept) => kept.id === id);
            expect(window.has(idOf(id), now)).to.equal(isKnown);
            window.add(idOf(id), now, by);
            if (isKnown) continue;
            if (model.length === size) {
              const lost = giving(model, by);
              const gone = model.filter((kept) => !window.has(idOf(kept.id), now));
              // Of equals any may be the one: it gave up its oldest.
              expect(gone).to.have.length(1);
              const [left] = gone;
              expect(lost.map((kept) => kept.id)).to.include(left?.id);
              model = model.filter((kept) => kept !== left);
            }
            model = [...model, { id, at: now, by }];
            expect(window.count).to.equal(model.length);
          }
        }),
      );
    });
  });
});

interface Kept {
  readonly id: number;
  readonly at: number;
  readonly by: IdParty;
}

/** Those of which one is to go: the oldest of whoever holds most, by organization, key and website. */
function giving(model: readonly Kept[], asking: IdParty): Kept[] {
  let left = [{ kept: model, isOwn: true }];
  for (const name of ['organizationId', 'isKeyless', 'websiteId'] as const) {
    left = left.flatMap(({ kept, isOwn }) => {
      const values = new Set(kept.map(({ by }) => by[name]));
      const groups = [...values].map((value) => {
        return [value, kept.filter(({ by }) => by[name] === value)] as const;
      });
      const most = Math.max(...groups.map(([, members]) => members.length));
      const largest = groups.filter(([, members]) => members.length === most);
      const own = isOwn ? largest.filter(([value]) => value === asking[name]) : [];
      return (own.length > 0 ? own : largest).map(([value, members]) => ({
        kept: members,
        isOwn: isOwn && value === asking[name],
      }));
    });
  }
  return left.flatMap(({ kept }) => kept.slice(0, 1));
}

describe('fairParts', () => {
  it('gives all to whoever has less than an equal part, and equal parts of the rest to the others', () => {
    expect(fairParts(100, [10, 500, 80])).to.deep.equal([10, 45, 45]);
    expect(fairParts(100, [10, 20])).to.deep.equal([10, 20]);
    expect(fairParts(2, [9, 9, 9]).reduce((a, b) => a + b)).to.equal(2);
    expect(fairParts(5, [])).to.deep.equal([]);
  });
});

describe('eventIdHash', () => {
  const hashOf = (website: string | null, organization: string, id: string | null) =>
    eventIdHash(eventRecord({ website_id: website, organization_id: organization, event_id: id }));

  it('tells events of different websites and organizations apart, and the same one again', () => {
    const hashes = [
      hashOf('a', 'org', 'id'),
      hashOf('b', 'org', 'id'),
      hashOf(null, 'a', 'id'),
      hashOf(null, 'org', 'id'),
      hashOf('a', 'org', 'other'),
    ];
    expect(new Set(hashes).size).to.equal(5);
    expect(hashOf('a', 'org', 'id')).to.equal(hashes[0]);
  });

  it('tells events with and without a key apart, also of an owner that is called like the mark of the other', () => {
    const owners = [{ website_id: 'a' }, { website_id: null, organization_id: 'a' }, { website_id: 'kwa' }];
    const hashes = owners.flatMap((owner) =>
      [null, true].map((is_keyless) => eventIdHash(eventRecord({ ...owner, is_keyless, event_id: 'id' }))),
    );
    expect(new Set(hashes).size).to.equal(6);
  });

  it('is null for an event without id', () => {
    expect(hashOf('a', 'org', null)).to.equal(null);
  });
});
