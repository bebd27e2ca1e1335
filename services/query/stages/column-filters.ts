/** Which filter keeps the rows that show a value: derived from what a column shows, so that no client needs a table of its own. */
import { z } from 'zod';
import type { Column, Dataset, Dimension } from '../catalogue/dataset.ts';
import { readFilterField } from '../catalogue/filter-fields.ts';
import type { Text } from '../catalogue/text.ts';
import { operatorsOf } from './fields.ts';
import type { FilterOperator } from './filter-schema.ts';

export const columnFilterSchema = z.object({
  field: z.string().describe('Of the filter; a column in angle brackets stands for its value in the row.'),
  operators: z.array(z.string()).describe('What the field can be compared by.'),
  of: z.enum(['session', 'visitor']).optional().describe('Of the filter; absent: event.'),
  also: z
    .literal('event')
    .optional()
    .describe('Also keep matching events without a session: {any: [filter, the same of event]}.'),
  missing: z
    .string()
    .nullable()
    .optional()
    .describe('What the row shows where there is no value: also keep what {not: present} keeps.'),
  valueFrom: z.string().optional().describe('The column whose value is compared, in place of this one.'),
  value: z.string().optional().describe('What is compared, in place of what the row shows.'),
});

/** How to filter by a shown value. */
export type ColumnFilter = z.output<typeof columnFilterSchema> & {
  readonly operators: readonly FilterOperator[];
};

/** Names of the fields that are not called like their column. */
const FIELD_NAMES: Readonly<Record<string, string>> = { anonymous_id: 'visitor_id' };

/** The filter of a column; undefined for counts and other numbers over events, for instants and for JSON. */
export function columnFilter({ value }: Column, dataset: Dataset): ColumnFilter | undefined {
  if (value.from === 'dimension') {
    const dimension = dataset.dimensions.find(({ name }) => name === value.dimension);
    return dimension && filterOfDimension(dimension, dataset);
  }
  if (dataset.kind !== 'list') return undefined;
  const measure = 'measure' in value ? dataset.measures[value.measure] : undefined;
  if (measure?.kind === 'number') return filterOn(measure.column);
  if (measure?.kind !== 'text' || measure.text.missingWhen) return undefined;
  // Such a row shows what one of its events says: the filter keeps all of its events.
  const of = dataset.needs === undefined ? undefined : KEPT_WHOLE[dataset.needs];
  const field = fieldOf(measure.text);
  return of && field ? { ...filterOn(field), of, missing: measure.text.missing } : undefined;
}

const KEPT_WHOLE: Readonly<Record<string, 'session' | 'visitor'>> = {
  session_id: 'session',
  anonymous_id: 'visitor',
};

function filterOfDimension(dimension: Dimension, dataset: Dataset): ColumnFilter | undefined {
  const { source, missing, at, where } = dimension;
  if (dimension.field !== undefined) return { ...filterOn(dimension.field), missing };
  if ('pair' in source) return filterOfPair(source.pair, dataset);
  if (at && where) return { ...filterOn(at === 'first' ? 'entry_path' : 'exit_path'), missing };
  const field = fieldOf(dimension);
  if (field === undefined) return undefined;
  const filter = { ...filterOn(field), missing };
  // Such a row counts whole sessions beside the events of the page.
  if (Object.values(dataset.measures).some(({ kind }) => kind === 'sessionsBy')) {
    return { ...filter, of: 'session', also: 'event' };
  }
  if (at) return { ...filter, of: 'session' };
  return dimension.shown || dimension.shownOf
    ? { ...filter, valueFrom: columnOfCode(dimension, dataset) }
    : filter;
}

/** The column that shows the code for which this dimension shows a name. */
function columnOfCode(dimension: Dimension, { dimensions, columns }: Dataset): string {
  const code = dimensions.find(
    ({ source, shown, shownOf }) =>
      !shown && !shownOf && JSON.stringify(source) === JSON.stringify(dimension.source),
  );
  const column = columns.find(({ value }) => value.from === 'dimension' && value.dimension === code?.name);
  if (!column) throw new Error(`No column shows the code of ${dimension.name}.`);
  return column.name;
}

/** A property with this key, which may have any value, also an empty one; or with this value. */
function filterOfPair(pair: 'key' | 'value', { dimensions }: Dataset): ColumnFilter | undefined {
  const key = dimensions.find(({ source }) => 'pair' in source && source.pair === 'key');
  if (!key) return undefined;
  const filter = filterOn(`properties.<${key.name}>`);
  return pair === 'key'
    ? { ...filter, operators: ['contains'], value: '' }
    : {
        ...filter,
        missing: dimensions.find(({ source }) => 'pair' in source && source.pair === 'value')?.missing,
      };
}

function fieldOf({ source, missingWhen }: Text): string | undefined {
  if ('hostOf' in source) return `${source.hostOf}_host`;
  if (!('column' in source) || (missingWhen && source.column !== 'referrer_host')) return undefined;
  return FIELD_NAMES[source.column] ?? source.column;
}

function filterOn(field: string): ColumnFilter {
  const on = readFilterField(field);
  if (!on) throw new Error(`No filter has the field ${field}.`);
  return { field, operators: [...operatorsOf(on)] };
}
