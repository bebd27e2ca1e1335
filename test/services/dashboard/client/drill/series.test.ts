/** Checks which rows of a series have begun, and what their numbers are. */
import { expect } from 'chai';
import { numberIn } from '../../../../../services/dashboard/client/drill/number-in.ts';
import { seriesRows } from '../../../../../services/dashboard/client/drill/series.ts';
import type { Scene } from '../../../../../services/dashboard/client/website/scene.ts';

const SCENE: Scene = {
  websiteId: 'web_1',
  timezone: 'UTC',
  range: { first: '2026-11-22', last: '2026-11-24' },
  granularity: 'daily',
  filters: [],
  comparison: undefined,
};

describe('the rows of a series', () => {
  it('say which have not begun, and what each is compared with', () => {
    const data = [
      { date: '2026-11-22', errors: 3, previous: { errors: 1 } },
      { date: '2026-11-23', errors: 2, previous: null },
      { date: '2026-11-24', errors: 0 },
    ] as never;
    const clock = { now: Date.parse('2026-11-23T12:00:00Z'), today: '2026-11-23' };
    const rows = seriesRows({ parameter: 'errors_over_time', success: true, data }, SCENE, clock);
    expect(rows.map(({ date, state, before }) => [date, state, before])).to.deep.equal([
      ['2026-11-22', 'whole', { errors: 1 }],
      ['2026-11-23', 'running', undefined],
      ['2026-11-24', 'future', undefined],
    ]);
  });

  it('have no number without a row, or without what it is of', () => {
    expect(numberIn({ p75: 3, samples: 2 }, 'p75', 'samples')).to.equal(3);
    expect(numberIn({ p75: 0, samples: 0 }, 'p75', 'samples')).to.equal(null);
    expect(numberIn({ p75: 0 }, 'p75')).to.equal(0);
    expect(numberIn({ p75: null }, 'p75')).to.equal(null);
    expect(numberIn(undefined, 'p75')).to.equal(null);
  });
});
