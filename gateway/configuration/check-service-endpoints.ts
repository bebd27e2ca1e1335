/** Checks serviceEndpoints: where each listens, the audience of its identity token, and how it is balanced. */
import { z } from 'zod';
import { SERVICES, type ServiceName } from '../../services/shared/identity/identity-token.ts';
import {
  BALANCES,
  type Balance,
  type BreakerSettings,
  breakerSchema,
  DEFAULT_BALANCE,
  DEFAULT_RETRIES,
  HASH_KEYS,
  type HealthCheck,
  hashBalanceSchema,
  healthCheckOf,
  healthCheckSchema,
  MOST_ADDRESSES,
  retriesSchema,
  type ServiceEndpoint,
  watchByDefault,
} from '../../services/shared/plans/service-endpoint.ts';
import { parseUrl } from '../../services/shared/text/parse-url.ts';
import { checkAudience } from './check-audience.ts';
import { checkDroppedHeaders, checkIdentity, reportSharedAudiences } from './check-backend-identity.ts';
import { checkName, memberAt, reportTwice } from './check-endpoints.ts';
import { checkBackendTls, type TlsFiles } from './check-tls.ts';
import { type Cursor, isMap } from './cursor.ts';
import { shown } from './faults.ts';
import { serviceShape } from './file-shapes.ts';
import type { OwnAddresses } from './own-addresses.ts';
import { parseAt } from './schema-faults.ts';

const KEYS = Object.keys(serviceShape.shape);
const REFUSED = { proxyOptions: 'set limits and timeouts in the action of proxy' };
const ORIGINS = ['http://host:port', 'https://host:port'];

/** Switches off a health check or breaker that several addresses have by default. */
const NONE = 'none';

/** The service endpoints by name, in file order; a faulty one keeps its name, so that its uses are not faults too. */
export function checkServiceEndpoints(
  cursor: Cursor,
  own: OwnAddresses,
  files: TlsFiles,
): Map<string, ServiceEndpoint> {
  const found = new Map<string, ServiceEndpoint>();
  for (const name of cursor.keys('map of service endpoints by name') ?? []) {
    const place = cursor.at(name);
    checkName(place, name);
    const isMap = place.map('map with url', KEYS, REFUSED);
    found.set(name, isMap ? checkServiceEndpoint(place, own, files) : FAULTY);
  }
  reportSharedAudiences(cursor, found);
  return found;
}

const FAULTY: ServiceEndpoint = {
  urls: [],
  audience: null,
  identity: null,
  required: false,
  dropHeaders: [],
  balance: DEFAULT_BALANCE,
  healthCheck: null,
  breaker: null,
  retries: DEFAULT_RETRIES,
  tls: null,
};

function checkServiceEndpoint(place: Cursor, own: OwnAddresses, files: TlsFiles): ServiceEndpoint {
  const urls = checkAddresses(place);
  const at = place.at('audience');
  const audience = optional(at, null, (written) => memberAt(written, SERVICES, 'service'));
  // Faulty addresses and audiences are reported themselves; faults derived from them are not.
  const isSound = urls.length > 0 && !place.at('url').hasFaults && !place.at('urls').hasFaults;
  if (isSound && (audience !== null || at.value === undefined)) {
    checkAudience(place, audience, urls, own);
  }
  const defaults = watchByDefault(urls, audience);
  return {
    urls,
    audience,
    identity: optional(place.at('identity'), null, (at) => checkIdentity(at, audience)),
    required: optional(
      place.at('required'),
      audience !== null,
      (at) => parseAt(at, z.boolean()) ?? audience !== null,
    ),
    dropHeaders: checkDroppedHeaders(place, audience),
    balance: optional<Balance>(place.at('balance'), DEFAULT_BALANCE, checkBalance),
    healthCheck: optional(place.at('healthCheck'), defaults.healthCheck, (at) =>
      checkHealthCheck(at, audience),
    ),
    breaker: optional(place.at('breaker'), defaults.breaker, checkBreaker),
    retries: optional(
      place.at('retries'),
      DEFAULT_RETRIES,
      (at) => parseAt(at, retriesSchema) ?? DEFAULT_RETRIES,
    ),
    tls: optional(place.at('tls'), null, (at) => checkBackendTls(at, urls, files)),
  };
}

/** The result of `check` for the value at `cursor`; `absent` when there is none. */
function optional<T>(cursor: Cursor, absent: T, check: (cursor: Cursor) => T): T {
  return cursor.value === undefined ? absent : check(cursor);
}

const HASHES = HASH_KEYS.map((key) => `{ hash: ${key} }`);

function checkBalance(cursor: Cursor): Balance {
  if (isMap(cursor.value)) return parseAt(cursor, hashBalanceSchema) ?? DEFAULT_BALANCE;
  const found = BALANCES.find((balance) => balance === cursor.value);
  if (found !== undefined) return found;
  cursor.report(`${shown(cursor.value)} is not a valid balance`, {
    allowed: [...BALANCES, ...HASHES],
    candidates: [...BALANCES],
  });
  return DEFAULT_BALANCE;
}

function checkHealthCheck(cursor: Cursor, audience: ServiceName | null): HealthCheck | null {
  if (cursor.value === NONE) return null;
  const written = parseAt(cursor, healthCheckSchema);
  if (written === undefined) return null;
  const check = healthCheckOf(written, audience);
  if (check === null) {
    cursor.at('path').report('is missing: only Tidegate services, those with an audience, have a default', {
      allowed: ['a path that answers 2xx when the backend accepts requests'],
      candidates: [],
    });
  }
  return check;
}

function checkBreaker(cursor: Cursor): BreakerSettings | null {
  return cursor.value === NONE ? null : (parseAt(cursor, breakerSchema) ?? null);
}

/** The addresses in `url` or `urls`, without the invalid ones. */
function checkAddresses(place: Cursor): string[] {
  const url = place.at('url');
  const urls = place.at('urls');
  if (urls.value === undefined) return checkUrl(url);
  if (url.value !== undefined) {
    urls.report('cannot be combined with url; write one of them', { candidates: [] });
    return checkUrl(url);
  }
  const items = urls.list('a list of origins');
  if (!items) return [];
  if (items.length === 0) urls.report('is an empty list', { allowed: ORIGINS, candidates: [] });
  const origins = items.map((item) => checkOrigin(item, item.value));
  reportTwice(items, origins);
  return withinBounds(urls, origins);
}

/** One origin, or several separated by commas: the value of a variable such as QUERY_URL. */
function checkUrl(cursor: Cursor): string[] {
  const { value } = cursor;
  if (typeof value !== 'string' || !value.includes(','))
    return withinBounds(cursor, [checkOrigin(cursor, value)]);
  const origins = value.split(',').map((text) => checkOrigin(cursor, text.trim()));
  const twice = origins.find((origin, index) => origin !== null && origins.indexOf(origin) < index);
  if (twice) cursor.report(`names ${twice} twice`, { candidates: [] });
  return withinBounds(cursor, origins);
}

function withinBounds(cursor: Cursor, origins: readonly (string | null)[]): string[] {
  if (origins.length > MOST_ADDRESSES) {
    cursor.report(`names ${origins.length} addresses`, {
      allowed: [`at most ${MOST_ADDRESSES}`],
      candidates: [],
    });
  }
  return origins.filter((origin) => origin !== null);
}

/** `text` as an origin, without a trailing slash; null after a fault. A password in it is not repeated. */
function checkOrigin(cursor: Cursor, text: unknown): string | null {
  const advice = { allowed: ORIGINS, candidates: [] };
  if (text === undefined) {
    cursor.report('is missing', advice);
    return null;
  }
  const url = typeof text === 'string' ? parseUrl(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    cursor.report(`${shown(text)} is not an http address`, advice);
    return null;
  }
  if (url.username !== '' || url.password !== '') {
    cursor.report('the address has credentials, which the gateway does not send', {
      came: url.origin,
      ...advice,
    });
    return null;
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || /[?#]$/.test(String(text))) {
    cursor.report(`${shown(text)} has a path or query, but requests keep their own`, advice);
    return null;
  }
  return url.origin;
}

/** Reports each service endpoint to which no pipeline proxies. */
export function reportUnusedServices(
  cursor: Cursor,
  names: Iterable<string>,
  used: ReadonlySet<string>,
): void {
  for (const name of names) {
    if (used.has(name)) continue;
    cursor
      .at(name)
      .report('no pipeline proxies to it; remove it or name it in a proxy action', { came: name });
  }
}
