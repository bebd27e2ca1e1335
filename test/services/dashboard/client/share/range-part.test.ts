/** The parts of a share's range: offered where they lie within it, read from an address, and told to the API. */
import { expect } from 'chai';
import type { ShownShare } from '../../../../../services/dashboard/client/api/wire.ts';
import {
  fieldsOf,
  frameOf,
  granularityOf,
  parametersOf,
  partOf,
  presetsOf,
} from '../../../../../services/dashboard/client/share/range-part.ts';

/** Noon in Berlin, on a Thursday. */
const NOW = Date.parse('2026-04-02T10:00:00Z');
const share = (own: Partial<ShownShare> = {}): ShownShare => ({
  ...{ name: 'Share', datasets: ['summary'], timezone: 'Europe/Berlin', preset: 'last_7d' },
  ...{ from: '2026-03-26T23:00:00.000Z', to: '2026-04-02T22:00:00.000Z', granularity: null, hasParts: true },
  ...own,
});
const frame = (own: Partial<ShownShare> = {}) => frameOf(share(own), NOW);

describe('the parts of the range of a share', () => {
  it('are days of its zone, whatever its clocks did in between', () => {
    expect(frame()).to.deep.equal({
      days: { first: '2026-03-27', last: '2026-04-02' },
      today: '2026-04-02',
      hasParts: true,
    });
    expect(presetsOf(frame())).to.deep.equal(['today', 'yesterday', 'this_week', 'this_month']);
  });

  it('are none of a range between instants, nor of one that is asked for as a whole', () => {
    expect(
      presetsOf(frame({ from: '2026-04-01T10:00:00.000Z', to: '2026-04-02T10:00:00.000Z' })),
    ).to.deep.equal([]);
    expect(presetsOf(frame({ hasParts: false }))).to.deep.equal([]);
    expect(partOf({ range: 'today' }, frame({ hasParts: false }))).to.equal(null);
  });

  it('reach as far back as anybody asks where all time is shared', () => {
    const all = frame({ from: null, preset: 'all' });
    expect(presetsOf(all)).to.include.members(['last_12m', 'this_year']);
    expect(partOf({ from: '2001-01-01', to: '2001-01-31' }, all)).to.deep.equal({
      first: '2001-01-01',
      last: '2001-01-31',
    });
    expect(granularityOf(null, all, share({ from: null }))).to.equal('weekly');
  });

  it('are read from an address as far as they lie within', () => {
    expect(partOf({}, frame())).to.equal(null);
    expect(partOf({ range: 'yesterday' }, frame())).to.deep.equal({ preset: 'yesterday' });
    expect(partOf({ from: '2026-03-28', to: '2026-03-29' }, frame())).to.deep.equal({
      first: '2026-03-28',
      last: '2026-03-29',
    });
    for (const parameters of [
      { range: 'last_30d' },
      { range: '__proto__' },
      { from: '2026-03-26', to: '2026-03-29' },
      { from: '2026-03-29', to: '2026-04-03' },
      { from: '2026-03-29', to: '2026-03-28' },
      { from: '2026-02-30', to: '2026-03-29' },
    ])
      expect(partOf(parameters, frame()), JSON.stringify(parameters)).to.equal(null);
  });

  it('stand in an address and in a request as they are read', () => {
    for (const part of [null, { preset: 'today' } as const, { first: '2026-03-28', last: '2026-03-29' }])
      expect(partOf(parametersOf(part), frame())).to.deep.equal(part);
    expect(fieldsOf(null)).to.deep.equal({});
    expect(fieldsOf({ preset: 'today' })).to.deep.equal({ preset: 'today' });
    expect(fieldsOf({ first: '2026-03-28', last: '2026-03-29' })).to.deep.equal({
      startDate: '2026-03-28',
      endDate: '2026-03-29',
    });
  });

  it('have buckets that suit their length, and the view its own for its whole range', () => {
    const weekly = share({ granularity: 'weekly' });
    expect(granularityOf(null, frame(), share())).to.equal('daily');
    expect(granularityOf(null, frame(), weekly)).to.equal('weekly');
    expect(granularityOf({ preset: 'today' }, frame(), weekly)).to.equal('hourly');
    expect(granularityOf(null, frame(), share({ granularity: 'minute' }))).to.equal('daily');
    const long = frame({ from: '2020-01-01T00:00:00.000Z', timezone: 'UTC', to: '2026-04-03T00:00:00.000Z' });
    expect(granularityOf(null, long, share())).to.equal('monthly');
  });
});
