/** An export as a Parquet file, bounded in size, with the cursor behind it: known before the first byte is sent. */

import type { RawRow } from '../../shared/ports/event-store.ts';
import type { ParquetRow } from '../../shared/ports/parquet-files.ts';
import { EVENT_COLUMNS } from '../../shared/storage/event-columns.ts';
import type { QueryPorts } from '../query-ports.ts';
import type { ExportPosition } from './export-cursor.ts';
import { type ExportSelection, exportEvents } from './export-events.ts';

/** A file ends behind the page with which its events have as many characters as JSON; the cursor goes on. */
export const MAX_FILE_JSON = 256 * 1024 * 1024;

export interface ExportedFile {
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Null: the range is exhausted. */
  readonly next: ExportPosition | null;
}

export async function parquetExport(
  selection: ExportSelection,
  { events, parquet }: Pick<QueryPorts, 'events' | 'parquet'>,
  signal: AbortSignal,
  most = MAX_FILE_JSON,
): Promise<ExportedFile> {
  let next: ExportPosition | null = null;
  async function* batches(): AsyncGenerator<ParquetRow[]> {
    let size = 0;
    for await (const page of exportEvents(selection, events, signal)) {
      next = page.next;
      yield page.rows.map(valuesOf);
      size += page.lines.length;
      if (size >= most) return;
    }
  }
  const columns = EVENT_COLUMNS.map(({ name, type }) => ({ name, type }));
  const pieces = await parquet.make(columns, batches(), signal);
  return { pieces, next };
}

function valuesOf(row: RawRow): ParquetRow {
  return EVENT_COLUMNS.map(({ name }) => row[name] ?? null);
}
