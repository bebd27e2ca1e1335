/** Buckets around changes of offset, and properties that hold for every zone and range. */
import { expect } from 'chai';
import fc from 'fast-check';
import { bucketsOf, GRANULARITIES, type Granularity } from '../../../services/query/time/buckets.ts';
import { createZone, DAY_MS, HOUR_MS, isZoneName } from '../../../services/query/time/zone.ts';

function cut(zone: string, from: string, to: string, granularity: Granularity) {
  const range = { from: Date.parse(from), to: Date.parse(to) };
  return bucketsOf(createZone(zone), range, granularity).map(
    (bucket) => [bucket.label, (bucket.to - bucket.from) / HOUR_MS] as const,
  );
}

describe('buckets', () => {
  it('start a day whose midnight was skipped at the change (São Paulo)', () => {
    expect(cut('America/Sao_Paulo', '2018-11-03T03:00:00Z', '2018-11-06T02:00:00Z', 'daily')).to.deep.equal([
      ['2018-11-03', 24],
      ['2018-11-04', 23],
      ['2018-11-05', 24],
    ]);
  });

  it('start a day whose midnight came twice at the first one (Havana)', () => {
    expect(cut('America/Havana', '2024-11-02T04:00:00Z', '2024-11-05T05:00:00Z', 'daily')).to.deep.equal([
      ['2024-11-02', 24],
      ['2024-11-03', 25],
      ['2024-11-04', 24],
    ]);
  });

  it('have none for a date that a zone skipped (Apia)', () => {
    expect(cut('Pacific/Apia', '2011-12-29T10:00:00Z', '2011-12-31T10:00:00Z', 'daily')).to.deep.equal([
      ['2011-12-29', 24],
      ['2011-12-31', 24],
    ]);
  });

  it('cut hours at a change of half an hour (Lord Howe)', () => {
    expect(
      cut('Australia/Lord_Howe', '2025-04-05T13:00:00Z', '2025-04-05T16:30:00Z', 'hourly'),
    ).to.deep.equal([
      ['2025-04-06 00:00:00', 1],
      ['2025-04-06 01:00:00', 1],
      ['2025-04-06 01:00:00', 0.5],
      ['2025-04-06 02:00:00', 1],
    ]);
  });

  it('follow the clock of zones that are off by parts of an hour (Kathmandu)', () => {
    expect(cut('Asia/Kathmandu', '2025-01-01T18:15:00Z', '2025-01-01T20:15:00Z', 'hourly')).to.deep.equal([
      ['2025-01-02 00:00:00', 1],
      ['2025-01-02 01:00:00', 1],
    ]);
  });

  it('cut minutes at a change: those of a skipped hour are missing, those of a repeated one come twice', () => {
    const labels = (zone: string, from: string, to: string) =>
      cut(zone, from, to, 'minute').map(([label]) => label);
    expect(labels('Europe/Berlin', '2025-03-30T00:58:00Z', '2025-03-30T01:02:00Z')).to.deep.equal([
      '2025-03-30 01:58:00',
      '2025-03-30 01:59:00',
      '2025-03-30 03:00:00',
      '2025-03-30 03:01:00',
    ]);
    expect(labels('Europe/Berlin', '2025-10-26T00:59:00Z', '2025-10-26T01:01:00Z')).to.deep.equal([
      '2025-10-26 02:59:00',
      '2025-10-26 02:00:00',
    ]);
    expect(labels('Australia/Lord_Howe', '2025-04-05T14:59:30Z', '2025-04-05T15:00:30Z')).to.deep.equal([
      '2025-04-06 01:59:00',
      '2025-04-06 01:30:00',
    ]);
  });

  it('keep the instant at which an hour starts when the range starts within it', () => {
    const range = { from: Date.parse('2025-01-01T10:20:00Z'), to: Date.parse('2025-01-01T10:40:00Z') };
    expect(bucketsOf(createZone('UTC'), range, 'hourly')).to.deep.equal([
      { ...range, label: '2025-01-01 10:00:00', start: Date.parse('2025-01-01T10:00:00Z') },
    ]);
  });

  it('fill a range without gap or overlap, each labelled with the wall clock of its start', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Australia/Lord_Howe',
      'America/Havana',
      'Asia/Tehran',
      'Africa/Casablanca',
    ];
    const start = Date.UTC(2005, 0, 1);
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...GRANULARITIES),
        fc.integer({ min: 0, max: 20 * 365 * 24 * 60 }),
        fc.integer({ min: 1, max: 20 * 24 * 60 }),
        (name, granularity, minute, length) => {
          const zone = createZone(name);
          const from = start + minute * 60_000;
          const most = granularity === 'minute' ? 24 * 60 : Infinity;
          const range = { from, to: from + Math.min(length, most) * 60_000 };
          const buckets = bucketsOf(zone, range, granularity);
          expect(buckets[0]?.from).to.equal(range.from);
          expect(buckets.at(-1)?.to).to.equal(range.to);
          buckets.forEach((bucket, index) => {
            expect(bucket.to).to.be.greaterThan(bucket.from);
            if (index > 0) expect(bucket.from).to.equal(buckets[index - 1]?.to);
            const day = new Date(zone.localOf(bucket.from)).toISOString().slice(0, 10);
            if (granularity === 'daily') expect(bucket.label).to.equal(day);
            if (granularity === 'hourly') {
              const hour = new Date(zone.localOf(bucket.from)).toISOString().slice(0, 13).replace('T', ' ');
              expect(bucket.label).to.equal(`${hour}:00:00`);
            }
            if (granularity === 'minute') {
              const minute = new Date(zone.localOf(bucket.from)).toISOString().slice(0, 16).replace('T', ' ');
              expect(bucket.label).to.equal(`${minute}:00`);
            }
            if (granularity === 'weekly') {
              const sunday = Date.parse(bucket.label);
              expect(new Date(sunday).getUTCDay()).to.equal(0);
              expect(Date.parse(day) - sunday).to.be.within(0, 6 * DAY_MS);
            }
            if (granularity === 'monthly') expect(bucket.label).to.equal(`${day.slice(0, 7)}-01`);
          });
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('zone names', () => {
  it('are those of the IANA database, never offsets', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5']) {
      expect(isZoneName(name), name).to.equal(true);
    }
    for (const name of ['', '+02:00', 'Europe/Atlantis', 'Europe/Berlin ', "'; --", 'local']) {
      expect(isZoneName(name), name).to.equal(false);
    }
  });
});
