/** Whether rows are a line over time, and its points: a first column of times, and others of numbers. */

export interface ResultColumn {
  readonly name: string;
  /** As DuckDB names it. */
  readonly type: string;
}

type Row = Readonly<Record<string, unknown>>;

const NUMBERS = /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DOUBLE|FLOAT|DECIMAL.*)$/;
const TIMES = /^(?:DATE|TIMESTAMP)/;

export function isNumeric({ type }: ResultColumn): boolean {
  return NUMBERS.test(type);
}

/** The columns that may be drawn; empty where the rows are no line. */
export function lineColumns(columns: readonly ResultColumn[]): readonly ResultColumn[] {
  const [first, ...others] = columns;
  const isLine = first !== undefined && TIMES.test(first.type) && others.every(isNumeric);
  return isLine ? others : [];
}

export interface LinePoint {
  /** As buckets of the API are written: a day, or `2026-01-31 14:00:00` in UTC. */
  readonly bucket: string;
  readonly value: number;
}

/** In the order of time; a row without a time or a number is left out. */
export function linePoints(rows: readonly Row[], time: string, column: string): LinePoint[] {
  return rows
    .flatMap((row) => {
      const [at, number] = [row[time], row[column]];
      const value = typeof number === 'string' ? Number(number) : number;
      if (typeof at !== 'string' || typeof value !== 'number' || !Number.isFinite(value)) return [];
      return [{ bucket: at.length > 10 ? at.slice(0, 19).replace('T', ' ') : at, value }];
    })
    .sort((one, other) => (one.bucket < other.bucket ? -1 : 1));
}
