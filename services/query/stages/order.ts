/**
 * The total order of a list: the requested or default column, then everything that distinguishes rows; part of the plan
 * stage.
 */
import type { Column, Dataset, Dimension } from '../catalogue/dataset.ts';
import { meant } from './fields.ts';
import type { ParsedRequest } from './parse.ts';
import { percentOf } from './quantile.ts';
import type { OrderKey, OrderTerm, Refusal } from './query-plan.ts';

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

/** What distinguishes rows: the groups, or all fields of an event. Events equal in all of them give equal rows. */
function tiesOf({ bands, unit, measures, sequence }: Dataset, dimensions: readonly Dimension[]): OrderKey[] {
  const groups = dimensions.map(({ name }) => ({ dimension: name }));
  if (sequence) return [...sequence.keys.map(keyOfSequence), ...groups];
  if (bands) return [{ band: true }, ...groups];
  if (unit !== 'eachEvent') return groups;
  return [...groups, ...Object.keys(measures).map((measure) => ({ measure }))];
}

function keyOfSequence(key: string): OrderKey {
  return key === 'bucket' ? { bucket: true } : { measure: key };
}

function orderKey({ value }: Column, dataset: Dataset): OrderKey {
  switch (value.from) {
    case 'bucket':
      return { bucket: true };
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
