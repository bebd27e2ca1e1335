/** Stage 4: one dataset of a request becomes a plan that every engine can compile, or the reason why it cannot be answered. */
import { setImmediate } from 'node:timers/promises';
import type { TextColumn } from '../../shared/model/event-record.ts';
import type { Band, Column, Dataset, Dimension, EventScope, FixedRange, Unit } from '../catalogue/dataset.ts';
import type { Measure, SessionCondition } from '../catalogue/measure.ts';
import {
  type Bucket,
  bucketsOf,
  estimateBuckets,
  type Granularity,
  MAX_DAYS,
  type TimeRange,
  wallClockDays,
} from '../time/buckets.ts';
import { presetDays } from '../time/presets.ts';
import { DAY_MS, type Zone } from '../time/zone.ts';
import { type AnswerBudget, takeRows } from './answer-budget.ts';
import { planFilters, planGroupBy } from './fields.ts';
import { type Catalogue, unknownDataset } from './known-names.ts';
import { type OrderTerm, planOrder } from './order.ts';
import type { ParsedRequest, RequestedDataset } from './parse.ts';
import type { FilterOperator } from './request-schema.ts';
import type { Reach } from './resolve.ts';

/** A filter on a column of the catalogue or on a property, whose key is the client's and never becomes a name. */
export interface PlannedFilter {
  readonly on: { readonly column: TextColumn } | { readonly property: string };
  readonly op: FilterOperator;
  readonly values: readonly string[];
}

/** Everything an engine needs to know; instants instead of dates, columns of the catalogue instead of texts. */
export interface Plan {
  readonly kind: Dataset['kind'];
  readonly unit: Unit;
  readonly reach: Reach;
  readonly range: TimeRange;
  readonly scope: EventScope;
  readonly needs?: TextColumn;
  readonly sessions?: SessionCondition;
  readonly filters: readonly PlannedFilter[];
  readonly dimensions: readonly Dimension[];
  readonly bands?: readonly Band[];
  readonly measures: Readonly<Record<string, Measure>>;
  /** Measures that are asked for over all filtered events too. */
  readonly totals: readonly string[];
  readonly having?: Dataset['having'];
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
  readonly now: number;
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
  if (context.reach.linkId !== undefined && !dataset.ofLinks) {
    return {
      refused: `The dataset "${dataset.names[0]}" is not of short links; under link_id only those run.`,
    };
  }
  const filters = planFilters(request.filters, dataset);
  if ('refused' in filters) return filters;
  const extra = planGroupBy(request.groupBy, dataset);
  if ('refused' in extra) return extra;
  const tooLong = dataset.kind === 'series' ? refuseLength(asked, context) : null;
  if (tooLong) return tooLong;

  const dimensions = [...dataset.dimensions, ...extra.map(({ dimension }) => dimension)];
  const columns = [...extra.map(({ column }) => column), ...dataset.columns];
  const order = dataset.kind === 'list' ? planOrder(request, dataset, columns, dimensions) : [];
  if ('refused' in order) return order;
  const limit = request.limit ?? dataset.defaultLimit;
  const buckets = dataset.kind === 'series' ? cutOnce(asked.range, asked.granularity, context) : [];
  const { kind, unit, scope, needs, sessions, bands, measures, having } = dataset;
  return {
    kind,
    unit,
    reach: context.reach,
    range: dataset.fixedRange ? fixedRange(dataset.fixedRange, context) : asked.range,
    scope,
    needs,
    sessions,
    filters,
    dimensions,
    bands,
    measures,
    totals: columns.flatMap(({ value }) => (value.from === 'share' ? [value.measure] : [])),
    having,
    buckets,
    order,
    limit,
    offset: (request.page - 1) * limit,
    columns,
  };
}

/** What the last minutes hold includes this very instant. */
function fixedRange(fixed: FixedRange, { zone, now }: PlanContext): TimeRange {
  if ('lastMinutes' in fixed) return { from: now - fixed.lastMinutes * 60_000, to: now + 1 };
  const { first, last } = presetDays(fixed.preset, zone.localOf(now));
  return { from: zone.instantOf(first), to: zone.instantOf(last + DAY_MS) };
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
