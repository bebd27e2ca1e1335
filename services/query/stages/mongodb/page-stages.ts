/** From rows to the page of a list: shown values, totals, filters, the order, and where the page starts and ends. */
import type { OrderTerm, QueryPlan } from '../query-plan.ts';
import { rowNames } from '../row-names.ts';
import { type Expression, field, literal, orElse, type Stage, shownExpression, when } from './expressions.ts';
import { IS_TOTAL } from './group-stages.ts';

/** The field that the rows are ordered by first, and the document of tie-breakers. */
const FIRST = 'o_first';
const TIES = 'o_ties';

/** Stages from grouped rows, or single events, to the rows of the page, which have only the names of rowNames. */
export function pageStages(plan: QueryPlan): Stage[] {
  const shown = plan.dimensions.filter((dimension) => dimension.shown);
  const texts = shown.map((dimension): [string, Expression] => {
    const column = rowNames.dimension(dimension.name);
    return [column, shownExpression(field(column), dimension)];
  });
  return [
    ...(plan.bands ? bandStages(plan.bands.length) : []),
    ...(texts.length === 0 ? [] : [{ $addFields: Object.fromEntries(texts) }]),
    ...(plan.totals.length === 0 ? cutStages(plan, false) : withTotals(plan)),
  ];
}

/** A row for each band; those of empty bands have no measures. */
function bandStages(bands: number): Stage[] {
  const isOfBand = { $eq: [`$$row.${rowNames.band}`, '$$band'] };
  const found = { $filter: { input: '$rows', as: 'row', cond: isOfBand } };
  const row = { $mergeObjects: [{ [rowNames.band]: '$$band' }, { $arrayElemAt: [found, 0] }] };
  return [
    { $facet: { rows: [{ $match: {} }] } },
    { $project: { rows: { $map: { input: { $range: [0, bands] }, as: 'band', in: row } } } },
    { $unwind: '$rows' },
    { $replaceRoot: { newRoot: '$rows' } },
  ];
}

/** Filtered, ordered, cut, and without the fields for ordering. `below`: the rows are below the field `page`. */
function cutStages(plan: QueryPlan, below: boolean): Stage[] {
  const { having, offset, limit } = plan;
  const [first, ...ties] = plan.order;
  if (!first) throw new Error('A list has an order.');
  return [
    ...(having ? [{ $match: { [rowNames.measure(having.measure)]: { $gte: having.atLeast } } }] : []),
    {
      $addFields: {
        [FIRST]: keyExpression(first),
        // One document, since a server orders by at most 32 fields; it compares them in order, all ascending.
        ...(ties.length === 0 ? {} : { [TIES]: Object.fromEntries(ties.map(tieField)) }),
      },
    },
    { $sort: { [FIRST]: first.direction === 'asc' ? 1 : -1, ...(ties.length === 0 ? {} : { [TIES]: 1 }) } },
    ...(offset > 0 ? [{ $skip: offset }] : []),
    { $limit: limit },
    ...(below ? [] : [{ $project: { _id: 0, ...shownFields(plan, '') } }]),
  ];
}

function tieField(term: OrderTerm, index: number): [string, Expression] {
  if (term.direction !== 'asc') throw new Error('Ties are ordered ascending.');
  return [`t_${index}`, keyExpression(term)];
}

/** The rows are read once: page and totals come from them. */
function withTotals(plan: QueryPlan): Stage[] {
  const ofMembers = plan.totals.filter((name) => isOfMembers(plan, name));
  const sums = plan.totals.map((name): [string, Expression] => {
    const from = ofMembers.includes(name) ? rowNames.total(name) : rowNames.measure(name);
    return [rowNames.total(name), { $sum: field(from) }];
  });
  const totals = plan.totals.map((name): [string, Expression] => {
    const total = rowNames.total(name);
    return [total, { $arrayElemAt: [field(`totals.${total}`), 0] }];
  });
  return [
    {
      $facet: {
        page: [
          ...(ofMembers.length > 0 ? [{ $match: { [IS_TOTAL]: false } }] : []),
          ...cutStages(plan, true),
        ],
        totals: [{ $group: { _id: null, ...Object.fromEntries(sums) } }],
      },
    },
    { $unwind: '$page' },
    { $project: { _id: 0, ...shownFields(plan, 'page.'), ...Object.fromEntries(totals) } },
  ];
}

/** Whether a total is not the sum over the rows, since one thing may be in several of them. */
function isOfMembers({ measures }: QueryPlan, name: string): boolean {
  const kind = measures[name]?.kind;
  return kind === 'distinct' || kind === 'sessionVisitors';
}

function shownFields(plan: QueryPlan, prefix: string): Record<string, Expression> {
  const names: string[] = plan.bands ? [rowNames.band] : [];
  names.push(...plan.dimensions.map(({ name }) => rowNames.dimension(name)));
  for (const [name, measure] of Object.entries(plan.measures)) names.push(...measureNames(name, measure));
  return Object.fromEntries(names.map((name) => [name, field(prefix + name)]));
}

/** The names of a measure in a row. */
export function measureNames(name: string, measure: QueryPlan['measures'][string]): string[] {
  if (!('percent' in measure)) return [rowNames.measure(name)];
  return [rowNames.lower(name), rowNames.upper(name), rowNames.values(name)];
}

/** What a row is ordered by; see {@link OrderTerm}. A missing value is null, which sorts below all others. */
function keyExpression({ key }: OrderTerm): Expression {
  if ('band' in key) return field(rowNames.band);
  if ('dimension' in key) return orElse(field(rowNames.dimension(key.dimension)), null);
  if ('measure' in key) return orElse(field(rowNames.measure(key.measure)), null);
  if ('count' in key) return orElse(field(rowNames.measure(key.count)), literal(0));
  if ('quantile' in key) return quantileKey(key.quantile, key.percent);
  if ('last' in key)
    return { $subtract: [field(rowNames.measure(key.last)), field(rowNames.measure(key.first))] };
  const of = { $toDouble: orElse(field(rowNames.measure(key.of)), literal(0)) };
  const by = orElse(field(rowNames.measure(key.by)), literal(0));
  return when({ $eq: [by, 0] }, literal(0), { $divide: [of, { $toDouble: by }] });
}

/** In hundredths of the quantile's unit; see quantile.ts. */
function quantileKey(name: string, percent: number): Expression {
  const values = orElse(field(rowNames.values(name)), literal(0));
  const beyond = { $mod: [{ $multiply: [{ $subtract: [values, 1] }, percent] }, 100] };
  const lower = { $multiply: [field(rowNames.lower(name)), { $subtract: [100, beyond] }] };
  const upper = { $multiply: [field(rowNames.upper(name)), beyond] };
  return orElse({ $add: [lower, upper] }, literal(0));
}
