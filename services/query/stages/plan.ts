/** Stage 4: turns one dataset of a request into a plan, or into the reason why it cannot be answered. */
import { setImmediate } from 'node:timers/promises';
import type { ArgumentValues } from '../catalogue/arguments.ts';
import type { Dataset, Dimension, FixedRange, SequenceSource } from '../catalogue/dataset.ts';
import {
  type Bucket,
  bucketsOf,
  estimateBuckets,
  type Granularity,
  lengthInDays,
  MAX_DAYS,
  type TimeRange,
} from '../time/buckets.ts';
import { comparisonOf, type NamedRange, namedRange } from '../time/comparison.ts';
import type { Counterparts } from '../time/counterparts.ts';
import { presetRange } from '../time/presets.ts';
import type { Zone } from '../time/zone.ts';
import { type AnswerBudget, FULL_BUDGET, isOfGroups, takeRows } from './answer-budget.ts';
import type { Definitions } from './definitions.ts';
import { everyWebsite } from './every-website.ts';
import { asFeed } from './feed.ts';
import { planFilters, planGroupBy } from './fields.ts';
import { type Catalogue, unknownDataset } from './known-names.ts';
import { planOrder } from './order.ts';
import type { ParsedRequest, RequestedDataset } from './parse.ts';
import { NO_RANGE } from './parse-range.ts';
import { planComparison, planPeriod } from './plan-comparison.ts';
import { planGoalColumns, planGoals } from './plan-goals.ts';
import { planRevenue } from './plan-revenue.ts';
import { planSearch } from './plan-search.ts';
import { type DefinitionContext, type PlannedSequence, planSequence } from './plan-sequence.ts';
import type { PlannedFilter, QueryPlan, Refusal } from './query-plan.ts';
import type { Reach } from './resolve.ts';

/** A checked call, with what each of its request objects may read, in order. */
export interface PlanInput {
  readonly catalogue: Catalogue;
  readonly requests: readonly ParsedRequest[];
  readonly reaches: readonly Reach[];
  readonly definitions: Definitions;
  readonly now: number;
  readonly signal: AbortSignal;
}

export interface PlannedCall {
  /** A plan or refusal for each dataset of each request object. Identical datasets share one plan, which runs once. */
  readonly plans: readonly (readonly (QueryPlan | Refusal)[])[];
  /** For each request object that compares: the other period of its own dates. */
  readonly periods: readonly (NamedRange | undefined)[];
  /** What the answers may still hold besides the rows that are known before anything runs. */
  readonly budget: AnswerBudget;
}

/** What applies to every dataset of a request object. */
interface PlanContext extends DefinitionContext {
  readonly catalogue: Catalogue;
  readonly now: number;
  readonly zone: Zone;
  /** Buckets by zone, range and granularity, so that a call computes each set once. */
  readonly cut: Map<string, readonly Bucket[]>;
  /** Counterparts of buckets, likewise. */
  readonly paired: Map<string, Counterparts>;
}

/** Lets other work run between datasets. @throws the signal's reason. */
export async function planCall({
  catalogue,
  requests,
  reaches,
  definitions,
  now,
  signal,
}: PlanInput): Promise<PlannedCall> {
  const cut = new Map<string, readonly Bucket[]>();
  const paired = new Map<string, Counterparts>();
  const known = new Map<string, QueryPlan>();
  const numbers = new Map<string, number>();
  const plans: (QueryPlan | Refusal)[][] = [];
  const periods: (NamedRange | undefined)[] = [];
  let budget = FULL_BUDGET;
  for (const [at, request] of requests.entries()) {
    const { filters, limit, page, sortBy, sortOrder, search, groupBy, zone, compare } = request;
    const reach = reaches[at];
    if (reach === undefined) throw new Error('Every request object has something that it reads.');
    const context = { catalogue, definitions, now, reach, zone, cut, paired };
    const place = reaches.indexOf(reach);
    const terms = JSON.stringify([
      place,
      zone.name,
      filters,
      limit,
      page,
      sortBy,
      sortOrder,
      search,
      groupBy,
      compare,
    ]);
    const number = numbers.get(terms) ?? numbers.size;
    numbers.set(terms, number);
    const planned: (QueryPlan | Refusal)[] = [];
    for (const asked of request.parameters) {
      const main = catalogue.get(asked.name)?.names[0] ?? asked.name;
      const key = `${number}|${asked.range.from}|${asked.range.to}|${asked.granularity}|${main}|${JSON.stringify(asked.arguments)}`;
      const cutBefore = cut.size;
      const plan = known.get(key) ?? planDataset(asked, request, context, budget);
      if (!('refused' in plan)) known.set(key, plan);
      const left = 'refused' in plan ? plan : takeRows(plannedRows(plan), budget);
      if (!('refused' in left)) budget = left;
      planned.push('refused' in left ? left : plan);
      if (cut.size > cutBefore) await setImmediate(undefined, { signal });
    }
    plans.push(planned);
    periods.push(periodOf(request, context));
  }
  return { plans, periods, budget };
}

/** The other period of a request's own dates; if it has none, of the range of its first dataset. */
function periodOf({ parameters, compare }: ParsedRequest, context: PlanContext): NamedRange | undefined {
  const usual = parameters.find(({ hasOwnDates }) => !hasOwnDates) ?? parameters[0];
  if (!compare || !usual) return undefined;
  const range = usual.range === NO_RANGE ? rangeOf(usual, context) : usual.range;
  return namedRange(comparisonOf(range, compare, context.zone, context.now).range, context.zone);
}

function rangeOf({ name, range }: RequestedDataset, context: PlanContext): TimeRange {
  const fixed = context.catalogue.get(name)?.fixedRange;
  return fixed ? fixedRange(fixed, context) : range;
}

/** Rows known before anything runs; those of groups are counted when they exist. */
function plannedRows(plan: QueryPlan): number {
  if (isOfGroups(plan)) return 0;
  return plan.kind === 'series' ? plan.buckets.length : 1;
}

function planDataset(
  asked: RequestedDataset,
  request: ParsedRequest,
  context: PlanContext,
  budget: AnswerBudget,
): QueryPlan | Refusal {
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
  const tooLong = dataset.kind === 'series' ? refuseLength(asked, context.zone, budget) : null;
  if (tooLong) return tooLong;

  const sequence = dataset.sequence && sequenceOf(dataset.sequence.kind, asked, request, context);
  if (sequence && 'refused' in sequence) return sequence;
  const revenue = dataset.isRevenue && planRevenue(asked.arguments, dataset.kind === 'series', context);
  if (revenue && 'refused' in revenue) return revenue;
  const counted = planGoalColumns(dataset, asked.arguments, context);
  if (counted && 'refused' in counted) return counted;
  const granularity = sequence?.unit ?? asked.granularity;
  const cohorts = sequence?.unit && refuseCohorts(asked.range, sequence.unit, context.zone);
  if (cohorts) return cohorts;
  const { websites } = context.reach;
  const dimensions = [
    ...dataset.dimensions.map((dimension) => showWebsites(dimension, websites)),
    ...extra.map(({ dimension }) => dimension),
  ];
  const columns = [
    ...extra.map(({ column }) => column),
    ...dataset.columns.filter(({ ofGoal }) => !ofGoal || counted !== null),
  ];
  const order = dataset.kind === 'list' ? planOrder(request, dataset, columns, dimensions) : [];
  if ('refused' in order) return order;
  const search = planSearch(request.search, dataset, columns, dimensions);
  if (search && 'refused' in search) return search;
  const limit = request.limit ?? dataset.defaultLimit;
  const isCut = dataset.kind === 'series' || sequence?.unit !== undefined;
  const buckets = isCut ? cutOnce(asked.range, granularity, context) : [];
  const { kind, unit, scope, needs, sessions, bands, having, onlyWhere } = dataset;
  const measures = revenue?.measures(dataset.measures) ?? withoutGoal(dataset.measures, counted !== null);
  const plan: QueryPlan = {
    kind,
    unit,
    reach: (sequence || revenue || counted || context).reach,
    range: rangeOf(asked, context),
    scope,
    needs,
    sessions,
    arguments: asked.arguments,
    ...(onlyWhere && { onlyWhere: filterBy(onlyWhere, asked.arguments) }),
    ...(counted && { goal: counted.goal }),
    ...(sequence && { sequence: sequence.sequence, sequenceKeys: dataset.sequence?.keys }),
    filters: revenue ? [...revenue.filters, ...filters] : filters,
    dimensions: revenue?.dimensions(dimensions) ?? dimensions,
    bands,
    measures,
    totals: columns.flatMap(({ value }) => (value.from === 'share' ? [value.measure] : [])),
    having,
    everyWebsite: dataset.ofWebsites && everyWebsite(filters, context.reach.websiteIds),
    buckets,
    order,
    ...search,
    limit,
    offset: sequence?.offset ?? (request.page - 1) * limit,
    columns,
  };
  const planned = dataset.feed ? asFeed(plan, request, dataset) : plan;
  if (!request.compare || 'refused' in planned) return planned;
  const period = planPeriod(plan.range, request.compare, context, dataset.fixedRange);
  if ('refused' in period) return period;
  return { ...planned, compared: planComparison(planned, granularity, period, context) };
}

/** Measures of a goal need one. */
function withoutGoal(measures: QueryPlan['measures'], hasGoal: boolean): QueryPlan['measures'] {
  if (hasGoal) return measures;
  return Object.fromEntries(Object.entries(measures).filter(([, { kind }]) => kind !== 'sessionGoal'));
}

function sequenceOf(
  kind: SequenceSource['kind'],
  asked: RequestedDataset,
  request: ParsedRequest,
  context: PlanContext,
): PlannedSequence | Refusal {
  return kind === 'goals'
    ? planGoals(asked.arguments, request, context)
    : planSequence(kind, asked.arguments, context);
}

function filterBy(
  { column, argument, of }: NonNullable<Dataset['onlyWhere']>,
  given: ArgumentValues,
): PlannedFilter {
  return { on: { column }, op: 'eq', values: [String(given[argument])], of };
}

/** With what is shown for each website; texts for codes have no line breaks. */
function showWebsites(dimension: Dimension, websites: Reach['websites'] = []): Dimension {
  const { shownOf } = dimension;
  if (shownOf === undefined) return dimension;
  const texts = websites.map((website) => [website.id, website[shownOf].replaceAll('\n', ' ')]);
  return { ...dimension, shown: Object.fromEntries(texts) };
}

/** The last minutes include the present instant. */
function fixedRange(fixed: FixedRange, { zone, now }: PlanContext): TimeRange {
  if ('lastMinutes' in fixed) return { from: now - fixed.lastMinutes * 60_000, to: now + 1 };
  return presetRange(fixed.preset, zone, now);
}

/** How many periods a retention has: its rows grow with their square. */
const MAX_COHORTS = 100;

function refuseCohorts(range: TimeRange, unit: Granularity, zone: Zone): Refusal | null {
  const periods = estimateBuckets(lengthInDays(zone, range), unit) - 1;
  if (periods <= MAX_COHORTS) return null;
  return {
    refused: `The range has some ${periods} periods, of at most ${MAX_COHORTS}. Ask for a shorter range or a wider unit.`,
  };
}

/** Checked before cutting: a range that is too long, or has more buckets than the answers may still hold. */
function refuseLength(
  { range, granularity }: RequestedDataset,
  zone: Zone,
  budget: AnswerBudget,
): Refusal | null {
  const days = lengthInDays(zone, range);
  const most = MAX_DAYS[granularity];
  if (days > most) {
    return {
      refused: `With ${granularity} granularity a range is at most ${lengthText(most)}; this one has ${lengthText(days)}. Ask for a shorter range or a wider granularity.`,
    };
  }
  const left = takeRows(estimateBuckets(days, granularity), budget);
  return 'refused' in left ? left : null;
}

/** Days, or hours up to a day and a half, rounded up. */
function lengthText(days: number): string {
  return days < 1.5 ? `${Math.ceil(days * 24)} hours` : `${Math.ceil(days)} days`;
}

function cutOnce(range: TimeRange, granularity: Granularity, context: PlanContext): readonly Bucket[] {
  const key = `${context.zone.name}|${range.from}|${range.to}|${granularity}`;
  const known = context.cut.get(key);
  if (known) return known;
  const buckets = bucketsOf(context.zone, range, granularity);
  context.cut.set(key, buckets);
  return buckets;
}
