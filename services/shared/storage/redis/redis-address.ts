/** Where Redis is and how to reach it, parsed from text: one server, a master found through Sentinel, or a Cluster. */
import { isIPv6 } from 'node:net';
import { firstValue, parseQuery, type QueryParameters } from '../../http/query-string.ts';

export interface RedisHost {
  /** A name or an IP address; IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
}

/** Certificates for TLS, each as PEM text; null: the platform's authorities, and no certificate of our own. */
export interface RedisTls {
  readonly ca: string | null;
  readonly cert: string | null;
  readonly key: string | null;
}

/** The common part of all forms. Holds passwords, so it is never logged. */
interface Reached {
  /** At least one: the server, or the Sentinels or Cluster nodes that are asked for the others. */
  readonly hosts: readonly [RedisHost, ...RedisHost[]];
  /** Null: the user `default`. */
  readonly username: string | null;
  readonly password: string | null;
  /** Null: no TLS. */
  readonly tls: RedisTls | null;
}

export interface SingleAddress extends Reached {
  readonly form: 'single';
  readonly database: number;
}

export interface SentinelAddress extends Reached {
  readonly form: 'sentinel';
  /** The Sentinels' name for the master. */
  readonly master: string;
  readonly sentinelUsername: string | null;
  readonly sentinelPassword: string | null;
}

export interface ClusterAddress extends Reached {
  readonly form: 'cluster';
}

export type RedisAddress = SingleAddress | SentinelAddress | ClusterAddress;

/**
 * A text that is not an address. The message says what is allowed and repeats nothing of the text, which may hold a
 * password.
 */
export class RedisAddressError extends Error {}

const FORMS = { redis: 'single', 'redis-sentinel': 'sentinel', 'redis-cluster': 'cluster' } as const;
type Form = (typeof FORMS)[keyof typeof FORMS];

const EXAMPLES: Readonly<Record<Form, string>> = {
  single: 'redis://user:password@host:6379/0',
  sentinel: 'redis-sentinel://host1:26379,host2:26379/NAME',
  cluster: 'redis-cluster://host1:6379,host2:6379',
};
const PORTS: Readonly<Record<Form, number>> = { single: 6_379, sentinel: 26_379, cluster: 6_379 };
const NO_TLS_FILES: RedisTls = { ca: null, cert: null, key: null };

const ADDRESS =
  /^redis(s?)(|-sentinel|-cluster):\/\/(?:([^@/?#\s]*)@)?([^@/?#\s]+)(\/[^@?#\s]*)?(\?[^#\s]*)?$/;
const HOST = /^(?:\[([\da-f:.]+)\]|([a-z\d_](?:[a-z\d_.-]{0,251}[a-z\d_.])?))(?::(\d{1,5}))?$/i;

/** The allowed forms, for a fault without a more specific message. */
export const REDIS_FORMS = `must be an address such as ${Object.values(EXAMPLES).join(', ')}; rediss… for TLS`;

/** The address of a text such as {@link EXAMPLES}. @throws RedisAddressError saying what is wrong */
export function parseRedisUrl(text: string): RedisAddress {
  const match = ADDRESS.exec(text);
  if (match === null) {
    throw new RedisAddressError(`${REDIS_FORMS}; @ : / ? # % in a name or password are percent-encoded`);
  }
  const [, secure, kind = '', userinfo, hosts = '', path = '', search = ''] = match;
  const form = FORMS[`redis${kind}` as keyof typeof FORMS];
  const reached: Reached = {
    hosts: hostsOf(hosts, form),
    ...credentialsOf(userinfo),
    tls: secure === 's' ? NO_TLS_FILES : null,
  };
  const options = parseQuery(search.slice(1));
  if (form !== 'sentinel' && search !== '') {
    throw new RedisAddressError('must have no options after ?: only redis-sentinel:// takes some');
  }
  switch (form) {
    case 'single':
      return { form, ...reached, database: databaseOf(path) };
    case 'sentinel':
      return { form, ...reached, master: masterOf(path), ...sentinelCredentialsOf(options) };
    case 'cluster':
      if (path.length > 1) throw new RedisAddressError('must have no path: a Cluster has database 0 alone');
      return { form, ...reached };
  }
}

function hostsOf(text: string, form: Form): Reached['hosts'] {
  const [first, ...others] = text.split(',').map((part) => hostOf(part, form));
  if (first === undefined || (form === 'single' && others.length > 0)) {
    throw new RedisAddressError('must name one host; several are for redis-sentinel:// and redis-cluster://');
  }
  return [first, ...others];
}

function hostOf(text: string, form: Form): RedisHost {
  const [, ipv6, name, port = `${PORTS[form]}`] = HOST.exec(text) ?? [];
  const host = name ?? ipv6;
  if (host === undefined || (ipv6 !== undefined && !isIPv6(ipv6))) {
    throw new RedisAddressError(`must name its hosts as in ${EXAMPLES[form]}`);
  }
  if (Number(port) < 1 || Number(port) > 65_535) {
    throw new RedisAddressError('must have ports from 1 to 65535');
  }
  return { host, port: Number(port) };
}

/** `user:password` or `:password`; a user alone could not log in. */
function credentialsOf(userinfo: string | undefined): Pick<Reached, 'username' | 'password'> {
  if (userinfo === undefined || userinfo === '') return { username: null, password: null };
  const [username = '', password, ...more] = userinfo.split(':');
  if (password === undefined || password === '' || more.length > 0) {
    throw new RedisAddressError(
      'must name user and password as user:password@ or :password@, percent-encoded',
    );
  }
  return { username: decoded(username) || null, password: decoded(password) };
}

function databaseOf(path: string): number {
  if (path === '' || path === '/') return 0;
  if (!/^\/\d{1,5}$/.test(path)) {
    throw new RedisAddressError('must name the database by its number, such as /0');
  }
  return Number(path.slice(1));
}

function masterOf(path: string): string {
  const master = decoded(path.slice(1));
  if (!/^[\w.-]{1,100}$/.test(master)) {
    throw new RedisAddressError(`must name the master after the hosts, as in ${EXAMPLES.sentinel}`);
  }
  return master;
}

function sentinelCredentialsOf(
  options: QueryParameters,
): Pick<SentinelAddress, 'sentinelUsername' | 'sentinelPassword'> {
  const names = Object.keys(options);
  const isKnown = (name: string): boolean => name === 'sentinelUser' || name === 'sentinelPassword';
  if (!names.every((name) => isKnown(name) && typeof options[name] === 'string')) {
    throw new RedisAddressError('may have the options sentinelUser and sentinelPassword, each once');
  }
  const sentinelUsername = firstValue(options, 'sentinelUser') || null;
  const sentinelPassword = firstValue(options, 'sentinelPassword') || null;
  if (names.some((name) => options[name] === '') || (sentinelUsername && !sentinelPassword)) {
    throw new RedisAddressError('must give sentinelPassword a value, with sentinelUser too');
  }
  return { sentinelUsername, sentinelPassword };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new RedisAddressError('must have % only before two hexadecimal digits');
  }
}
