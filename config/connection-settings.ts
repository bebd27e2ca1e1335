/** The settings of connections: how many clients may hold at once, in all and of one address. */
import { z } from 'zod';
import { define, type SettingDefinition } from './setting-schemas.ts';

const count = z
  .string()
  .regex(/^([1-9]\d{0,5}|1000000)?$/, 'must be a whole number from 1 to 1000000, or empty')
  .transform((text) => (text === '' ? null : Number(text)));

/** Settings by their names in the environment. */
export const CONNECTION_SETTINGS = {
  MAX_CONNECTIONS: define(
    count,
    '',
    'Most connections of clients to one gateway process; those of a service that runs alone too. Empty: the open files that it may have, less 2048 (of few files half of them), at most 16384.',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: define(
    count,
    '',
    'Most of them from one address (IPv6: one /64), except addresses of TRUSTED_PROXIES. Empty: a quarter of all, at most 1024.',
  ),
} as const;

export interface ConnectionSettings {
  /** Null: by the files that the process may open. */
  readonly maxConnections: number | null;
  /** Null: a part of all. */
  readonly maxConnectionsPerAddress: number | null;
}

/** The settings, each read by `read`. */
export function connectionSettings(
  read: (
    name: keyof typeof CONNECTION_SETTINGS,
    definition: SettingDefinition<number | null>,
  ) => number | null,
): ConnectionSettings {
  const { MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS } = CONNECTION_SETTINGS;
  return {
    maxConnections: read('MAX_CONNECTIONS', MAX_CONNECTIONS),
    maxConnectionsPerAddress: read('MAX_CONNECTIONS_PER_ADDRESS', MAX_CONNECTIONS_PER_ADDRESS),
  };
}
