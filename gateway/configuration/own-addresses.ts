/** Where our own services listen, and whether a backend of the configuration is one of them, however its address is spelled. */
import ipaddr from 'ipaddr.js';
import { SERVICES, type ServiceName } from '../../services/shared/identity/identity-token.ts';
import { parseUrl } from '../../services/shared/text/parse-url.ts';

/** The variable that holds the addresses of a service, as written in a file. */
export function variableOf(service: ServiceName): string {
  return `\${${nameOf(service)}}`;
}

function nameOf(service: ServiceName): string {
  return `${service.toUpperCase()}_URL`;
}

/** The addresses of each of our own services, normalized. */
export type OwnAddresses = ReadonlyMap<ServiceName, ReadonlySet<string>>;

/** Reads them from `variables`, comma-separated; a service without a variable has none. */
export function ownAddresses(variables: Readonly<Record<string, string>>): OwnAddresses {
  return new Map(
    SERVICES.map((service) => {
      const name = nameOf(service);
      const text = Object.hasOwn(variables, name) ? (variables[name] ?? '') : '';
      return [service, new Set(text.split(',').flatMap((part) => placeOf(part.trim()) ?? []))];
    }),
  );
}

/**
 * Host and port of an address, normalized: case, a trailing dot, default port, scheme and path make no difference, and every
 * name of this machine becomes the same. Null for text that is not an address.
 */
export function placeOf(address: string): string | null {
  const url = parseUrl(address);
  if (url === null || url.hostname === '') return null;
  const host = url.hostname.toLowerCase().replace(/\.$/, '');
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return `${isThisMachine(host) ? 'localhost' : plain(host)}:${port}`;
}

/** Loopback, and the unspecified address. */
function isThisMachine(host: string): boolean {
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  const address = parsed(host);
  return address !== null && ['loopback', 'unspecified'].includes(address.range());
}

/** Converts an IPv4-mapped IPv6 address to the IPv4 address. */
function plain(host: string): string {
  return parsed(host)?.toString() ?? host;
}

function parsed(host: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const bare = host.replace(/^\[|\]$/g, '');
  return ipaddr.isValid(bare) ? ipaddr.process(bare) : null;
}
