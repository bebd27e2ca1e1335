/** The settings of Redis: where it is, and the files of TLS. */
import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { z } from 'zod';
import {
  parseRedisUrl,
  type RedisAddress,
  RedisAddressError,
} from '../services/shared/storage/redis/redis-address.ts';
import { define, optionalPath, type SettingDefinition } from './setting-schemas.ts';

const redisUrl = z
  .string()
  .transform((text, context) => {
    try {
      return text === '' ? null : parseRedisUrl(text);
    } catch (fault) {
      if (!(fault instanceof RedisAddressError)) throw fault;
      context.addIssue(fault.message);
      return z.NEVER;
    }
  })
  .nullable();

/** Whether each request asks Redis, or most are counted in the process. */
const COUNTINGS = ['exact', 'fast'] as const;
export type Counting = (typeof COUNTINGS)[number];

/** The text of a PEM file, read at the start. */
const pemFile = optionalPath.transform((path, context) => {
  if (path === null) return null;
  try {
    const text = readFileSync(path, 'utf8');
    if (text.includes('-----BEGIN ')) return text;
    context.addIssue('must name a PEM file, with a line -----BEGIN …');
  } catch (fault) {
    context.addIssue(`must name a file that can be read: ${fault instanceof Error ? fault.message : fault}`);
  }
  return z.NEVER;
});

/** Settings by their names in the environment. */
export const REDIS_SETTINGS = {
  REDIS_URL: define(
    redisUrl,
    null,
    'Redis in which several gateway processes count rate limits together and tell each other of changes: `redis://[user:password@]host:6379[/db]`, `redis-sentinel://…` or `redis-cluster://…`, with TLS `rediss…` (docs/operations.md). Without it each counts for itself, and they read a change counter every 2 s.',
  ),
  REDIS_COUNTING: define(
    z.enum(COUNTINGS),
    'exact',
    'How gateways count in Redis: `exact` asks it for each request; `fast` counts in the process and tells Redis every 75 ms, so that limits may be exceeded a little (docs/limits.md).',
  ),
  REDIS_TLS_CA: define(
    pemFile,
    null,
    'PEM file of the authorities that sign certificates of Redis (and of its Sentinels), for `rediss…`. Default: those that Node trusts.',
  ),
  REDIS_TLS_CERT: define(
    pemFile,
    null,
    'PEM file of the certificate by which the gateway proves itself to Redis; with REDIS_TLS_KEY.',
  ),
  REDIS_TLS_KEY: define(pemFile, null, 'PEM file of the key of REDIS_TLS_CERT.'),
} as const;

/** Reads a setting: null when it is empty, undefined when it is wrong, which was told. */
type Read = <T>(name: keyof typeof REDIS_SETTINGS, definition: SettingDefinition<T>) => T | undefined;

/** The address with its certificates; `told` gets what is wrong about them together. */
export function redisSettings(read: Read, told: (fault: string) => void): RedisAddress | null {
  const address = read('REDIS_URL', REDIS_SETTINGS.REDIS_URL);
  const ca = read('REDIS_TLS_CA', REDIS_SETTINGS.REDIS_TLS_CA);
  const cert = read('REDIS_TLS_CERT', REDIS_SETTINGS.REDIS_TLS_CERT);
  const key = read('REDIS_TLS_KEY', REDIS_SETTINGS.REDIS_TLS_KEY);
  if (address === undefined || ca === undefined || cert === undefined || key === undefined) return null;
  const files = { ca, cert, key };
  if (Object.values(files).every((file) => file === null)) return address;
  if (address === null || address.tls === null) {
    told(
      'REDIS_TLS_CA, REDIS_TLS_CERT, REDIS_TLS_KEY: are for a REDIS_URL with TLS, that begins with rediss',
    );
    return null;
  }
  if ((cert === null) !== (key === null)) {
    told('REDIS_TLS_CERT, REDIS_TLS_KEY: must be given together');
    return null;
  }
  try {
    createSecureContext({ ca: ca ?? undefined, cert: cert ?? undefined, key: key ?? undefined });
  } catch (fault) {
    told(`REDIS_TLS_CA, REDIS_TLS_CERT, REDIS_TLS_KEY: ${fault instanceof Error ? fault.message : fault}`);
    return null;
  }
  return { ...address, tls: files };
}
