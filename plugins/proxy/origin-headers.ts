/** Tells a foreign backend where a request came from, and how the client addressed the gateway (RFC 7239). */
import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';

/** What a Host may look like, brackets of IPv6 and the port included. */
const HOST = /^[\w.:[\]-]{1,260}$/;

/**
 * Adds X-Forwarded-Proto, X-Forwarded-Host and Forwarded to `headers`, as name, value; a Host that is none is left out.
 * `address`: the client's, as the gateway believes it. Headers about proto and host count only from a trusted proxy.
 */
export function addOriginHeaders(
  headers: string[],
  req: IncomingMessage,
  address: string,
  isFromTrustedProxy: (req: IncomingMessage) => boolean,
): void {
  const saidProto = req.headers['x-forwarded-proto'];
  const saidHost = req.headers['x-forwarded-host'];
  const trusts = (saidProto !== undefined || saidHost !== undefined) && isFromTrustedProxy(req);
  const proto =
    (trusts ? protoOf(last(saidProto)) : null) ?? ((req.socket as TLSSocket).encrypted ? 'https' : 'http');
  const host = (trusts ? hostOf(last(saidHost)) : null) ?? hostOf(req.headers.host);
  headers.push('x-forwarded-proto', proto);
  if (host !== null) headers.push('x-forwarded-host', host);
  const by = address.includes(':') ? `"[${address}]"` : address;
  headers.push('forwarded', `for=${by};${host === null ? '' : `host="${host}";`}proto=${proto}`);
}

/** The value that the nearest proxy added. */
function last(value: string | string[] | undefined): string | undefined {
  const text = Array.isArray(value) ? value.join(',') : value;
  return text?.slice(text.lastIndexOf(',') + 1).trim();
}

function protoOf(text: string | undefined): string | null {
  const proto = text?.toLowerCase();
  return proto === 'http' || proto === 'https' ? proto : null;
}

function hostOf(text: string | undefined): string | null {
  return text !== undefined && HOST.test(text) ? text : null;
}
