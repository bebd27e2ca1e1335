/** What the screen of journeys asks of the API, and the steps, what leads to each of them and on, and the sessions behind it. */
import type { DatasetAnswer, EventMatch } from '../../api/wire.ts';
import type { Listing } from '../../drill/listing.ts';
import { type DatasetRow, numberOf, previousOf, textOf } from '../../website/batch.ts';
import type { Scene } from '../../website/scene.ts';
import { filterField, rowFilter } from '../../website/scene-filters.ts';
import { choiceArguments, choiceOf, type EventChoice } from '../paths/event-choice.ts';
import { type Behind, behindMatch } from '../paths/sessions-behind.ts';

export const DIRECTIONS = ['forward', 'backward'] as const;
export const KINDS = ['all', 'pages', 'events'] as const;
/** How many steps, and how many pages and events of each, the usual first. */
export const DEPTHS = ['5', '3', '10', '20'] as const;
export const WIDTHS = ['10', '5', '20'] as const;

export interface Settings {
  /** Undefined: whatever a session begins with. */
  readonly start: EventChoice | undefined;
  readonly direction: (typeof DIRECTIONS)[number];
  /** Which kinds of events are steps; of a goal, which may be of either, all. */
  readonly kinds: (typeof KINDS)[number];
  readonly depth: (typeof DEPTHS)[number];
  readonly width: (typeof WIDTHS)[number];
}

/** As the address says; what makes no sense is as it is at first. */
export function settingsOf(parameters: Readonly<Record<string, string | undefined>>): Settings {
  const start = choiceOf(parameters.start);
  const one = <Value extends string>(values: readonly [Value, ...Value[]], name: string) =>
    values.find((each) => each === parameters[name]) ?? values[0];
  return {
    start,
    direction: one(DIRECTIONS, 'direction'),
    kinds: start && 'goalId' in start ? 'all' : one(KINDS, 'kinds'),
    depth: one(DEPTHS, 'depth'),
    width: one(WIDTHS, 'width'),
  };
}

/** Any page or event with a name. */
const any = (type: EventMatch['type']): EventMatch => ({ type, match: { op: 'matches', value: '.' } });

/** The links between steps, as a list; the steps are drawn from all of it. */
export function journeyListing({ start, direction, kinds, depth, width }: Settings): Listing {
  return {
    dataset: 'journey',
    arguments: {
      ...choiceArguments(start ?? any(kinds === 'events' ? 'event' : 'page'), 'start', 'goalId'),
      direction,
      steps: Number(depth),
      width: Number(width),
    },
    where: kinds === 'all' ? [] : [keptKinds(kinds, start)],
    sort: 'step',
    columns: [
      { key: 'step', kind: 'text' },
      { key: 'from_name', kind: 'text' },
      { key: 'name', kind: 'text' },
      { key: 'sessions', kind: 'count' },
      { key: 'percentage', kind: 'percent' },
    ],
  };
}

/** Events of a kind, and those that a journey starts with. */
function keptKinds(kinds: 'pages' | 'events', start: EventChoice | undefined): object {
  const kept = { field: 'event_name', op: kinds === 'pages' ? 'eq' : 'ne', value: 'screen_view' };
  if (start === undefined || 'goalId' in start) return kept;
  const starts = behindMatch({ type: start.type, match: start.match }, 'event').filters;
  return { any: [kept, ...starts.map(filterField)] };
}

export interface Stop {
  readonly step: number;
  readonly type: string;
  readonly name: string;
  readonly sessions: number;
  /** In percent of all sessions with a start. */
  readonly percentage: number;
  /** Sessions that go no further; undefined of the last step, behind which nobody looks. */
  readonly ended: number | undefined;
}

/** Tells stops apart, also in an address. */
export const stopKey = (step: number, type: string, name: string): string =>
  JSON.stringify([step, type, name]);
const keyOf = (row: DatasetRow): string =>
  stopKey(numberOf(row, 'step'), textOf(row, 'type'), textOf(row, 'name'));
const fromKeyOf = (row: DatasetRow): string =>
  stopKey(numberOf(row, 'step') - 1, textOf(row, 'from_type'), textOf(row, 'from_name'));

/** The stops of each step, those with the most sessions first and all others last. */
export function stepsOf(
  { data }: Pick<DatasetAnswer, 'data'>,
  { depth }: Pick<Settings, 'depth'>,
): readonly (readonly Stop[])[] {
  const [came, went] = [new Map<string, number>(), new Map<string, number>()];
  const add = (sums: Map<string, number>, key: string, row: DatasetRow) =>
    sums.set(key, (sums.get(key) ?? 0) + numberOf(row, 'sessions'));
  const stops = new Map<string, DatasetRow>();
  for (const row of data) {
    stops.set(keyOf(row), row);
    add(came, keyOf(row), row);
    add(went, fromKeyOf(row), row);
  }
  const all = data.reduce(
    (sum, row) => sum + (numberOf(row, 'step') === 0 ? numberOf(row, 'sessions') : 0),
    0,
  );
  const steps: Stop[][] = [];
  for (const [key, row] of stops) {
    const step = numberOf(row, 'step');
    const sessions = came.get(key) ?? 0;
    const ended = step < Number(depth) ? sessions - (went.get(key) ?? 0) : undefined;
    const percentage = all === 0 ? 0 : (sessions / all) * 100;
    steps[step] ??= [];
    steps[step].push({
      step,
      type: textOf(row, 'type'),
      name: textOf(row, 'name'),
      sessions,
      percentage,
      ended,
    });
  }
  const isOther = ({ type }: Stop) => Number(type === 'other');
  return steps.map((each) => each.sort((a, b) => isOther(a) - isOther(b) || b.sessions - a.sessions));
}

export interface Way {
  /** Of a stop: what leads to it from the start on, or what leads on from it. */
  readonly of: 'nearer' | 'farther';
  readonly type: string;
  readonly name: string;
  readonly sessions: number;
  /** Null: nothing is compared, or the other period has no such link. */
  readonly before: number | null;
}

/** The links of a stop, the most frequent first; `key`: by {@link stopKey}. */
export function waysOf({ data }: Pick<DatasetAnswer, 'data'>, key: string): readonly Way[] {
  const ways = data.flatMap((row): Way[] => {
    const previous = previousOf(row);
    const counted = {
      sessions: numberOf(row, 'sessions'),
      before: previous ? numberOf(previous, 'sessions') : null,
    };
    if (keyOf(row) === key && numberOf(row, 'step') > 0) {
      return [{ of: 'nearer', type: textOf(row, 'from_type'), name: textOf(row, 'from_name'), ...counted }];
    }
    if (fromKeyOf(row) !== key) return [];
    return [{ of: 'farther', type: textOf(row, 'type'), name: textOf(row, 'name'), ...counted }];
  });
  return ways.sort(
    (a, b) => Number(a.of === 'farther') - Number(b.of === 'farther') || b.sessions - a.sessions,
  );
}

export interface StopSessions {
  readonly parts: readonly Behind[];
  /** Whether they are those that the stop counts: else they have the start and the stop, at whatever step. */
  readonly isExact: boolean;
}

/** Undefined: filters cannot say them, not even about. They know no order, so only a start may lead to exactly its sessions. */
export function sessionsOfStop(
  { step, type, name }: Pick<Stop, 'step' | 'type' | 'name'>,
  { start, kinds }: Settings,
  { filters }: Pick<Scene, 'filters'>,
): StopSessions | undefined {
  if (type === 'other') return undefined;
  const value = name === 'Unknown' ? null : name;
  const stop: Behind = { filters: [rowFilter(type === 'page' ? 'path' : 'event', value)], isWhole: true };
  if (step > 0) {
    const match = start && !('goalId' in start) ? [behindMatch(start, 'session')] : [];
    return { parts: [...match, stop], isExact: false };
  }
  if (start !== undefined) {
    const isSaid =
      !('goalId' in start) && start.type === 'event' && start.match.op === 'eq' && !start.conditions?.length;
    return { parts: [stop], isExact: isSaid };
  }
  // The first page of a session is the first one that filters of single events keep.
  const isEntry = kinds !== 'events' && filters.every(({ of }) => of !== 'event');
  const entry: Behind = { filters: [rowFilter('entry_path', value)], isWhole: true };
  return isEntry ? { parts: [entry], isExact: true } : { parts: [stop], isExact: false };
}
