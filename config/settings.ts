/** Settings from the environment: the one place that reads it, checked and typed; every fault at once stops the start. */
import { resolve } from 'node:path';
import { z } from 'zod';
import { OUR_WORDING } from '../services/shared/errors/issue-wording.ts';
import type { RedisAddress } from '../services/shared/storage/redis/redis-address.ts';
import { COLUMNS_SETTINGS, type ColumnsSettings, columnsSettings } from './columns-settings.ts';
import { CONNECTION_SETTINGS, type ConnectionSettings, connectionSettings } from './connection-settings.ts';
import { CUSTOM_SQL_SETTINGS, type CustomSqlSettings, customSqlSettings } from './custom-sql-settings.ts';
import { EVENT_STORE_SETTINGS, type EventStoreSettings, eventStoreSettings } from './event-store-settings.ts';
import { type AccessLogSettings, accessLogSettings, LOG_SETTINGS, type LogLevel } from './log-settings.ts';
import { type Counting, REDIS_SETTINGS, redisSettings } from './redis-settings.ts';
import { RETENTION_SETTINGS } from './retention-settings.ts';
import { SERVICE_SETTINGS, type ServiceSettings, serviceSettings } from './service-settings.ts';
import {
  DOMAIN,
  define,
  isAddressOrNetwork,
  keySetUrl,
  mongodbUri,
  optionalPath,
  port,
  type SettingDefinition,
  toList,
} from './setting-schemas.ts';
import { TRACING_SETTINGS, type TracingSettings, tracingSettings } from './tracing-settings.ts';

/** The folder of the package: two up from `dist/config/`. */
export const PACKAGE_ROOT = resolve(import.meta.dirname, '../..');

/** Where the build puts the pages of the dashboard. */
export const BUILT_DASHBOARD = resolve(PACKAGE_ROOT, 'dist/services/dashboard/pages');

/** Settings whose text may hold a password: a fault does not repeat it. */
const SECRET_SETTINGS: ReadonlySet<string> = new Set(['MONGODB_URI', 'REDIS_URL', 'IDENTITY_JWKS_URL']);

/** Every setting by its name in the environment (contract.md section 8). */
export const SETTINGS = {
  PORT: define(
    port,
    '8080',
    'Port of the gateway; 0 takes a free one. A service that runs alone: 4001 query, 4002 tracking, 4003 resources.',
  ),
  HOST: define(z.string().min(1), '127.0.0.1', 'Address that it listens on; 0.0.0.0 for all.'),
  DATA_DIR: define(
    z
      .string()
      .min(1)
      .transform((text) => resolve(text)),
    '.data',
    'Folder of the embedded stores, the secrets file and the operator socket.',
  ),
  CONFIG_DIR: define(
    z.string().transform((text) => (text === '' ? resolve(PACKAGE_ROOT, 'config') : resolve(text))),
    '',
    'Folder of gateway.config.yml, system.config.yml, plans.yml and models/. Default: config/ of the package.',
  ),
  DASHBOARD_DIR: define(
    z.string().transform((text) => (text === '' ? BUILT_DASHBOARD : resolve(text))),
    '',
    'Folder of the built dashboard, which the gateway serves at /dashboard. Default: that of the package.',
  ),
  PROVISION_FILE: define(
    optionalPath,
    null,
    'YAML file of organizations, users, websites, keys and links, applied at each start.',
  ),
  SECRETS_FILE: define(
    optionalPath,
    null,
    'JSON file of signing and encryption keys. Default: secrets.json in DATA_DIR, made with mode 0600 on the first start.',
  ),
  MONGODB_URI: define(
    mongodbUri,
    null,
    'MongoDB that keeps documents and events, such as mongodb://host1,host2/tidegate?replicaSet=rs0. Without it they lie in DATA_DIR.',
  ),
  ...COLUMNS_SETTINGS,
  ...REDIS_SETTINGS,
  ...SERVICE_SETTINGS,
  IDENTITY_JWKS_URL: define(
    keySetUrl,
    null,
    "Where services read the gateway's public keys, such as http://127.0.0.1:8080/.well-known/jwks.json. Default: those of SECRETS_FILE.",
  ),
  ADMIN_PORT: define(
    z
      .literal('')
      .transform(() => null)
      .or(port),
    '',
    'Port on 127.0.0.1 where this process serves /metrics (Prometheus) and /health to operators; 0 takes a free one. Empty: none.',
  ),
  KEY_PREFIX: define(
    z.string().regex(/^[a-z][a-z0-9]{0,15}$/, 'must be 1 to 16 of a-z 0-9, a letter first'),
    'tg',
    'Prefix of new API keys.',
  ),
  SERVICE_DOMAIN: define(
    z
      .string()
      .transform((text) => text.toLowerCase())
      .refine(
        (text) => DOMAIN.test(text),
        'must be a host name without scheme, port, path and dot at its end, such as example.com',
      ),
    'localhost',
    'Main domain: session cookies count for pages of it and its subdomains; localhost is for development.',
  ),
  ORIGIN_PORTS: define(
    z
      .string()
      .transform(toList)
      .refine(
        (list) => list.every((part) => /^[1-9]\d{0,4}$/.test(part) && Number(part) <= 65_535),
        'must be ports (1 to 65535), comma-separated',
      )
      .transform((list) => list.map(Number)),
    '',
    'Ports (comma-separated) besides 443 on which pages of the main domain may stand.',
  ),
  TRUSTED_PROXIES: define(
    z
      .string()
      .transform(toList)
      .refine(
        (list) => list.every(isAddressOrNetwork),
        'must be addresses or networks (CIDR), comma-separated',
      ),
    '',
    'Addresses or networks (CIDR, comma-separated) whose X-Forwarded-For and geo headers are believed.',
  ),
  GEOIP_FILE: define(
    optionalPath,
    null,
    'MMDB file (GeoLite2-City, DB-IP City Lite …) that says where visitors are, where no header of a trusted proxy does.',
  ),
  ...CONNECTION_SETTINGS,
  ...CUSTOM_SQL_SETTINGS,
  ...EVENT_STORE_SETTINGS,
  LOW_DISK_MB: define(
    z
      .string()
      .regex(/^\d{1,9}$/, 'must be a whole number of megabytes, 0 to 999999999')
      .transform(Number),
    '500',
    'Megabytes (of 1,000,000 bytes) free on the disk of DATA_DIR below which events without a key are refused with 503, while those with one go on. 0: never.',
  ),
  ...RETENTION_SETTINGS,
  GATEWAY_WORKERS: define(
    z
      .string()
      .regex(/^([1-9]|[1-5]\d|6[0-4])$/, 'must be a whole number, 1 to 64')
      .transform(Number),
    '1',
    'Gateway processes of `npm run start:gateway` on this machine that share its port; more than 1 needs REDIS_URL.',
  ),
  ...LOG_SETTINGS,
  ...TRACING_SETTINGS,
} as const;

export interface Settings extends ServiceSettings {
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** Absolute. */
  readonly configDir: string;
  /** Absolute. */
  readonly dashboardDir: string;
  readonly provisionFile: string | null;
  /** Absolute; null: secrets.json in `dataDir`. */
  readonly secretsFile: string | null;
  /** May hold a password; null: documents and events lie in `dataDir`. */
  readonly mongodbUri: string | null;
  /** Of the events in MongoDB. */
  readonly columns: ColumnsSettings;
  /** May hold a password and a key; null: each process counts for itself. */
  readonly redis: RedisAddress | null;
  /** How gateways count in Redis. */
  readonly counting: Counting;
  /** Where services read the gateway's public keys; null: at hand. */
  readonly identityJwksUrl: string | null;
  /** Null: nothing listens for operators. */
  readonly metricsPort: number | null;
  readonly keyPrefix: string;
  /** In lower case. */
  readonly serviceDomain: string;
  readonly originPorts: readonly number[];
  readonly trustedProxies: readonly string[];
  /** Absolute; null: places come from headers alone. */
  readonly geoipFile: string | null;
  readonly connections: ConnectionSettings;
  readonly customSql: CustomSqlSettings;
  readonly eventStore: EventStoreSettings;
  /** Below so much the disk is low; 0: it never is. */
  readonly lowDiskMb: number;
  /** Null: for ever. */
  readonly retentionDays: number | null;
  /** Null: for ever. */
  readonly auditRetentionDays: number | null;
  /** Gateway processes of one start. */
  readonly gatewayWorkers: number;
  readonly logLevel: LogLevel;
  readonly accessLog: AccessLogSettings;
  readonly tracing: TracingSettings;
}

/** Every faulty setting, a line each. */
export class SettingsError extends Error {
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`wrong settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
    this.name = 'SettingsError';
    this.faults = faults;
  }
}

/**
 * The settings of an environment (this process's when absent); `defaults` come before those of the table.
 * @throws SettingsError naming every fault.
 */
export function loadSettings(
  environment: Readonly<Record<string, string | undefined>> = process.env,
  defaults: Readonly<Record<string, string>> = {},
): Settings {
  const faults: string[] = [];
  function read<T>(name: keyof typeof SETTINGS, definition: SettingDefinition<T>): T {
    const text = environment[name] ?? defaults[name] ?? definition.default;
    const result = definition.schema.safeParse(text, OUR_WORDING);
    if (result.success) return result.data;
    const reason = result.error.issues.map((issue) => issue.message).join('; ');
    const isSecret = SECRET_SETTINGS.has(name) || /\/\/[^/]*@/.test(text ?? '');
    const shown = isSecret ? '(not shown)' : JSON.stringify(text);
    faults.push(`${name}=${shown}: ${reason}`);
    return undefined as T;
  }
  const settings: Settings = {
    port: read('PORT', SETTINGS.PORT),
    host: read('HOST', SETTINGS.HOST),
    dataDir: read('DATA_DIR', SETTINGS.DATA_DIR),
    configDir: read('CONFIG_DIR', SETTINGS.CONFIG_DIR),
    dashboardDir: read('DASHBOARD_DIR', SETTINGS.DASHBOARD_DIR),
    provisionFile: read('PROVISION_FILE', SETTINGS.PROVISION_FILE),
    secretsFile: read('SECRETS_FILE', SETTINGS.SECRETS_FILE),
    mongodbUri: read('MONGODB_URI', SETTINGS.MONGODB_URI),
    columns: columnsSettings(read),
    redis: redisSettings(read, (fault) => faults.push(fault)),
    counting: read('REDIS_COUNTING', SETTINGS.REDIS_COUNTING),
    ...serviceSettings(read),
    identityJwksUrl: read('IDENTITY_JWKS_URL', SETTINGS.IDENTITY_JWKS_URL),
    metricsPort: read('ADMIN_PORT', SETTINGS.ADMIN_PORT),
    keyPrefix: read('KEY_PREFIX', SETTINGS.KEY_PREFIX),
    serviceDomain: read('SERVICE_DOMAIN', SETTINGS.SERVICE_DOMAIN),
    originPorts: read('ORIGIN_PORTS', SETTINGS.ORIGIN_PORTS),
    trustedProxies: read('TRUSTED_PROXIES', SETTINGS.TRUSTED_PROXIES),
    geoipFile: read('GEOIP_FILE', SETTINGS.GEOIP_FILE),
    connections: connectionSettings(read),
    customSql: customSqlSettings((name) => read(name, SETTINGS[name])),
    eventStore: eventStoreSettings(read),
    lowDiskMb: read('LOW_DISK_MB', SETTINGS.LOW_DISK_MB),
    retentionDays: read('RETENTION_DAYS', SETTINGS.RETENTION_DAYS),
    auditRetentionDays: read('AUDIT_RETENTION_DAYS', SETTINGS.AUDIT_RETENTION_DAYS),
    gatewayWorkers: read('GATEWAY_WORKERS', SETTINGS.GATEWAY_WORKERS),
    logLevel: read('LOG_LEVEL', SETTINGS.LOG_LEVEL),
    accessLog: accessLogSettings(read),
    tracing: tracingSettings(read),
  };
  if (settings.gatewayWorkers > 1 && settings.redis === null) {
    faults.push(
      `GATEWAY_WORKERS="${settings.gatewayWorkers}": more than 1 needs REDIS_URL, in which they count rate limits together`,
    );
  }
  if (settings.counting === 'fast' && settings.redis === null)
    faults.push('REDIS_COUNTING="fast": is for a REDIS_URL; without Redis each process counts on its own');
  if (faults.length > 0) throw new SettingsError(faults);
  return settings;
}

/** Tells express-gateway, which reads the environment itself, where its files lie, and not to watch them. */
export function setExpressGatewayEnvironment(directory: string): void {
  process.env.EG_CONFIG_DIR = directory;
  process.env.EG_DISABLE_CONFIG_WATCH = '1';
}

/** The environment of this process, which the files of a configuration may name; settings in it are not theirs to see. */
export function environmentOfProcess(): Readonly<Record<string, string | undefined>> {
  return process.env;
}
