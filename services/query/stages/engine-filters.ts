/** Refuses the filters that pipelines of MongoDB do not have, before anything is planned. */
import type { CompiledQuery } from '../../shared/ports/event-store.ts';
import { readFilterField } from '../catalogue/filter-fields.ts';
import { DATASETS_BY_NAME } from '../datasets/index.ts';
import { createFaults, type Faults, fieldIn } from './faults.ts';
import type { RequestedFilter, RequestedTest } from './filter-groups.ts';
import type { FilterOperator } from './filter-schema.ts';
import type { ParsedCall } from './parse.ts';

const MESSAGE =
  'Needs the embedded event store: on MongoDB a filter is a single one of events, by eq, ne, contains, not_contains, starts_with, in or not_in, on a field of texts.';

/** The operators that pipelines have. */
const PIPELINE_OPERATORS: readonly FilterOperator[] = [
  'eq',
  'ne',
  'contains',
  'not_contains',
  'starts_with',
  'in',
  'not_in',
];

/** @throws ApiError VALIDATION_ERROR with the place of each filter that the engine of events does not have */
export function requireFiltersOf(engine: CompiledQuery['engine'], { isBatch, requests }: ParsedCall): void {
  if (engine === 'duckdb') return;
  const faults = createFaults();
  for (const [at, { filters, parameters }] of requests.entries()) {
    const prefix = isBatch ? `[${at}]` : '';
    for (const [index, { name }] of parameters.entries()) {
      const place = fieldIn(prefix, 'parameters', index);
      if (DATASETS_BY_NAME.get(name)?.arguments) faults.add(place, `${name} needs the embedded event store.`);
    }
    for (const [index, filter] of filters.entries()) {
      addFault(filter, fieldIn(prefix, 'filters', index), faults);
    }
  }
  faults.throwIfAny();
}

function addFault(filter: RequestedFilter, place: string, faults: Faults): void {
  const part = 'field' in filter ? partBeyond(filter) : groupOf(filter);
  if (part !== null) faults.add(`${place}.${part}`, MESSAGE);
}

function groupOf(filter: Exclude<RequestedFilter, RequestedTest>): string {
  if ('not' in filter) return 'not';
  return 'any' in filter ? 'any' : 'all';
}

/** The part of a single filter that pipelines do not have, or null. Datasets refuse unknown fields themselves. */
function partBeyond({ field, op, of }: RequestedTest): keyof RequestedTest | null {
  if (of !== 'event') return 'of';
  if (!PIPELINE_OPERATORS.includes(op)) return 'op';
  const on = readFilterField(field);
  return on === null || 'column' in on || 'property' in on ? null : 'field';
}
