/** The client's address: the peer's, or what trusted proxies say of it. */
import type { IncomingMessage } from 'node:http';
import proxyAddr from 'proxy-addr';

/** Reads the address; with no trusted proxy X-Forwarded-For is never believed. */
export function createClientAddress(trustedProxies: readonly string[]): (req: IncomingMessage) => string {
  if (trustedProxies.length === 0) return (req) => req.socket.remoteAddress ?? 'unknown';
  const trusts = proxyAddr.compile([...trustedProxies]);
  return (req) => proxyAddr(req, trusts) || 'unknown';
}
