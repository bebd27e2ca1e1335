/** The settings of columns over MongoDB: what they may take of a machine. */
import { z } from 'zod';
import { define, megabytes, type SettingDefinition } from './setting-schemas.ts';

/** Late events and repeats come within a few days: documents that they meet must still be there. */
const LEAST_COLD_DAYS = 7;
const MOST_COLD_DAYS = 3_650;
const COLD_DAYS = `must be days, ${LEAST_COLD_DAYS} to ${MOST_COLD_DAYS}, or never`;

/** Settings by their names in the environment. */
export const COLUMNS_SETTINGS = {
  COLUMNS_DISK_MB: define(
    megabytes(100),
    '10000',
    'With MONGODB_URI: megabytes of segments that a process which answers queries keeps below DATA_DIR; those that were not asked for longest leave first.',
  ),
  COLUMNS_MEMORY_MB: define(
    megabytes(128),
    '1000',
    'With MONGODB_URI: memory of the engine that answers queries, in megabytes; the latest events are held in it.',
  ),
  COLUMNS_BUILD_MEMORY_MB: define(
    megabytes(128),
    '512',
    'With MONGODB_URI: memory of the engine that builds segments, in megabytes; what needs more uses the disk.',
  ),
  COLD_AFTER_DAYS: define(
    z
      .string()
      .regex(/^(\d{1,4}|never)$/, COLD_DAYS)
      .transform((text) => (text === 'never' ? null : Number(text)))
      .refine((days) => days === null || (days >= LEAST_COLD_DAYS && days <= MOST_COLD_DAYS), COLD_DAYS),
    'never',
    'With MONGODB_URI: after so many days, 7 to 3650, or `never`, the documents of events may leave MongoDB, and segments stay as the only record. Every process that answers queries has the same. Read docs/storage.md before you set it.',
  ),
} as const;

export interface ColumnsSettings {
  readonly diskMb: number;
  readonly memoryMb: number;
  readonly buildMemoryMb: number;
  /** Null: documents never leave. */
  readonly coldAfterDays: number | null;
}

type Read = <T>(name: keyof typeof COLUMNS_SETTINGS, definition: SettingDefinition<T>) => T;

/** Each setting read by `read`. */
export function columnsSettings(read: Read): ColumnsSettings {
  return {
    diskMb: read('COLUMNS_DISK_MB', COLUMNS_SETTINGS.COLUMNS_DISK_MB),
    memoryMb: read('COLUMNS_MEMORY_MB', COLUMNS_SETTINGS.COLUMNS_MEMORY_MB),
    buildMemoryMb: read('COLUMNS_BUILD_MEMORY_MB', COLUMNS_SETTINGS.COLUMNS_BUILD_MEMORY_MB),
    coldAfterDays: read('COLD_AFTER_DAYS', COLUMNS_SETTINGS.COLD_AFTER_DAYS),
  };
}
