/** One dataset as a file: the whole list where the request names no limit, bounded, with a name for the file. */
import { setImmediate } from 'node:timers/promises';
import { validationError } from '../../shared/errors/zod-details.ts';
import { DATASETS_BY_NAME } from '../datasets/index.ts';
import { type Call, planRequest } from '../plan-request.ts';
import type { QueryPorts } from '../query-ports.ts';
import { comparingRunnerOf } from '../run-plan.ts';
import { MAX_ROWS_PER_CALL } from '../stages/answer-budget.ts';
import type { RawRows } from '../stages/compared-rows.ts';
import type { RequestedDataset } from '../stages/parse.ts';
import type { QueryPlan } from '../stages/query-plan.ts';
import { columnNames, flatRow, shapeRows } from '../stages/shape.ts';
import type { Zone } from '../time/zone.ts';
import { csvLine } from './csv.ts';
import { parquetColumns, parquetRows } from './dataset-parquet.ts';

/** How many rows of a list a file has at most. */
export const MAX_FILE_ROWS = MAX_ROWS_PER_CALL;

/** Rows that are written at once; other work runs between two such groups. */
const ROWS_AT_ONCE = 1_000;

export interface DatasetFile {
  /** Its dataset and days, such as `pages_2025-01-01_2025-01-31`. */
  readonly name: string;
  /** The list has more rows than the file. */
  readonly isTruncated: boolean;
  /** The file as CSV, piece by piece. */
  csv(): AsyncIterable<string>;
  /** The file as Parquet, piece by piece, once it is made. */
  parquet(): Promise<AsyncIterable<Uint8Array>>;
}

/** @throws ApiError VALIDATION_ERROR when it is not exactly one dataset that can be answered, or as for any call */
export async function datasetFile(call: Call, ports: QueryPorts): Promise<DatasetFile> {
  const { requests, plans } = await planRequest(call, ports);
  const datasets = requests.flatMap(({ parameters }) => parameters);
  const [dataset] = datasets;
  const [request] = requests;
  const planned = plans.flat()[0];
  if (!dataset || !request || !planned || datasets.length > 1)
    throw refused('parameters', `A file holds one dataset, and this call asks for ${datasets.length}.`);
  if ('refused' in planned) throw refused('parameters[0]', planned.refused);
  const isWhole = planned.kind === 'list' && request.limit === undefined;
  if (isWhole && request.page > 1)
    throw refused('page', 'Without limit a file holds the whole list, which has no further page.');
  // One row more than the file may have tells whether the list ends with it.
  const plan = isWhole ? { ...planned, limit: MAX_FILE_ROWS + 1 } : planned;
  const { rows: all, others } = await comparingRunnerOf(ports)(plan, call.signal);
  const raw = { rows: isWhole ? all.slice(0, MAX_FILE_ROWS) : all, others };
  return {
    name: nameOf(dataset, plan, request.zone),
    isTruncated: isWhole && all.length > MAX_FILE_ROWS,
    csv: () => csvOf(plan, raw, call.signal),
    parquet: () =>
      ports.parquet.make(parquetColumns(plan), parquetRows(plan, raw, ROWS_AT_ONCE), call.signal),
  };
}

function refused(field: string, message: string) {
  return validationError([{ field, message }]);
}

function nameOf({ name }: RequestedDataset, { range }: QueryPlan, zone: Zone): string {
  const day = (instant: number) => new Date(zone.localOf(instant)).toISOString().slice(0, 10);
  const main = DATASETS_BY_NAME.get(name)?.names[0] ?? name;
  return `${main}_${day(range.from)}_${day(Math.max(range.from, range.to - 1))}`;
}

async function* csvOf(plan: QueryPlan, raw: RawRows, signal: AbortSignal): AsyncGenerator<string> {
  const names = columnNames(plan);
  let lines = [csvLine(names)];
  for (const row of shapeRows(plan, raw)) {
    const flat = flatRow(row, plan);
    lines.push(csvLine(names.map((name) => flat[name])));
    if (lines.length < ROWS_AT_ONCE) continue;
    yield lines.join('');
    lines = [];
    await setImmediate(undefined, { signal });
  }
  if (lines.length > 0) yield lines.join('');
}
