/** Looks up the fields that filters and groupBy name among those that a dataset allows; part of the plan stage. */
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { TEXT_COLUMNS, type TextColumn } from '../../shared/model/event-record.ts';
import type { Column, Dataset, Dimension } from '../catalogue/dataset.ts';
import { ANY_PROPERTY, PROPERTY_PREFIX } from '../catalogue/event-filters.ts';
import type { RequestedFilter } from './parse.ts';
import type { PlannedFilter, Refusal } from './query-plan.ts';

/**
 * A field of an event: a column of the catalogue, or a property, whose key comes from the client and never becomes an
 * identifier.
 */
type Field = PlannedFilter['on'];

const columnNames: ReadonlySet<string> = new Set(TEXT_COLUMNS);

function isTextColumn(name: string): name is TextColumn {
  return columnNames.has(name);
}

function findField(name: string, allowed: readonly string[]): Field | null {
  const isProperty = name.startsWith(PROPERTY_PREFIX) && name.length > PROPERTY_PREFIX.length;
  if (isProperty && allowed.includes(ANY_PROPERTY)) return { property: name.slice(PROPERTY_PREFIX.length) };
  return allowed.includes(name) && isTextColumn(name) ? { column: name } : null;
}

/** The filters, or why one of them is not possible. */
export function planFilters(
  filters: readonly RequestedFilter[],
  dataset: Dataset,
): PlannedFilter[] | Refusal {
  const planned: PlannedFilter[] = [];
  for (const { field, op, values } of filters) {
    const on = findField(field, dataset.filters);
    if (!on) {
      return {
        refused: `The dataset "${dataset.names[0]}" has no filter field "${field}"; it allows ${dataset.filters.join(', ')}${meant(field, dataset.filters)}`,
      };
    }
    planned.push({ on, op, values });
  }
  return planned;
}

/** The further dimensions, each with a column named like the field; or why one of them is not possible. */
export function planGroupBy(
  names: readonly string[],
  dataset: Dataset,
): { dimension: Dimension; column: Column }[] | Refusal {
  const taken = dataset.columns.map((column) => column.name);
  const allowed = dataset.extraDimensions.filter((field) => !taken.includes(field));
  const chosen: { dimension: Dimension; column: Column }[] = [];
  for (const [index, name] of [...new Set(names)].entries()) {
    const source = findField(name, allowed);
    if (!source) {
      return {
        refused: `The dataset "${dataset.names[0]}" cannot be grouped by "${name}"; it allows ${allowed.join(', ') || 'no groupBy'}${meant(name, allowed)}`,
      };
    }
    const dimension = { name: `by_${index}`, source, missing: name === 'referrer' ? 'Direct' : 'Unknown' };
    chosen.push({
      dimension,
      column: {
        name,
        type: 'string',
        description: 'Dimension added by groupBy.',
        value: { from: 'dimension', dimension: dimension.name },
      },
    });
  }
  return chosen;
}

/** The end of a refusal: the nearest of the allowed names, if one is near. */
export function meant(name: string, allowed: readonly string[]): string {
  const nearest = nearestName(name, allowed);
  return nearest === undefined ? '.' : `; did you mean "${nearest}"?`;
}
