/** Checks what the screen of retention asks, and the cohorts, means and sessions that it makes of the answer. */
import { expect } from 'chai';
import {
  cohortsOf,
  inPeriods,
  meansOf,
  type PeriodScene,
  retentionQuestion,
  type Settings,
  sessionsOfCell,
  settingsOf,
} from '../../../../../../services/dashboard/client/screens/retention/model.ts';
import type { Range } from '../../../../../../services/dashboard/client/website/range.ts';
import type { Scene } from '../../../../../../services/dashboard/client/website/scene.ts';

const TODAY = '2025-01-15';
const CLOCK = { now: Date.parse('2025-01-15T12:00:00Z'), today: TODAY };
const ANY: Settings = { mode: 'exact', shown: 'percent', start: undefined, returning: undefined };

const sceneOf = (range: Range, by?: string) => {
  const same = { websiteId: 'web', timezone: 'UTC', filters: [], comparison: undefined };
  const scene: Scene = { ...same, range, granularity: 'daily' };
  return inPeriods({ ...scene, today: TODAY }, by);
};

/** Rows as the API has them, of how many of each cohort came in each period, its own first. */
const rowsOf = (cohorts: Readonly<Record<string, readonly number[]>>) => ({
  data: Object.entries(cohorts).flatMap(([date, visitors]) =>
    visitors.map((count, period) => ({
      ...{ date, period, cohort_visitors: visitors[0] ?? 0, visitors: count },
      percentage: visitors[0] ? (count / visitors[0]) * 100 : 0,
    })),
  ),
});

describe('the model of retention', () => {
  it('finds the periods that suit a range, and offers none that the API refuses', () => {
    const found = (range: Range, by?: string) => {
      const { granularity, granularities } = sceneOf(range, by);
      return [granularity, granularities];
    };
    const all = ['daily', 'weekly', 'monthly'];
    expect(found({ preset: 'last_7d' })).to.deep.equal(['daily', all]);
    expect(found({ preset: 'last_30d' })).to.deep.equal(['weekly', all]);
    expect(found({ preset: 'last_30d' }, 'daily')).to.deep.equal(['daily', all]);
    expect(found({ preset: 'last_30d' }, 'hourly')).to.deep.equal(['weekly', all]);
    expect(found({ preset: 'last_12m' }, 'daily')).to.deep.equal(['monthly', ['weekly', 'monthly']]);
    expect(found({ first: '2010-01-01', last: '2025-01-15' })).to.deep.equal(['monthly', ['monthly']]);
    expect(found({ preset: 'all' }, 'weekly')).to.deep.equal(['weekly', all]);
  });

  it('asks by the settings of the address, and by the usual ones where those make no sense', () => {
    const start = JSON.stringify(['event', 'eq', 'signup']);
    const settings = settingsOf({ mode: 'rolling', show: 'people', start, returning: '["goal","gol_1"]' });
    expect(settings.shown).to.equal('people');
    expect(retentionQuestion(sceneOf({ preset: 'last_7d' }), settings)).to.deep.equal({
      id: 'retention',
      parameters: [
        {
          ...{ name: 'retention', unit: 'day', mode: 'rolling', goalId: 'gol_1' },
          start: { type: 'event', match: { op: 'eq', value: 'signup' }, conditions: [] },
        },
      ],
      preset: 'last_7d',
    });
    expect(settingsOf({ mode: '__proto__', show: 'x', start: '{', returning: '[]' })).to.deep.equal(ANY);
  });

  it('begins with the first cohort that has anybody, and leaves out what has not begun', () => {
    const scene = sceneOf({ first: '2025-01-12', last: '2025-01-16' });
    const rows = rowsOf({
      '2025-01-12': [0, 0, 0, 0, 0],
      '2025-01-13': [2, 1, 0, 0],
      '2025-01-14': [0, 0, 0],
      '2025-01-15': [1, 0],
      '2025-01-16': [0],
    });
    const cohorts = cohortsOf(rows, scene, CLOCK);
    expect(cohorts.map(({ date, cells }) => [date, cells.length])).to.deep.equal([
      ['2025-01-13', 3],
      ['2025-01-14', 2],
      ['2025-01-15', 1],
    ]);
    expect(cohorts[0]?.cells.map(({ date, state }) => [date, state])).to.deep.equal([
      ['2025-01-13', 'whole'],
      ['2025-01-14', 'whole'],
      ['2025-01-15', 'running'],
    ]);
    expect(cohortsOf(rowsOf({ '2025-01-12': [0] }), scene, CLOCK)).to.deep.equal([]);
  });

  it('counts each visitor once in the mean, and only periods that are over and whole', () => {
    const scene = sceneOf({ first: '2025-01-12', last: TODAY });
    const rows = rowsOf({
      '2025-01-12': [8, 4, 2, 1],
      '2025-01-13': [2, 2, 2],
      '2025-01-14': [0, 0],
      '2025-01-15': [5],
    });
    // Of the 15th, which still runs, nothing counts: 4 of 8 and 2 of 2, then 2 of 8.
    expect(meansOf(cohortsOf(rows, scene, CLOCK))).to.deep.equal([100, 60, 25, undefined]);
  });

  it('leads to exactly the visitors of the first cohort, and says where filters show more than a cell counts', () => {
    const scene = sceneOf({ first: '2025-01-13', last: TODAY }, 'weekly');
    const cohorts = cohortsOf(rowsOf({ '2025-01-05': [0, 0], '2025-01-12': [3] }), scene, CLOCK);
    const [own] = cohorts[0]?.cells ?? [];
    if (!own) throw new Error('there is a cohort');
    const of = (change: Partial<Settings> = {}, more: Partial<PeriodScene> = {}) =>
      sessionsOfCell(own, { ...scene, ...more }, { ...ANY, ...change }, cohorts);
    // The week as far as it is of the range.
    expect(of()).to.deep.equal({ days: { first: '2025-01-13', last: TODAY }, parts: [], isExact: true });
    const signup = settingsOf({ start: '["event","eq","signup"]' }).start;
    expect(of({ start: signup })).to.deep.include({ isExact: true });
    expect(of({ start: signup }).parts[0]?.filters).to.deep.equal([
      { dimension: 'event', operator: 'eq', value: 'signup', of: 'visitor' },
    ]);
    // A path stands in other events too, a condition may be met by another event, and what a goal is, nobody knows here.
    for (const start of [
      '["page","eq","/"]',
      '["event","eq","signup",["plan","eq","pro"]]',
      '["goal","g"]',
    ]) {
      expect(of({ start: settingsOf({ start }).start }).isExact, start).to.equal(false);
    }
    // A filter of sessions would be judged by that week alone.
    const filters = [{ dimension: 'country', operator: 'eq', value: 'DE', of: 'session' }] as const;
    expect(of({}, { filters }).isExact).to.equal(false);
    expect(of({}, { filters: [{ ...filters[0], of: 'event' }] }).isExact).to.equal(true);
  });

  it('leads to the period of a cell, or to all from it on when later ones count too', () => {
    const scene = sceneOf({ first: '2025-01-12', last: TODAY });
    const rows = rowsOf({
      '2025-01-12': [2, 1, 1, 1],
      '2025-01-13': [1, 0, 0],
      '2025-01-14': [0, 0],
      '2025-01-15': [0],
    });
    const cohorts = cohortsOf(rows, scene, CLOCK);
    const cell = cohorts[0]?.cells[1];
    if (!cell) throw new Error('there is a cell');
    const exact = sessionsOfCell(cell, scene, ANY, cohorts);
    expect(exact).to.deep.equal({
      days: { first: '2025-01-13', last: '2025-01-13' },
      parts: [],
      isExact: false,
    });
    const rolling = sessionsOfCell(cell, scene, { ...ANY, mode: 'rolling' }, cohorts);
    expect(rolling.days).to.deep.equal({ first: '2025-01-13', last: TODAY });
    const second = cohorts[1]?.cells[0];
    expect(second && sessionsOfCell(second, scene, ANY, cohorts).isExact).to.equal(false);
  });
});
