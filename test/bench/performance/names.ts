/** What people call what is measured, and how figures are written. */
import type { EngineName } from '../query-engine.ts';
import type { TargetName } from '../target.ts';

export const TARGET_TITLES: Readonly<Record<TargetName | 'upstream', string>> = {
  upstream: 'upstream alone',
  bare: 'bare undici',
  stock: 'stock express-gateway',
  tidegate: 'Tidegate',
  fastify: 'fastify',
  'nginx-lua': 'nginx with Lua',
  traefik: 'Traefik',
  krakend: 'KrakenD CE',
};

export const ENGINE_TITLES: Readonly<Record<EngineName, string>> = {
  tidegate: 'Tidegate',
  postgresql: 'PostgreSQL',
  sqlite: 'SQLite',
  clickhouse: 'ClickHouse',
};

/** A whole number with its thousands apart. */
export const whole = (value: number): string =>
  Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, ',');

/** Three digits, or all of a whole number. */
export function figure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (Math.abs(value) >= 100) return whole(value);
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2);
}

export const times = (value: number | null): string => (value === null ? '–' : `${value.toFixed(2)} ×`);

/** `1 router`, `2 routers`. */
export const counted = (count: number, one: string): string =>
  `${whole(count)} ${one}${count === 1 ? '' : 's'}`;
