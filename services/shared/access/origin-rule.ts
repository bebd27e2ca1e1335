/**
 * Judges whether a request comes from one of the service's own domains; cookies count only then (contract.md section
 * 3).
 */

/** The domains that belong to the service. */
export interface OwnDomains {
  /** The main domain, in lower case; it and every subdomain is the service's own. `localhost` is for development. */
  readonly serviceDomain: string;
  /** Ports besides the default one. */
  readonly originPorts: readonly number[];
}

/** `own`: it comes from one of the domains; `foreign`: a header says otherwise; `unstated`: no header says anything. */
export type OriginVerdict = 'own' | 'foreign' | 'unstated';

const ORIGIN = /^(https?):\/\/([A-Za-z0-9._-]+|\[::1\])(?::([1-9]\d{0,4}))?$/;
/** The origin of an absolute URL: everything before its path, query or fragment. */
const ORIGIN_OF_URL = /^[a-z]+:\/\/[^/?#]*/;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?$/;
const DEFAULT_PORTS = { http: 80, https: 443 } as const;

/** Whether the development exception holds: plain http and any port on this machine, and cookies without `Secure`. */
export function isDevelopment({ serviceDomain }: OwnDomains): boolean {
  return serviceDomain === 'localhost';
}

/** Whether `origin`, as a browser writes it, is one of the service's own. */
export function isOwnOrigin(origin: string, domains: OwnDomains): boolean {
  const [matched, scheme, written = '', port] = ORIGIN.exec(origin) ?? [];
  if (matched === undefined || (scheme !== 'http' && scheme !== 'https')) return false;
  const host = written.toLowerCase();
  const portNumber = port === undefined ? DEFAULT_PORTS[scheme] : Number(port);
  if (portNumber > 65_535) return false;
  if (isDevelopment(domains)) return host === '127.0.0.1' || host === '[::1]' || isWithin(host, 'localhost');
  if (scheme !== 'https' || !isWithin(host, domains.serviceDomain)) return false;
  return portNumber === DEFAULT_PORTS.https || domains.originPorts.includes(portNumber);
}

/**
 * The verdict on a request by its raw headers. Only raw headers show repeats: a header that occurs twice makes it
 * foreign.
 * `Origin` decides when present; else `Sec-Fetch-Site` and the origin of `Referer`.
 */
export function judgeOrigin(rawHeaders: readonly string[], domains: OwnDomains): OriginVerdict {
  const origin = singleHeader(rawHeaders, 'origin');
  if (origin !== null) return verdict(origin !== 'repeated' && isOwnOrigin(origin.value, domains));
  const site = singleHeader(rawHeaders, 'sec-fetch-site');
  const referer = singleHeader(rawHeaders, 'referer');
  if (site === 'repeated' || referer === 'repeated') return 'foreign';
  if (site?.value === 'same-origin') return 'own';
  if (site !== null && site.value !== 'same-site') return 'foreign';
  if (referer === null) return site === null ? 'unstated' : 'foreign';
  const refererOrigin = ORIGIN_OF_URL.exec(referer.value)?.[0];
  return verdict(refererOrigin !== undefined && isOwnOrigin(refererOrigin, domains));
}

function verdict(own: boolean): OriginVerdict {
  return own ? 'own' : 'foreign';
}

/** The domain itself or a subdomain. Every label must be valid: no empty label, so no dot at either end. */
function isWithin(host: string, domain: string): boolean {
  if (host !== domain && !host.endsWith(`.${domain}`)) return false;
  return host.split('.').every((label) => LABEL.test(label));
}

function singleHeader(rawHeaders: readonly string[], name: string): { value: string } | 'repeated' | null {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const header = rawHeaders[index] as string;
    if (header.length !== name.length || header.toLowerCase() !== name) continue;
    if (value !== undefined) return 'repeated';
    value = rawHeaders[index + 1] as string;
  }
  return value === undefined ? null : { value };
}
