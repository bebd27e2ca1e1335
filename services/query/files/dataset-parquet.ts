/** The rows of a dataset as Parquet has them: counts as whole numbers, instants as such, objects as their JSON. */
import type { ParquetColumn, ParquetRow, ParquetValue } from '../../shared/ports/parquet-files.ts';
import type { Column } from '../catalogue/dataset.ts';
import type { RawRows } from '../stages/compared-rows.ts';
import type { QueryPlan } from '../stages/query-plan.ts';
import { columnNames, flatRow, PREVIOUS_PREFIX, shapeRows, type WireRow } from '../stages/shape.ts';

export function parquetColumns(plan: QueryPlan): ParquetColumn[] {
  const columns = new Map(plan.columns.map((column) => [column.name, column]));
  const columnOf = (name: string) =>
    columns.get(name) ?? (plan.compared && columns.get(name.slice(PREVIOUS_PREFIX.length)));
  return columnNames(plan).map((name) => ({ name, type: typeOf(columnOf(name)) }));
}

/** `undefined`: the instant that some series have beside the label of a bucket. */
function typeOf(column: Column | undefined): ParquetColumn['type'] {
  switch (column?.type ?? 'time') {
    case 'time':
      return 'TIMESTAMP';
    case 'number':
      return column?.value.from === 'count' ? 'BIGINT' : 'DOUBLE';
    default:
      return 'VARCHAR';
  }
}

/** The values of the rows, so many at once. */
export async function* parquetRows(
  plan: QueryPlan,
  raw: RawRows,
  atOnce: number,
): AsyncGenerator<ParquetRow[]> {
  const columns = parquetColumns(plan);
  let rows: ParquetRow[] = [];
  for (const row of shapeRows(plan, raw)) {
    const flat = flatRow(row, plan);
    rows.push(columns.map(({ name, type }) => parquetValue(flat[name], type)));
    if (rows.length < atOnce) continue;
    yield rows;
    rows = [];
  }
  yield rows;
}

function parquetValue(value: WireRow[string] | undefined, type: ParquetColumn['type']): ParquetValue {
  if (value === undefined || value === null) return null;
  if (type === 'TIMESTAMP') return Date.parse(String(value));
  return typeof value === 'object' ? JSON.stringify(value) : value;
}
