/** What the screens of funnels ask of the API, and what they make of the answers: steps, groups, and the sessions behind both. */
import type { DatasetAnswer, FunnelView } from '../../api/wire.ts';
import type { ColumnKind, Listing, ListingColumn } from '../../drill/listing.ts';
import type { Series } from '../../drill/series.ts';
import { type DatasetRow, numberOf } from '../../website/batch.ts';
import { type Question, type Scene, sceneFields } from '../../website/scene.ts';
import type { Group } from '../paths/groups.ts';
import { type Behind, behindMatch } from '../paths/sessions-behind.ts';

/** As many as the API answers of a list: every step of its groups. */
const MOST_ROWS = 10_000;

const column = (key: string, kind: ColumnKind): ListingColumn => ({ key, kind, isUnsorted: true });

export const stepsListing = (funnelId: string): Listing => ({
  id: 'steps',
  dataset: 'funnel',
  arguments: { funnelId },
  sort: '',
  columns: [
    column('step', 'text'),
    column('visitors', 'count'),
    column('conversion_rate', 'percent'),
    column('step_rate', 'percent'),
    column('dropped', 'count'),
    column('median_seconds_from_previous', 'duration'),
  ],
});

const MEASURES: Series['columns'] = [
  { key: 'conversion_rate', kind: 'percent', needs: 'visitors' },
  { key: 'visitors', kind: 'count' },
  { key: 'converted', kind: 'count' },
  { key: 'median_seconds_to_convert', kind: 'duration', needs: 'converted' },
];
export const MEASURE_KEYS: readonly string[] = MEASURES.map(({ key }) => key);

/** `measure`: the one that is drawn; the first where there is none of that name. */
export function seriesOf(measure: string | undefined): Series {
  const [first] = MEASURES;
  const drawn = MEASURES.find(({ key }) => key === measure) ?? first;
  return { dataset: 'funnel_over_time', columns: [drawn, ...MEASURES.filter((each) => each !== drawn)] };
}

export const seriesQuestion = (scene: Scene, funnelId: string): Question => ({
  id: 'series',
  parameters: [{ name: 'funnel_over_time', funnelId }],
  ...sceneFields(scene),
  granularity: scene.granularity,
});

/** Every step by what the events of the first step say. */
export function groupsQuestion(scene: Scene, funnelId: string, { column }: Group): Question {
  return {
    id: 'groups',
    parameters: [{ name: 'funnel', funnelId }],
    ...sceneFields({ ...scene, comparison: undefined }),
    groupBy: [column.key],
    limit: MOST_ROWS,
  };
}

export interface GroupRow {
  /** That of the first step, which tells the group. */
  readonly first: DatasetRow;
  /** Who got to each step. */
  readonly visitors: readonly number[];
  /** Of the last step, in percent of the first. */
  readonly rate: number;
}

/** A row for each group, the largest first. */
export function groupRows({ data }: Pick<DatasetAnswer, 'data'>, { column }: Group): readonly GroupRow[] {
  const rows = new Map<unknown, { first: DatasetRow; visitors: number[]; rate: number }>();
  // The steps come in their order.
  for (const row of data) {
    const found = rows.get(row[column.key]) ?? { first: row, visitors: [], rate: 0 };
    rows.set(row[column.key], found);
    found.visitors.push(numberOf(row, 'visitors'));
    found.rate = numberOf(row, 'conversion_rate');
  }
  return [...rows.values()].sort((left, right) => (right.visitors[0] ?? 0) - (left.visitors[0] ?? 0));
}

type Steps = Pick<FunnelView, 'steps' | 'ordered'>;

/** Visitors who did what every step up to this one asks for; undefined: they cannot be told by filters. `step`: from 1. */
export function behindStep({ steps, ordered }: Steps, step: number): readonly Behind[] | undefined {
  // In any order, the first rows are of any of the steps.
  if (!ordered && step < steps.length) return undefined;
  return steps.slice(0, step).map((each) => behindMatch(each, 'visitor'));
}

/** Visitors who did what the steps before this one ask for, and nothing that this one asks for. */
export function behindDrop({ steps, ordered }: Steps, step: number): readonly Behind[] | undefined {
  const missed = steps[step - 1];
  if (!ordered || missed === undefined || step < 2) return undefined;
  const before = steps.slice(0, step - 1).map((each) => behindMatch(each, 'visitor'));
  return [...before, behindMatch(missed, 'no_visitor')];
}
