/** The sample generator: exactly as many events as asked for, the same for the same seed, and such as ingest takes. */
import { expect } from 'chai';
import { readImportLine } from '../../services/tracking/import/read-import-line.ts';
import { generateEvents, type SampleOptions, zipfWebsites } from './generate-events.ts';

const END = Date.UTC(2026, 0, 31);
const OPTIONS: SampleOptions = { events: 20_000, days: 10, end: END, websites: zipfWebsites(3), seed: 7 };

describe('sample events', () => {
  const events = [...generateEvents(OPTIONS)];

  it('are exactly as many as asked for, ascending in time and within the days', () => {
    for (let seed = 1; seed <= 40; seed++) {
      for (const count of [1, 17, 500 + seed]) {
        const made = [...generateEvents({ ...OPTIONS, events: count, seed })];
        expect(made, `seed ${seed}`).to.have.length(count);
      }
    }
    expect(events).to.have.length(OPTIONS.events);
    const times = events.map(({ timestamp }) => timestamp);
    expect(times).to.deep.equal([...times].sort((a, b) => a - b));
    expect(times[0]).to.be.at.least(END - 10 * 86_400_000);
    expect(times.at(-1)).to.be.below(END);
  });

  it('are the same for the same seed, and others for another', () => {
    expect([...generateEvents(OPTIONS)]).to.deep.equal(events);
    expect([...generateEvents({ ...OPTIONS, seed: 8 })]).not.to.deep.equal(events);
  });

  it('are taken by ingest, every one, under ids that do not repeat', () => {
    const faults = events.flatMap((event) => {
      const read = readImportLine(JSON.stringify(event), END + 86_400_000);
      return 'faults' in read ? read.faults : [];
    });
    expect(faults).to.deep.equal([]);
    expect(new Set(events.map(({ eventId }) => eventId)).size).to.equal(events.length);
  });

  it('share websites, pages and countries unequally', () => {
    const counted = (key: string) => {
      const counts = new Map<unknown, number>();
      for (const event of events) counts.set(event[key], (counts.get(event[key]) ?? 0) + 1);
      return [...counts.values()].sort((a, b) => b - a);
    };
    const [first = 0, second = 0, third = 0] = counted('websiteId');
    expect(first / second).to.be.within(1.6, 2.5);
    expect(second / third).to.be.within(1.2, 1.9);
    expect(counted('path').length).to.be.greaterThan(100);
    expect(counted('country')[0]).to.be.greaterThan(4 * (counted('country').at(-1) ?? 0));
  });

  it('are sessions: a view at first, an exit at last, of one visitor with one device', () => {
    const sessions = new Map<string, typeof events>();
    for (const event of events)
      sessions.set(event.sessionId, [...(sessions.get(event.sessionId) ?? []), event]);
    const whole = [...sessions.values()].filter((one) => one[0] && one[0].timestamp < END - 86_400_000);
    for (const session of whole) {
      expect(session[0]?.name).to.equal('screen_view');
      expect(session.at(-1)?.name).to.equal('page_exit');
      expect(new Set(session.map((one) => `${one.anonymousId} ${one.country} ${one.os_name}`)).size).to.equal(
        1,
      );
    }
    const names = new Set(events.map(({ name }) => name));
    expect(names).to.include.keys(
      'screen_view',
      'page_exit',
      'web_vitals',
      'error',
      'outgoing_link',
      'signup',
    );
  });
});
