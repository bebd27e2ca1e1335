/** Checks how an endpoint is matched: by host or by regular expressions, in addition to its paths or instead of them. */
import { checkRegex } from './check-paths.ts';
import type { ApiEndpoint } from './configuration.ts';
import type { Cursor } from './cursor.ts';
import { shown } from './faults.ts';

/** Null after a fault. */
export function checkPlace(cursor: Cursor): Pick<ApiEndpoint, 'host' | 'hostRegex' | 'pathRegex'> | null {
  const host = cursor.at('host');
  const hostRegex = cursor.at('hostRegex');
  const pathRegex = cursor.at('pathRegex');
  let sound = true;
  if (host.value !== undefined && (typeof host.value !== 'string' || !isHost(host.value))) {
    host.report(`${shown(host.value)} is not a valid host`, {
      allowed: ['a host name without port, such as api.example.com'],
      candidates: [],
    });
    sound = false;
  }
  if (host.value !== undefined && hostRegex.value !== undefined) {
    host.report('cannot be combined with hostRegex: express-gateway would ignore host', {
      allowed: ['host', 'hostRegex'],
      candidates: [],
    });
    sound = false;
  }
  const hostSource = hostRegex.value === undefined ? null : checkRegex(hostRegex);
  const pathSource = pathRegex.value === undefined ? null : checkRegex(pathRegex);
  if (hostRegex.value !== undefined && hostSource === null) sound = false;
  if (pathRegex.value !== undefined && pathSource === null) sound = false;
  if (!sound) return null;
  return { host: (host.value as string | undefined) ?? null, hostRegex: hostSource, pathRegex: pathSource };
}

/** A name with `*` for one or more of its labels (vhost's rule). */
function isHost(text: string): boolean {
  return text !== '*' && /^[A-Za-z0-9*]([A-Za-z0-9.*-]*[A-Za-z0-9])?$/.test(text);
}
