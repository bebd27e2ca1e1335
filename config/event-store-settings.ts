/** The settings of the event store: what it may take of a machine, and what it remembers of events. */
import { z } from 'zod';
import { define, megabytes, type SettingDefinition } from './setting-schemas.ts';

const ANSWERS_TEXT = 'must be megabytes, 0 to 100000';

/** Settings by their names in the environment. */
export const EVENT_STORE_SETTINGS = {
  EVENTS_MEMORY_MB: define(
    megabytes(128),
    '1000',
    'Without MONGODB_URI: megabytes, from 128, of the engine that keeps events; at most half of the memory of the machine, or of the limit of the container where that is less. Most of what a query needs beyond it goes to the disk; what cannot is answered with 503.',
  ),
  ANSWERS_MEMORY_MB: define(
    z
      .string()
      .regex(/^\d{1,6}$/, ANSWERS_TEXT)
      .transform(Number)
      .refine((megabytes) => megabytes <= 100_000, ANSWERS_TEXT),
    '32',
    'Answers of queries that are kept in memory until an event that they read changes, in megabytes; 0: none.',
  ),
  EVENT_ID_WINDOW: define(
    z
      .string()
      .regex(/^[1-9]\d{0,8}$/, 'must be a whole number from 1 to 100000000')
      .transform(Number)
      .refine((size) => size <= 100_000_000, 'must be a whole number from 1 to 100000000'),
    '5000000',
    'Event ids of the last 24 hours of which repeats are known exactly: the newest, shared fairly by organization; 5000000 take 135 MB when all have come.',
  ),
} as const;

export interface EventStoreSettings {
  /** Megabytes of the engine that keeps events in a file. */
  readonly engineMb: number;
  /** 0: nothing is remembered. */
  readonly answersMb: number;
  /** Newest event ids of which repeats are known. */
  readonly eventIdWindow: number;
}

type Read = <T>(name: keyof typeof EVENT_STORE_SETTINGS, definition: SettingDefinition<T>) => T;

/** Each setting read by `read`. */
export function eventStoreSettings(read: Read): EventStoreSettings {
  return {
    engineMb: read('EVENTS_MEMORY_MB', EVENT_STORE_SETTINGS.EVENTS_MEMORY_MB),
    answersMb: read('ANSWERS_MEMORY_MB', EVENT_STORE_SETTINGS.ANSWERS_MEMORY_MB),
    eventIdWindow: read('EVENT_ID_WINDOW', EVENT_STORE_SETTINGS.EVENT_ID_WINDOW),
  };
}
