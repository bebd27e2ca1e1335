/** The total order of a list: the column asked for or usual, then all that tells rows apart; part of the plan stage. */
import type { Column, Dataset, Dimension } from '../catalogue/dataset.ts';
import { meant } from './fields.ts';
import type { ParsedRequest } from './parse.ts';
import type { Refusal } from './plan.ts';

/** What a list is ordered by. Counts, quotients and quantiles of nothing are 0; other missing values stand below all. */
export type OrderKey =
  | { readonly band: true }
  | { readonly dimension: string }
  | { readonly measure: string }
  | { readonly count: string }
  | { readonly quantile: string; readonly percent: number }
  | { readonly last: string; readonly first: string }
  | { readonly of: string; readonly by: string };

export interface OrderTerm {
  readonly key: OrderKey;
  readonly direction: 'asc' | 'desc';
}

export function planOrder(
  request: ParsedRequest,
  dataset: Dataset,
  columns: readonly Column[],
  dimensions: readonly Dimension[],
): OrderTerm[] | Refusal {
  const name = request.sortBy ?? dataset.order?.column;
  const column = columns.find((candidate) => candidate.name === name);
  if (!column) {
    const allowed = columns.map((candidate) => candidate.name);
    return {
      refused: `The dataset "${dataset.names[0]}" has no column "${name}"; it has ${allowed.join(', ')}${meant(name ?? '', allowed)}`,
    };
  }
  const natural = column.type === 'string' || column.type === 'object' ? 'asc' : 'desc';
  const usual = request.sortBy === undefined ? dataset.order?.direction : undefined;
  const direction = request.sortOrder ?? usual ?? natural;
  return [
    { key: orderKey(column, dataset), direction },
    ...tiesOf(dataset, dimensions).map((key) => ({ key, direction: 'asc' as const })),
  ];
}

/** What tells rows apart: the groups, or all of an event. Events alike in all of it are rows alike. */
function tiesOf({ bands, unit, measures }: Dataset, dimensions: readonly Dimension[]): OrderKey[] {
  const groups = dimensions.map(({ name }) => ({ dimension: name }));
  if (bands) return [{ band: true }, ...groups];
  if (unit !== 'eachEvent') return groups;
  return [...groups, ...Object.keys(measures).map((measure) => ({ measure }))];
}

function orderKey({ value }: Column, dataset: Dataset): OrderKey {
  switch (value.from) {
    case 'bucket':
      throw new Error('A list has no buckets.');
    case 'band':
      return { band: true };
    case 'dimension':
    case 'json':
      return { dimension: value.dimension };
    case 'quotient':
      return { of: value.of, by: value.by };
    case 'span':
      return { last: value.last, first: value.first };
    case 'quantile':
      return { quantile: value.measure, percent: percentOf(dataset.measures[value.measure]) };
    case 'count':
    case 'share':
      return { count: value.measure };
    default:
      return { measure: value.measure };
  }
}

/** The percent of a measure that is a quantile. */
export function percentOf(measure: Dataset['measures'][string] | undefined): number {
  if (measure && 'percent' in measure) return measure.percent;
  throw new Error('A column of a quantile needs a measure that is one.');
}
