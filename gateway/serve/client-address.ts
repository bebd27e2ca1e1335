/** The client's address: the peer's, or the one that trusted proxies report. */
import type { IncomingMessage } from 'node:http';
import ipaddr from 'ipaddr.js';
import type { Logger } from 'pino';
import proxyAddr from 'proxy-addr';

/** Forwarded addresses come with ports and brackets too: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const WITH_PORT = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/;

/**
 * Reads the address. X-Forwarded-For is trusted only from trusted proxies: the rightmost address that is not one of
 * them counts; anything that is not an address is ignored. A forwarding header from elsewhere is logged once as a warning.
 */
export function createClientAddress(
  trustedProxies: readonly string[],
  logger: Logger,
): (req: IncomingMessage) => string {
  const trusts = proxyAddr.compile([...trustedProxies]);
  let warned = false;

  return function clientAddress(req) {
    const peer = req.socket.remoteAddress ?? 'unknown';
    if (req.headers['x-forwarded-for'] === undefined) return peer;
    if (!trusts(peer, 0)) {
      if (!warned) {
        logger.warn(
          { peer },
          'X-Forwarded-For came from an address that is not in TRUSTED_PROXIES; it is ignored',
        );
      }
      warned = true;
      return peer;
    }
    const hops = proxyAddr.all(req, trusts).map(bare);
    return hops.findLast((hop) => ipaddr.isValid(hop)) ?? peer;
  };
}

/** Whether an address belongs to a trusted proxy. */
export function createIsTrustedProxy(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusts = proxyAddr.compile([...trustedProxies]);
  return (address) => trusts(address, 0);
}

/** Whether the peer of a request is a trusted proxy, whose forwarding headers are trusted. */
export function createIsFromTrustedProxy(
  trustedProxies: readonly string[],
): (req: IncomingMessage) => boolean {
  const isTrustedProxy = createIsTrustedProxy(trustedProxies);
  return function isFromTrustedProxy(req) {
    const peer = req.socket.remoteAddress;
    return peer !== undefined && isTrustedProxy(peer);
  };
}

function bare(hop: string): string {
  const match = WITH_PORT.exec(hop);
  return match?.[1] ?? match?.[2] ?? hop;
}
