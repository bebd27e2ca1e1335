/** Holds the calendar of the pages equal to that of the API: a range is shown before it answers. */
import { expect } from 'chai';
import {
  addDays,
  dayIn,
  isDay,
  PRESETS,
  presetDays,
} from '../../../../../services/dashboard/client/website/calendar.ts';
import { GRANULARITIES, RANGE_PRESETS } from '../../../../../services/dashboard/client/website/range.ts';
import { GRANULARITIES as API_GRANULARITIES, dateText } from '../../../../../services/query/time/buckets.ts';
import {
  PRESETS as API_PRESETS,
  presetDays as apiPresetDays,
} from '../../../../../services/query/time/presets.ts';
import { createZone } from '../../../../../services/query/time/zone.ts';

describe('the calendar of the overview', () => {
  it('offers every preset and granularity of days of the API', () => {
    expect([...RANGE_PRESETS].sort()).to.deep.equal([...API_PRESETS].sort());
    expect(GRANULARITIES).to.deep.equal([...API_GRANULARITIES]);
  });

  it('gives every preset the days of the API, on every day of four years', () => {
    let day = '2023-12-25';
    for (let count = 0; count < 1_461; count++, day = addDays(day, 1)) {
      const local = Date.parse(`${day}T13:00:00Z`);
      // The last 24 hours are no days, and when all time began only the API knows.
      for (const preset of PRESETS) {
        const { first, last } = apiPresetDays(preset, local);
        expect(presetDays(preset, day), `${preset} on ${day}`).to.deep.equal({
          first: dateText(first),
          last: dateText(last),
        });
      }
    }
  });

  it('tells the date of a zone as the API does, around midnight and changes of the clock', () => {
    for (const name of ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Apia']) {
      const zone = createZone(name);
      for (let hour = 0; hour < 24 * 370; hour += 17) {
        const instant = Date.UTC(2026, 0, 1) + hour * 3_600_000 + 1_799_000;
        expect(dayIn(name, instant)).to.equal(dateText(zone.localOf(instant)));
      }
    }
  });

  it('takes no date that the calendar does not have', () => {
    expect(['2026-02-28', '2024-02-29'].every(isDay)).to.equal(true);
    expect(
      ['2026-02-30', '2026-13-01', '2026-1-1', '', 'yesterday', '2026-02-28T00:00:00Z'].some(isDay),
    ).to.equal(false);
  });
});
