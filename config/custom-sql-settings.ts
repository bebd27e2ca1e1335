/** The settings of custom SQL: what one query may take of the machine, and how many run or wait. */
import { z } from 'zod';

function wholeNumber(least: number, most: number): z.ZodType<number> {
  const text = `must be a whole number, ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, text)
    .transform(Number)
    .refine((number) => number >= least && number <= most, text);
}

/** Settings by their names in the environment. */
export const CUSTOM_SQL_SETTINGS = {
  CUSTOM_SQL_TIMEOUT_SECONDS: {
    schema: wholeNumber(1, 300),
    default: '30',
    description:
      'Longest a custom SQL query runs; the pipeline of /v1/query/custom waits `timeoutSeconds`, which must be more than this and CUSTOM_SQL_WAIT_SECONDS.',
  },
  CUSTOM_SQL_MEMORY_MB: {
    schema: wholeNumber(320, 65_536),
    default: '512',
    description: 'Most memory of the process that runs a custom SQL query, in megabytes.',
  },
  CUSTOM_SQL_MAX_ROWS: {
    schema: wholeNumber(1, 100_000),
    default: '10000',
    description: 'Most rows in the answer to a custom SQL query.',
  },
  CUSTOM_SQL_MAX_INPUT_ROWS: {
    schema: wholeNumber(1, 100_000_000),
    default: '5000000',
    description: 'Most events of the website in the range of a custom SQL query.',
  },
  CUSTOM_SQL_THREADS: {
    schema: wholeNumber(1, 16),
    default: '1',
    description: 'Threads of one custom SQL query.',
  },
  CUSTOM_SQL_RUNNING: {
    schema: wholeNumber(1, 16),
    default: '2',
    description: 'Custom SQL queries that run at once; of one organization never more than one.',
  },
  CUSTOM_SQL_WAITING: {
    schema: wholeNumber(0, 100),
    default: '5',
    description: 'Custom SQL queries of one organization that may wait.',
  },
  CUSTOM_SQL_WAIT_SECONDS: {
    schema: wholeNumber(1, 60),
    default: '10',
    description: 'Longest a custom SQL query waits for its turn.',
  },
} as const;

/** Bounds of custom SQL. */
export interface CustomSqlSettings {
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly maxRows: number;
  readonly maxInputRows: number;
  readonly threads: number;
  readonly running: number;
  readonly waitingPerOrganization: number;
  readonly maxWaitMs: number;
}

/** The bounds, each setting read by `read`. */
export function customSqlSettings(
  read: (name: keyof typeof CUSTOM_SQL_SETTINGS) => number,
): CustomSqlSettings {
  return {
    timeoutMs: read('CUSTOM_SQL_TIMEOUT_SECONDS') * 1_000,
    memoryMb: read('CUSTOM_SQL_MEMORY_MB'),
    maxRows: read('CUSTOM_SQL_MAX_ROWS'),
    maxInputRows: read('CUSTOM_SQL_MAX_INPUT_ROWS'),
    threads: read('CUSTOM_SQL_THREADS'),
    running: read('CUSTOM_SQL_RUNNING'),
    waitingPerOrganization: read('CUSTOM_SQL_WAITING'),
    maxWaitMs: read('CUSTOM_SQL_WAIT_SECONDS') * 1_000,
  };
}

/** What holds where the environment says nothing. */
export const DEFAULT_CUSTOM_SQL: CustomSqlSettings = customSqlSettings((name) =>
  CUSTOM_SQL_SETTINGS[name].schema.parse(CUSTOM_SQL_SETTINGS[name].default),
);
