/** Days of a time zone, on days with a change of clocks too. */
import { expect } from 'chai';
import { clockOf, dayOf, endOfDay, instantAt } from '../../../../../services/dashboard/client/texts/days.ts';

describe('a day of a time zone', () => {
  const ends = [
    ['2027-01-31', 'UTC', '2027-01-31T23:59:59.000Z'],
    ['2027-01-31', 'Europe/Berlin', '2027-01-31T22:59:59.000Z'],
    ['2027-03-28', 'Europe/Berlin', '2027-03-28T21:59:59.000Z'],
    ['2027-10-31', 'Europe/Berlin', '2027-10-31T22:59:59.000Z'],
    ['2027-03-14', 'America/New_York', '2027-03-15T03:59:59.000Z'],
    ['2027-01-31', 'Asia/Kathmandu', '2027-01-31T18:14:59.000Z'],
    ['2027-01-31', 'Pacific/Kiritimati', '2027-01-31T09:59:59.000Z'],
    ['2028-02-29', 'Pacific/Pago_Pago', '2028-03-01T10:59:59.000Z'],
  ] as const;
  for (const [date, zone, end] of ends) {
    it(`ends ${date} in ${zone} at ${end}, which shows the same day again`, () => {
      expect(new Date(endOfDay(date, zone) ?? 0).toISOString()).to.equal(end);
      expect(dayOf(Date.parse(end), zone)).to.equal(date);
    });
  }

  it('is that of an instant with milliseconds, too', () => {
    expect(dayOf(Date.parse('2026-12-31T23:30:00.999Z'), 'Europe/Berlin')).to.equal('2027-01-01');
  });

  it('has no end when the text is no day', () => {
    for (const text of ['', '26-11-30', '2026-13-01', '+2026-11-30', '2026-11-30T00:00:00Z']) {
      expect(endOfDay(text, 'UTC'), text).to.equal(null);
    }
  });
});

describe('a time by the clocks of a time zone', () => {
  const times = [
    ['2027-01-31T14:30', 'UTC', '2027-01-31T14:30:00.000Z'],
    ['2027-01-31T14:30', 'Europe/Berlin', '2027-01-31T13:30:00.000Z'],
    ['2027-03-28T03:00', 'Europe/Berlin', '2027-03-28T01:00:00.000Z'],
    ['2027-06-30T00:00', 'America/New_York', '2027-06-30T04:00:00.000Z'],
    ['2027-01-31T23:59', 'Asia/Kathmandu', '2027-01-31T18:14:00.000Z'],
  ] as const;
  for (const [clock, zone, instant] of times) {
    it(`is at ${clock} in ${zone} the instant ${instant}, which shows the same time again`, () => {
      expect(new Date(instantAt(clock, zone) ?? 0).toISOString()).to.equal(instant);
      expect(clockOf(Date.parse(instant), zone)).to.equal(clock);
    });
  }

  it('is no instant when the text is no time', () => {
    for (const text of ['', 'soon', '2027-13-01T00:00', '2027-01-31T25:00']) {
      expect(instantAt(text, 'Europe/Berlin'), text).to.equal(null);
    }
  });
});
