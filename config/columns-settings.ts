/** The settings of columns over MongoDB: what they may take of a machine. */
import { z } from 'zod';
import { define, type SettingDefinition } from './setting-schemas.ts';

function megabytes(least: number): z.ZodType<number> {
  const text = `must be megabytes, ${least} to 10000000`;
  return z
    .string()
    .regex(/^\d{1,8}$/, text)
    .transform(Number)
    .refine((number) => number >= least && number <= 10_000_000, text);
}

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
} as const;

export interface ColumnsSettings {
  readonly diskMb: number;
  readonly memoryMb: number;
  readonly buildMemoryMb: number;
}

type Read = <T>(name: keyof typeof COLUMNS_SETTINGS, definition: SettingDefinition<T>) => T;

/** Each setting read by `read`. */
export function columnsSettings(read: Read): ColumnsSettings {
  return {
    diskMb: read('COLUMNS_DISK_MB', COLUMNS_SETTINGS.COLUMNS_DISK_MB),
    memoryMb: read('COLUMNS_MEMORY_MB', COLUMNS_SETTINGS.COLUMNS_MEMORY_MB),
    buildMemoryMb: read('COLUMNS_BUILD_MEMORY_MB', COLUMNS_SETTINGS.COLUMNS_BUILD_MEMORY_MB),
  };
}
