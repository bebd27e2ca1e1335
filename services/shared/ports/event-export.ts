/** The port by which custom queries get a copy of a website's events, so that they never touch the store itself. */
import type { NumberColumn, TextColumn } from '../model/event-record.ts';

/** Which events are copied. */
export interface ExportSelection {
  readonly organizationId: string;
  readonly websiteId: string;
  /** First instant, in epoch milliseconds; null: from the first event on. */
  readonly from: number | null;
  /** First instant after the range; null: to the latest event. */
  readonly to: number | null;
  /** Columns besides `timestamp` and `is_bot`, which are always there. */
  readonly columns: readonly (TextColumn | NumberColumn)[];
  /** Most rows that may be copied. */
  readonly maxRows: number;
  /** Most bytes that the copy may have, about. */
  readonly maxBytes: number;
}

/** A copy; `discard` deletes its file and may be called more than once. */
export interface ExportedEvents {
  /** Path of a Parquet file that only this user may read. */
  readonly file: string;
  readonly rows: number;
  discard(): Promise<void>;
}

/** The selection holds more rows than `maxRows`; what was copied is deleted. */
export class TooManyRows extends Error {
  readonly rows: number;

  constructor(rows: number) {
    super(`the selection holds ${rows} rows`);
    this.name = 'TooManyRows';
    this.rows = rows;
  }
}

/** The copy would have more bytes than `maxBytes`; what was written of it is deleted. */
export class TooManyBytes extends Error {
  constructor() {
    super('the copy would be too large');
    this.name = 'TooManyBytes';
  }
}

export interface EventExporter {
  /**
   * Copies every event that was acknowledged before the call. One copy is made at a time, so that readers of copies never
   * take more than one connection of the store. Ends early with the signal's reason.
   * @throws TooManyRows
   * @throws TooManyBytes
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  exportEvents(selection: ExportSelection, signal: AbortSignal): Promise<ExportedEvents>;
}
