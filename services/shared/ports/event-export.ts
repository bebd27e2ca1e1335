/** The port through which custom queries get a copy of a website's events, so that they never touch the store itself. */
import type { NumberColumn, TextColumn } from '../model/event-record.ts';

/** Which events are copied. */
export interface ExportSelection {
  readonly organizationId: string;
  readonly websiteId: string;
  /** First instant, in epoch milliseconds; null: from the first event. */
  readonly from: number | null;
  /** First instant after the range; null: up to the latest event. */
  readonly to: number | null;
  /** Columns besides `timestamp` and `is_bot`, which are always there. */
  readonly columns: readonly (TextColumn | NumberColumn)[];
  /** How many rows may be copied. */
  readonly maxRows: number;
  /** How large the copy may be in bytes, roughly. */
  readonly maxBytes: number;
}

/** A copy; `discard` deletes its file and may be called repeatedly. */
export interface ExportedEvents {
  /** Path of a Parquet file that only this user may read. */
  readonly file: string;
  readonly rows: number;
  discard(): Promise<void>;
}

/** The selection has more than `maxRows` rows; what was copied is deleted. */
export class TooManyRows extends Error {
  readonly rows: number;

  constructor(rows: number) {
    super(`the selection holds ${rows} rows`);
    this.name = 'TooManyRows';
    this.rows = rows;
  }
}

/** The copy would exceed `maxBytes` bytes; what was written is deleted. */
export class TooManyBytes extends Error {
  constructor() {
    super('the copy would be too large');
    this.name = 'TooManyBytes';
  }
}

export interface EventExporter {
  /**
   * Copies every event that was acknowledged before the call. Copies are made one at a time, so that readers of copies
   * never take more than one connection of the store. Ends early with the signal's reason.
   * @throws TooManyRows
   * @throws TooManyBytes
   * @throws ApiError SERVICE_UNAVAILABLE
   */
  exportEvents(selection: ExportSelection, signal: AbortSignal): Promise<ExportedEvents>;
}
