/** Stage 4: one dataset of a request becomes a plan that every engine can compile, or the reason why it cannot be answered. */
import { setImmediate } from 'node:timers/promises';
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { TEXT_COLUMNS, type TextColumn } from '../../shared/model/event-record.ts';
import type { Column, Dataset, Dimension, EventScope, Measure } from '../catalogue/dataset.ts';
import { ANY_PROPERTY } from '../catalogue/event-filters.ts';
import {
  type Bucket,
  bucketsOf,
  estimateBuckets,
  type Granularity,
  MAX_DAYS,
  type TimeRange,
  wallClockDays,
} from '../time/buckets.ts';
import type { Zone } from '../time/zone.ts';
import { type AnswerBudget, takeRows } from './answer-budget.ts';
import { type Catalogue, unknownDataset } from './known-names.ts';
import type { ParsedRequest, RequestedDataset, RequestedFilter } from './parse.ts';
import type { FilterOperator } from './request-schema.ts';
import type { Reach } from './resolve.ts';

/** A filter on a column of the catalogue or on a property, whose key is the client's and never becomes a name. */
export interface PlannedFilter {
  readonly on: { readonly column: TextColumn } | { readonly property: string };
  readonly op: FilterOperator;
  readonly values: readonly string[];
}

/** What a list is ordered by. A quotient of nothing counts as 0. */
export type OrderKey =
  | { readonly dimension: string }
  | { readonly measure: string }
  | { readonly of: string; readonly by: string };

export interface OrderTerm {
  readonly key: OrderKey;
  readonly direction: 'asc' | 'desc';
}

/** Everything an engine needs to know; instants instead of dates, columns of the catalogue instead of texts. */
export interface Plan {
  readonly kind: Dataset['kind'];
  readonly reach: Reach;
  readonly range: TimeRange;
  readonly scope: EventScope;
  readonly filters: readonly PlannedFilter[];
  readonly dimensions: readonly Dimension[];
  readonly measures: Readonly<Record<string, Measure>>;
  /** Counts whose sum over all rows before `limit` is asked for too. */
  readonly totals: readonly string[];
  /** Of series only. */
  readonly buckets: readonly Bucket[];
  /** Of lists only: a total order. */
  readonly order: readonly OrderTerm[];
  readonly limit: number;
  readonly offset: number;
  readonly columns: readonly Column[];
}

/** Why one dataset of a call cannot be answered, for the client. */
export interface Refusal {
  readonly refused: string;
}

/** What holds for every dataset of a call. */
export interface PlanContext {
  readonly catalogue: Catalogue;
  readonly reach: Reach;
  readonly zone: Zone;
  /** Buckets by range and granularity, filled while planning, so that a call cuts each range once. */
  readonly cut: Map<string, readonly Bucket[]>;
  /** What the answers may still hold, counted down while planning. */
  readonly budget: AnswerBudget;
}

/**
 * A plan or refusal for each dataset of each request. Identical datasets share one plan, so that it runs once. Other
 * work gets its turn between datasets. @throws the signal's reason.
 */
export async function planCall(
  requests: readonly ParsedRequest[],
  context: PlanContext,
  signal: AbortSignal,
): Promise<(Plan | Refusal)[][]> {
  const plans = new Map<string, Plan>();
  const numbers = new Map<string, number>();
  const planned: (Plan | Refusal)[][] = [];
  for (const request of requests) {
    const { filters, limit, page, sortBy, sortOrder, groupBy } = request;
    const terms = JSON.stringify([filters, limit, page, sortBy, sortOrder, groupBy]);
    const number = numbers.get(terms) ?? numbers.size;
    numbers.set(terms, number);
    const answers: (Plan | Refusal)[] = [];
    for (const asked of request.parameters) {
      const main = context.catalogue.get(asked.name)?.names[0] ?? asked.name;
      const key = `${number}|${asked.range.from}|${asked.range.to}|${asked.granularity}|${main}`;
      const cutBefore = context.cut.size;
      const plan = plans.get(key) ?? planDataset(asked, request, context);
      answers.push('refused' in plan ? plan : (takePlannedRows(plan, context.budget) ?? plan));
      if (!('refused' in plan)) plans.set(key, plan);
      if (context.cut.size > cutBefore) await setImmediate(undefined, { signal });
    }
    planned.push(answers);
  }
  return planned;
}

/** Rows that are known before anything runs; those of a list are counted when they are there. */
function takePlannedRows({ kind, buckets }: Plan, budget: AnswerBudget): Refusal | null {
  if (kind === 'list') return null;
  return takeRows(kind === 'series' ? buckets.length : 1, budget);
}

function planDataset(asked: RequestedDataset, request: ParsedRequest, context: PlanContext): Plan | Refusal {
  const dataset = context.catalogue.get(asked.name);
  if (!dataset) return { refused: unknownDataset(asked.name, context.catalogue).message };
  const filters = planFilters(request.filters, dataset);
  if ('refused' in filters) return filters;
  const extra = planGroupBy(request.groupBy, dataset);
  if ('refused' in extra) return extra;
  const tooLong = dataset.kind === 'series' ? refuseLength(asked, context) : null;
  if (tooLong) return tooLong;

  const dimensions = [...dataset.dimensions, ...extra];
  const columns = [...extra.map(extraColumn), ...dataset.columns];
  const order = dataset.kind === 'list' ? planOrder(request, dataset, columns, dimensions) : [];
  if ('refused' in order) return order;
  const limit = request.limit ?? dataset.defaultLimit;
  const buckets = dataset.kind === 'series' ? cutOnce(asked.range, asked.granularity, context) : [];
  return {
    kind: dataset.kind,
    reach: context.reach,
    range: asked.range,
    scope: dataset.scope,
    filters,
    dimensions,
    measures: dataset.measures,
    totals: columns.flatMap(({ value }) => (value.from === 'share' ? [value.measure] : [])),
    buckets,
    order,
    limit,
    offset: (request.page - 1) * limit,
    columns,
  };
}

const columnNames: ReadonlySet<string> = new Set(TEXT_COLUMNS);

function isTextColumn(name: string): name is TextColumn {
  return columnNames.has(name);
}

const PROPERTY_PREFIX = 'properties.';

function planFilters(filters: readonly RequestedFilter[], dataset: Dataset): PlannedFilter[] | Refusal {
  const planned: PlannedFilter[] = [];
  for (const { field, op, values } of filters) {
    const isProperty = field.startsWith(PROPERTY_PREFIX) && field.length > PROPERTY_PREFIX.length;
    if (isProperty && dataset.filters.includes(ANY_PROPERTY)) {
      planned.push({ on: { property: field.slice(PROPERTY_PREFIX.length) }, op, values });
    } else if (dataset.filters.includes(field) && isTextColumn(field)) {
      planned.push({ on: { column: field }, op, values });
    } else {
      const nearest = nearestName(field, dataset.filters);
      const meant = nearest === undefined ? '' : `; did you mean "${nearest}"?`;
      return {
        refused: `The dataset "${dataset.names[0]}" has no filter field "${field}"; it allows ${dataset.filters.join(', ')}${meant || '.'}`,
      };
    }
  }
  return planned;
}

function planGroupBy(names: readonly string[], dataset: Dataset): Dimension[] | Refusal {
  const chosen: Dimension[] = [];
  for (const name of new Set(names)) {
    const dimension = dataset.extraDimensions.find((extra) => extra.name === name);
    if (!dimension) {
      const allowed = dataset.extraDimensions.map((extra) => extra.name).join(', ');
      return {
        refused: `The dataset "${dataset.names[0]}" cannot be grouped by "${name}"; it allows ${allowed || 'no groupBy'}.`,
      };
    }
    chosen.push(dimension);
  }
  return chosen;
}

function extraColumn(dimension: Dimension): Column {
  return {
    name: dimension.name,
    type: 'string',
    description: 'Dimension added by groupBy.',
    value: { from: 'dimension', dimension: dimension.name },
  };
}

/** Before anything is cut: a range that is too long, or has more buckets than the answers may still hold. */
function refuseLength({ range, granularity }: RequestedDataset, context: PlanContext): Refusal | null {
  const days = wallClockDays(context.zone, range);
  const most = MAX_DAYS[granularity];
  if (days <= most) {
    return takeRows(estimateBuckets(days, granularity), { ...context.budget });
  }
  return {
    refused: `With ${granularity} granularity a range is at most ${most} days; this one has ${Math.ceil(days)}. Ask for a shorter range or a wider granularity.`,
  };
}

function cutOnce(range: TimeRange, granularity: Granularity, context: PlanContext): readonly Bucket[] {
  const key = `${range.from}|${range.to}|${granularity}`;
  const known = context.cut.get(key);
  if (known) return known;
  const buckets = bucketsOf(context.zone, range, granularity);
  context.cut.set(key, buckets);
  return buckets;
}

function planOrder(
  request: ParsedRequest,
  dataset: Dataset,
  columns: readonly Column[],
  dimensions: readonly Dimension[],
): OrderTerm[] | Refusal {
  const name = request.sortBy ?? dataset.order?.column;
  const column = columns.find((candidate) => candidate.name === name);
  if (!column) {
    const allowed = columns.map((candidate) => candidate.name).join(', ');
    const nearest = nearestName(
      name,
      columns.map((candidate) => candidate.name),
    );
    const meant = nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
    return {
      refused: `The dataset "${dataset.names[0]}" has no column "${name}"; it has ${allowed}${meant}`,
    };
  }
  const natural = column.type === 'string' ? 'asc' : 'desc';
  const usual = request.sortBy === undefined ? dataset.order?.direction : undefined;
  const direction = request.sortOrder ?? usual ?? natural;
  const ties = dimensions.map(({ name: dimension }) => ({ key: { dimension }, direction: 'asc' as const }));
  return [{ key: orderKey(column), direction }, ...ties];
}

function orderKey({ value }: Column): OrderKey {
  switch (value.from) {
    case 'bucket':
      throw new Error('A list has no buckets.');
    case 'dimension':
      return { dimension: value.dimension };
    case 'quotient':
      return { of: value.of, by: value.by };
    default:
      return { measure: value.measure };
  }
}
