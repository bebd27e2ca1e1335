/** The window of event ids: exact for its size and age against a plain model, and small. */
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { EventIdWindow, eventIdHash } from '../../services/shared/storage/event-id-window.ts';
import { eventRecord } from '../support/event-record.ts';

function idOf(number: number): string {
  return createHash('md5').update(`id ${number}`).digest('binary');
}

describe('EventIdWindow', () => {
  it('knows exactly the newest ids of its size, also after running through its memory several times', () => {
    const window = new EventIdWindow({ size: 70_000, keepMs: 1_000_000 });
    for (let number = 0; number < 300_000; number++) window.add(idOf(number), 1_000);
    expect(window.count).to.equal(70_000);
    const known: number[] = [];
    for (let number = 0; number < 300_000; number++) if (window.has(idOf(number), 1_000)) known.push(number);
    expect(known).to.have.length(70_000);
    expect(known[0]).to.equal(230_000);
  });

  it('forgets an id once it is older than its window, and not before', () => {
    const window = new EventIdWindow({ size: 10, keepMs: 60_000 });
    window.add(idOf(1), 5_000);
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
          window.add(idOf(id), now);
          if (!isKnown) model = [...model, { id, at: now }].slice(-size);
          expect(window.count).to.equal(model.length);
        }
      }),
    );
  });

  it('keeps 200,000 ids in less than 32 bytes each', () => {
    const before = process.memoryUsage().arrayBuffers;
    const window = new EventIdWindow({ size: 5_000_000, keepMs: 1_000 });
    for (let number = 0; number < 200_000; number++) window.add(idOf(number), 1_000);
    expect(window.count).to.equal(200_000);
    expect(process.memoryUsage().arrayBuffers - before).to.be.below(200_000 * 32 + 1_048_576);
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

  it('is null for an event without id', () => {
    expect(hashOf('a', 'org', null)).to.equal(null);
  });
});
