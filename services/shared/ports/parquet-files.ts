/** The port that makes Parquet files of rows. */

export interface ParquetColumn {
  /** As it stands in the file; any text. */
  readonly name: string;
  /** Values of TIMESTAMP are instants in epoch milliseconds. */
  readonly type: 'VARCHAR' | 'BIGINT' | 'DOUBLE' | 'BOOLEAN' | 'TIMESTAMP';
}

export type ParquetValue = string | number | boolean | null;

/** The values of one row, in the order of the columns. */
export type ParquetRow = readonly ParquetValue[];

export interface ParquetFiles {
  /**
   * The file of these rows, in their order, piece by piece; to be read once, to its end or until it is left. `batches` of
   * some thousand rows: each is held in memory. Files are made one after the other; what waits or is made ends early with
   * the signal's reason. Nothing is left on the disk once this has ended.
   * @throws Error when it cannot be written
   */
  make(
    columns: readonly ParquetColumn[],
    batches: AsyncIterable<readonly ParquetRow[]>,
    signal: AbortSignal,
  ): Promise<AsyncIterable<Uint8Array>>;
  /** Waits for the file that is being made. */
  close(): Promise<void>;
}
