/** Looks up the fields that filters and groupBy name among those that a dataset allows; part of the plan stage. */
import { nearestName } from '../../shared/errors/nearest-name.ts';
import { TEXT_COLUMNS, type TextColumn } from '../../shared/model/event-record.ts';
import type { Column, Dataset, Dimension } from '../catalogue/dataset.ts';
import { ANY_PROPERTY, PROPERTY_PREFIX } from '../catalogue/event-filters.ts';
import {
  FIELDS_OF_ALL_EVENTS,
  type FilterField,
  filterFieldsOf,
  readFilterField,
} from '../catalogue/filter-fields.ts';
import type { RequestedFilter, RequestedTest } from './filter-groups.ts';
import { COMPARISONS, EQUALITY, type FilterOperator, PRESENCE, TEXT_OPERATORS } from './filter-schema.ts';
import type { PlannedFilter, Refusal } from './query-plan.ts';
import { shown } from './shown.ts';

const columnNames: ReadonlySet<string> = new Set(TEXT_COLUMNS);

function isTextColumn(name: string): name is TextColumn {
  return columnNames.has(name);
}

function isProperty(name: string): boolean {
  return name.startsWith(PROPERTY_PREFIX) && name.length > PROPERTY_PREFIX.length;
}

function findDimension(name: string, allowed: readonly string[]): Dimension['source'] | null {
  if (isProperty(name) && allowed.includes(ANY_PROPERTY)) {
    return { property: name.slice(PROPERTY_PREFIX.length) };
  }
  return allowed.includes(name) && isTextColumn(name) ? { column: name } : null;
}

/** The filters, or why one of them is not possible. */
export function planFilters(
  filters: readonly RequestedFilter[],
  dataset: Dataset,
): readonly PlannedFilter[] | Refusal {
  const planned: PlannedFilter[] = [];
  for (const filter of filters) {
    const found = planFilter(filter, dataset);
    if ('refused' in found) return found;
    planned.push(found);
  }
  return planned;
}

function planFilter(filter: RequestedFilter, dataset: Dataset): PlannedFilter | Refusal {
  if ('not' in filter) {
    const found = planFilter(filter.not, dataset);
    return 'refused' in found ? found : { not: found };
  }
  if ('field' in filter) return planTest(filter, dataset);
  const members = planFilters('any' in filter ? filter.any : filter.all, dataset);
  if ('refused' in members) return members;
  return 'any' in filter ? { any: members } : { all: members };
}

function planTest({ field, op, values, of }: RequestedTest, dataset: Dataset): PlannedFilter | Refusal {
  const allowed = of === 'event' ? filterFieldsOf(dataset) : FIELDS_OF_ALL_EVENTS;
  const isAllowed = isProperty(field) ? allowed.includes(ANY_PROPERTY) : allowed.includes(field);
  const on = isAllowed ? readFilterField(field) : null;
  if (!on) {
    const owner = of === 'event' ? `dataset "${dataset.names[0]}"` : of;
    return {
      refused: `The ${owner} has no filter field "${field}"; it allows ${allowed.join(', ')}${meant(field, allowed)}`,
    };
  }
  const operators = operatorsOf(on);
  if (!operators.includes(op)) {
    return {
      refused: `The operator ${op} is not for the field "${field}", which takes ${operators.join(', ')}.`,
    };
  }
  if (!('number' in on)) return { on, op, values, of };
  const text = values.find((value) => !isNumber(value));
  if (text !== undefined) {
    return { refused: `The field "${field}" holds numbers; ${shown(text)} is none.` };
  }
  // One spelling of each.
  return { on, op, values: values.map((value) => String(Number(value))), of };
}

/** The operators of a field. */
export function operatorsOf(on: FilterField): readonly FilterOperator[] {
  if ('number' in on) return [...EQUALITY, ...COMPARISONS, ...PRESENCE];
  if ('property' in on) return [...EQUALITY, ...TEXT_OPERATORS, ...COMPARISONS, ...PRESENCE];
  return [...EQUALITY, ...TEXT_OPERATORS, ...PRESENCE];
}

function isNumber(text: string): boolean {
  return text.trim() !== '' && Number.isFinite(Number(text));
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
    const source = findDimension(name, allowed);
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
