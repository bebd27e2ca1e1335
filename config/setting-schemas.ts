/** The forms that settings may have: how the text of each is read, and what a fault says. */
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { MOST_ADDRESSES } from '../services/shared/plans/service-endpoint.ts';
import { parseUrl } from '../services/shared/text/parse-url.ts';

/** A host name of ASCII labels. */
export const DOMAIN = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

/** One setting: how its text is read, and what docs/settings.md and error texts say of it. */
export interface SettingDefinition<T> {
  readonly schema: z.ZodType<T>;
  /** Shown in docs/settings.md; null means none. */
  readonly default: string | null;
  readonly description: string;
}

export function define<T>(
  schema: z.ZodType<T>,
  fallback: string | null,
  description: string,
): SettingDefinition<T> {
  return { schema, default: fallback, description };
}

/** A part of a whole, from 0 to 1. */
export const share = z
  .string()
  .regex(/^(0(\.\d{1,6})?|1(\.0{1,6})?)$/, 'must be a share from 0 to 1, such as 0.01')
  .transform(Number);

/** Megabytes (of 1,000,000 bytes), at least `least`. */
export function megabytes(least: number): z.ZodType<number> {
  const text = `must be megabytes, ${least} to 10000000`;
  return z
    .string()
    .regex(/^\d{1,8}$/, text)
    .transform(Number)
    .refine((number) => number >= least && number <= 10_000_000, text);
}

export const optionalPath = z
  .string()
  .transform((text) => (text === '' ? null : resolve(text)))
  .nullable();

/** An address with scheme, host and at most a port; null when empty. `example` is what a fault shows. */
export function serverUrl(protocols: readonly string[], example: string): z.ZodType<string | null> {
  return z
    .string()
    .transform((text) => (text === '' ? null : text))
    .refine((text) => text === null || hasProtocol(text, protocols), `must be an address such as ${example}`)
    .nullable();
}

function hasProtocol(text: string, protocols: readonly string[]): boolean {
  const url = parseUrl(text);
  return url !== null && protocols.includes(url.protocol) && url.hostname !== '';
}

/** The origins of a service, comma-separated; empty when none is set. */
export const serviceUrls = z
  .string()
  .nullable()
  .transform((text) => toList(text ?? ''))
  .refine(
    (list) => list.every((text) => hasProtocol(text, ['http:'])),
    'must be addresses such as http://127.0.0.1:4001, comma-separated',
  )
  .refine((list) => list.every(isOrigin), 'must have no path, user or query')
  .transform((list) => list.map((text) => parseUrl(text)?.origin ?? text))
  .refine((list) => new Set(list).size === list.length, 'names an address twice')
  .refine((list) => list.length <= MOST_ADDRESSES, `must be at most ${MOST_ADDRESSES} addresses`);

/** The address of a key set. */
export const keySetUrl = serverUrl(['http:', 'https:'], 'http://127.0.0.1:8080/.well-known/jwks.json').refine(
  (text) => text === null || !hasUser(text),
  'must name no user and no password',
);

function hasUser(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && url.username + url.password !== '';
}

function isOrigin(text: string): boolean {
  if (parseUrl(text) === null) return true;
  const { pathname, search, hash, username, password } = new URL(text);
  return pathname === '/' && search + hash + username + password === '';
}

/** A connection string of MongoDB (its own format: several hosts, options); null when empty. */
export const mongodbUri = z
  .string()
  .transform((text) => (text === '' ? null : text))
  .refine(
    (text) => text === null || /^mongodb(\+srv)?:\/\/[^/?#\s]+(\/[^\s@?]*(\?\S*)?)?$/.test(text),
    'must be a connection string such as mongodb://user:password@host:27017/tidegate; @ : / ? # % in a name or password are percent-encoded',
  )
  .nullable();

export const port = z
  .string()
  .regex(/^\d{1,5}$/, 'must be a port, 0 to 65535')
  .transform(Number)
  .refine((number) => number <= 65_535, 'must be a port, 0 to 65535');

/** The parts of a comma-separated text. */
export function toList(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export function isAddressOrNetwork(text: string): boolean {
  return ipaddr.isValid(text) || ipaddr.isValidCIDR(text);
}
