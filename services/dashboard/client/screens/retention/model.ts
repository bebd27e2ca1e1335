/** What the screen of retention asks of the API, and the cohorts, their means, and the sessions behind them that it makes of the answer. */
import type { DatasetAnswer } from '../../api/wire.ts';
import { numberOf, previousOf, textOf } from '../../website/batch.ts';
import { type BucketState, type Clock, periodOf, stateOf } from '../../website/buckets.ts';
import type { Days } from '../../website/calendar.ts';
import { daysOf, type Granularity, lengthInDays } from '../../website/range.ts';
import { type Question, type Scene, sceneFields } from '../../website/scene.ts';
import { choiceArguments, choiceOf, type EventChoice } from '../paths/event-choice.ts';
import { type Behind, behindMatch } from '../paths/sessions-behind.ts';

/** What periods may be, the days of a range that has more of them than the API takes, and up to how many it is the one that suits best. */
const UNITS = {
  daily: { unit: 'day', most: 100, suits: 14 },
  weekly: { unit: 'week', most: 693, suits: 120 },
  monthly: { unit: 'month', most: Number.POSITIVE_INFINITY, suits: Number.POSITIVE_INFINITY },
} as const;
export type PeriodGranularity = keyof typeof UNITS;
const ALL = Object.keys(UNITS) as PeriodGranularity[];

/** A scene whose buckets are periods. */
export interface PeriodScene extends Scene {
  readonly granularity: PeriodGranularity;
  /** The date in the organization's time zone. */
  readonly today: string;
}

/** The scene by days, weeks or months; `wanted`: what the address says. */
export function inPeriods<View extends Scene & { readonly today: string }>(
  scene: View,
  wanted: string | undefined,
): View & PeriodScene & { readonly granularities: readonly PeriodGranularity[] } {
  const days = lengthInDays(scene.range, scene.today);
  // How long all time is, only the API knows: it says when there are too many.
  const granularities = ALL.filter((each) => days <= UNITS[each].most || days === Number.POSITIVE_INFINITY);
  const granularity =
    granularities.find((each) => each === wanted) ??
    granularities.find((each) => days <= UNITS[each].suits) ??
    'monthly';
  return { ...scene, granularities, granularity };
}

export const MODES = ['exact', 'rolling'] as const;
export const SHOWN = ['percent', 'people'] as const;

export interface Settings {
  readonly mode: (typeof MODES)[number];
  readonly shown: (typeof SHOWN)[number];
  /** Undefined: any event. */
  readonly start: EventChoice | undefined;
  readonly returning: EventChoice | undefined;
}

/** As the address says; what makes no sense is as it is at first. */
export function settingsOf(parameters: Readonly<Record<string, string | undefined>>): Settings {
  return {
    mode: MODES.find((each) => each === parameters.mode) ?? 'exact',
    shown: SHOWN.find((each) => each === parameters.show) ?? 'percent',
    start: choiceOf(parameters.start),
    returning: choiceOf(parameters.returning),
  };
}

export function retentionQuestion(scene: PeriodScene, { mode, start, returning }: Settings): Question {
  return {
    id: 'retention',
    parameters: [
      {
        name: 'retention',
        unit: UNITS[scene.granularity].unit,
        mode,
        ...choiceArguments(start, 'start', 'startGoalId'),
        ...choiceArguments(returning, 'returning', 'goalId'),
      },
    ],
    ...sceneFields(scene),
  };
}

export interface Cell {
  /** Of the cohort, and of the period after it. */
  readonly cohort: string;
  readonly date: string;
  readonly period: number;
  readonly size: number;
  readonly visitors: number;
  readonly percentage: number;
  /** Of the period: whether all of it has passed and is of the range. */
  readonly state: BucketState;
  /** The same numbers of the other period. */
  readonly before:
    | { readonly size: number; readonly visitors: number; readonly percentage: number }
    | undefined;
}

export interface Cohort {
  readonly date: string;
  /** From the cohort's own period on. */
  readonly cells: readonly Cell[];
}

/** The cohorts that have begun, from the first with anybody on, now or in the other period, each with its periods that have. */
export function cohortsOf(
  { data }: Pick<DatasetAnswer, 'data'>,
  { granularity, range }: { readonly granularity: Granularity } & Pick<Scene, 'range'>,
  clock: Clock,
): readonly Cohort[] {
  const dates = [...new Set(data.map((row) => textOf(row, 'date')))];
  const days = daysOf(range, clock.today);
  const cells = data.map((row): Cell => {
    const cohort = textOf(row, 'date');
    const period = numberOf(row, 'period');
    const date = dates[dates.indexOf(cohort) + period] ?? cohort;
    const previous = previousOf(row);
    return {
      ...{ cohort, date, period, ...numbersOf(row), before: previous && numbersOf(previous) },
      state: stateOf({ date }, granularity, clock, days),
    };
  });
  const begun = cells.filter(({ state }) => state !== 'future');
  const cohorts = dates
    .map((date) => ({ date, cells: begun.filter(({ cohort }) => cohort === date) }))
    .filter((cohort) => cohort.cells.length > 0);
  const first = cohorts.findIndex(({ cells: [own] }) => own && own.size + (own.before?.size ?? 0) > 0);
  return first < 0 ? [] : cohorts.slice(first);
}

const numbersOf = (row: DatasetAnswer['data'][number]) => ({
  size: numberOf(row, 'cohort_visitors'),
  visitors: numberOf(row, 'visitors'),
  percentage: numberOf(row, 'percentage'),
});

/**
 * In percent, by the period: of all who are of a cohort whose period is whole, those who returned in it. Undefined: there is nobody. Cohorts
 * count by their size; a period that still runs or is cut would say too little.
 */
export function meansOf(cohorts: readonly Cohort[]): readonly (number | undefined)[] {
  const [longest] = cohorts;
  return (longest?.cells ?? []).map((_, period) => {
    const whole = cohorts.flatMap(({ cells }) => {
      const cell = cells[period];
      return cell?.state === 'whole' ? [cell] : [];
    });
    const sum = (key: 'size' | 'visitors') => whole.reduce((total, cell) => total + cell[key], 0);
    return sum('size') === 0 ? undefined : (sum('visitors') / sum('size')) * 100;
  });
}

/** The sessions that a cell leads to. */
export interface CellSessions {
  /** The days that they are of. */
  readonly days: Days;
  readonly parts: readonly Behind[];
  /** Whether they are of the very visitors that the cell counts: else of all visitors of these days, or of all who did what returning is. */
  readonly isExact: boolean;
}

/**
 * Filters know one range: who began before it, they cannot say. So only the own period of the first cohort with anybody leads to exactly its
 * visitors, unless filters of whole sessions or visitors would be judged by that period alone.
 */
export function sessionsOfCell(
  cell: Cell,
  scene: PeriodScene,
  settings: Settings,
  cohorts: readonly Cohort[],
): CellSessions {
  const { period, cohort, date } = cell;
  const { granularity, filters } = scene;
  const of = period === 0 ? settings.start : settings.returning;
  const range = daysOf(scene.range, scene.today);
  const until = settings.mode === 'rolling' && period > 0 ? (cohorts.at(-1)?.date ?? date) : date;
  const [first, last] = [date, periodOf(until, granularity).last];
  const days = {
    first: range && range.first > first ? range.first : first,
    last: range && range.last < last ? range.last : last,
  };
  const match = of && !('goalId' in of) ? of : undefined;
  const part = match && behindMatch(match, 'visitor');
  const somebody = cohorts.find(({ cells: [own] }) => own && own.size > 0);
  const isFirst = range !== undefined && period === 0 && cohort === somebody?.date;
  const isSaid = of === undefined || (match?.type === 'event' && !match.conditions?.length && part?.isWhole);
  return {
    days,
    parts: part ? [part] : [],
    isExact: isFirst && isSaid === true && filters.every((filter) => filter.of === 'event'),
  };
}
