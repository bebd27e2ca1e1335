/** The settings of logs: the least level of the process's own, and the lines of requests. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { define, type SettingDefinition, share } from './setting-schemas.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** What the lines of requests say of the client's address. */
export type AddressForm = 'truncated' | 'none';
const addressForm: z.ZodType<AddressForm> = z
  .enum(['truncated', 'none', 'off'])
  // An earlier word for it.
  .transform((text) => (text === 'off' ? 'none' : text));

/** Where the lines go: nowhere, to the standard output, or to a file (absolute). */
export type AccessLogTarget = 'off' | 'stdout' | { readonly file: string };

const target: z.ZodType<AccessLogTarget> = z
  .string()
  .min(1, 'must be off, stdout or the path of a file')
  .transform((text) => (text === 'off' || text === 'stdout' ? text : { file: resolve(text) }));

const whole = (most: number) =>
  z
    .string()
    .regex(/^[1-9]\d{0,5}$/, `must be a whole number from 1 to ${most}`)
    .transform(Number)
    .refine((number) => number <= most, `must be a whole number from 1 to ${most}`);

/** Settings by their names in the environment. */
export const LOG_SETTINGS = {
  LOG_LEVEL: define(z.enum(LOG_LEVELS), 'info', `Least level that is logged: ${LOG_LEVELS.join(', ')}.`),
  ACCESS_LOG: define(
    target,
    'off',
    'Where a gateway writes a line of JSON for a request (docs/access-log.md): `off`, `stdout`, or the path of a file that rotates.',
  ),
  ACCESS_LOG_SAMPLE: define(
    share,
    '0.01',
    'Share of the requests answered below 400 that get a line, 0 to 1; all others do.',
  ),
  ACCESS_LOG_ADDRESS: define(
    addressForm,
    'truncated',
    "What the lines say of the client's address: `truncated` (an IPv4 to /24, an IPv6 to /48), or nothing: `none` (also `off`).",
  ),
  ACCESS_LOG_FILE_MB: define(
    whole(100_000),
    '100',
    'Megabytes (of 1,000,000 bytes) of the file of ACCESS_LOG before the next one begins.',
  ),
  ACCESS_LOG_FILES: define(
    whole(1_000),
    '5',
    'Full files of ACCESS_LOG that are kept, as FILE.1 (the latest) and so on.',
  ),
} as const;

export interface AccessLogSettings {
  readonly target: AccessLogTarget;
  /** Of the requests answered below 400, from 0 to 1. */
  readonly sample: number;
  readonly address: AddressForm;
  /** Bytes of a file. */
  readonly fileBytes: number;
  /** Full files that are kept. */
  readonly files: number;
}

type Read = <T>(name: keyof typeof LOG_SETTINGS, definition: SettingDefinition<T>) => T;

/** The settings of the lines of requests, each read by `read`. */
export function accessLogSettings(read: Read): AccessLogSettings {
  return {
    target: read('ACCESS_LOG', LOG_SETTINGS.ACCESS_LOG),
    sample: read('ACCESS_LOG_SAMPLE', LOG_SETTINGS.ACCESS_LOG_SAMPLE),
    address: read('ACCESS_LOG_ADDRESS', LOG_SETTINGS.ACCESS_LOG_ADDRESS),
    fileBytes: read('ACCESS_LOG_FILE_MB', LOG_SETTINGS.ACCESS_LOG_FILE_MB) * 1_000_000,
    files: read('ACCESS_LOG_FILES', LOG_SETTINGS.ACCESS_LOG_FILES),
  };
}
