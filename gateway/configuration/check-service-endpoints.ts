/** Checks serviceEndpoints: each is one origin, and says which service its identity token is made for. */

import { SERVICES } from '../../services/shared/identity/identity-token.ts';
import type { ServiceEndpoint } from '../../services/shared/plugin/runtime.ts';
import { parseUrl } from '../../services/shared/text/parse-url.ts';
import { checkName, memberAt } from './check-endpoints.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';

const KEYS = ['url', 'audience'];
const REFUSED = {
  urls: 'balancing over several addresses is not offered yet; write one url',
  proxyOptions: 'limits and timeouts stand in the action of proxy',
};

/** The service endpoints by name, in the order of the file; a faulty one keeps its name, so that uses of it are no fault. */
export function checkServiceEndpoints(cursor: Cursor): Map<string, ServiceEndpoint> {
  const found = new Map<string, ServiceEndpoint>();
  for (const name of cursor.keys('map of service endpoints by name') ?? []) {
    const place = cursor.at(name);
    checkName(place, name);
    if (!place.map('map with url', KEYS, REFUSED)) {
      found.set(name, { url: '', audience: null });
      continue;
    }
    const audience = place.at('audience');
    found.set(name, {
      url: place.at('urls').value === undefined ? (checkOrigin(place.at('url')) ?? '') : '',
      audience: audience.value === undefined ? null : memberAt(audience, SERVICES, 'service'),
    });
  }
  return found;
}

/** The origin at `cursor`, without a trailing slash; null after a fault. A password in it is not repeated. */
function checkOrigin(cursor: Cursor): string | null {
  const allowed = ['http://host:port', 'https://host:port'];
  const text = cursor.value;
  if (text === undefined) {
    cursor.report('is missing', { allowed, candidates: [] });
    return null;
  }
  const url = typeof text === 'string' ? parseUrl(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    cursor.report(`${shown(text)} is no http address`, { allowed, candidates: [] });
    return null;
  }
  if (url.username !== '' || url.password !== '') {
    cursor.report('the address carries credentials, which the gateway does not send', {
      came: url.origin,
      allowed,
      candidates: [],
    });
    return null;
  }
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '' || /[?#]$/.test(String(text))) {
    cursor.report(`${shown(text)} has a path or query; requests keep their own`, { allowed, candidates: [] });
    return null;
  }
  return url.origin;
}

/** Reports each service endpoint that no pipeline proxies to. */
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
