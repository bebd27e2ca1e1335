/**
 * Which headers pass through the proxy, in both directions: hop-by-hop ones, credentials and identity claims stay out, and
 * what says where the client is passes from trusted proxies only.
 */
import type { IncomingMessage } from 'node:http';
import { LRUCache } from 'lru-cache';
import { isGeoHeader } from '../../services/shared/http/geo-headers.ts';
import { isIdentityHeader } from '../../services/shared/identity/identity-token.ts';

/** Headers of one hop (RFC 9110, 7.6.1), and `expect`, which Node answers itself. */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
];

/** Request headers that the gateway sets anew, or that services must not see: the credential ends at the gateway. */
const REPLACED_IN_REQUEST = [
  'host',
  'content-length',
  'authorization',
  'x-api-key',
  'cookie',
  'x-request-id',
  'x-forwarded-for',
  'x-real-ip',
  'true-client-ip',
  'x-forwarded-host',
  'x-forwarded-proto',
  'forwarded',
];

/** Response headers that are the gateway's own to say. */
const REPLACED_IN_RESPONSE = [
  'x-request-id',
  'x-powered-by',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'ratelimit',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-policy',
  'access-control-allow-origin',
  'access-control-allow-credentials',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-expose-headers',
  'access-control-max-age',
];

/** Header names come in few spellings; each is judged once. */
const REMEMBERED_NAMES = 1_000;

/** Whether a header of this name passes; `name` in any case. */
export type PassesName = (name: string) => boolean;

/** `trusted`: passes only when a trusted proxy sent it. */
type Verdict = 'passes' | 'trusted' | 'stays';

function createJudgeName(blocked: readonly string[]): (name: string) => Verdict {
  const names = new Set([...HOP_BY_HOP, ...blocked]);
  const judged = new LRUCache<string, Verdict>({ max: REMEMBERED_NAMES });
  return function judgeName(name) {
    const known = judged.get(name);
    if (known !== undefined) return known;
    // A backend that reads headers by CGI names takes both spellings for one.
    const plain = name.toLowerCase().replaceAll('_', '-');
    const stays = names.has(plain) || isIdentityHeader(plain);
    const verdict = stays ? 'stays' : isGeoHeader(plain) ? 'trusted' : 'passes';
    judged.set(name, verdict);
    return verdict;
  };
}

export interface ForwardedHeaders {
  /**
   * The raw headers of `req` that go to the service, as name, value, name, value. `isInflated`: the body goes as its text,
   * so its Content-Encoding stays out.
   */
  request(req: IncomingMessage, isInflated: boolean): string[];
  /** Whether a response header of the service passes to the client. */
  responseName: PassesName;
}

/** `isFromTrustedProxy` is asked only about requests that carry a header which depends on it. */
export function createForwardedHeaders(
  isFromTrustedProxy: (req: IncomingMessage) => boolean,
): ForwardedHeaders {
  const requestName = createJudgeName(REPLACED_IN_REQUEST);
  const responseName = createJudgeName(REPLACED_IN_RESPONSE);
  return {
    responseName: (name) => responseName(name) !== 'stays',
    request(req, isInflated) {
      const { rawHeaders } = req;
      const named = namedInConnection(req.headers.connection);
      const headers: string[] = [];
      for (let index = 0; index < rawHeaders.length; index += 2) {
        const name = rawHeaders[index] as string;
        const verdict = requestName(name);
        if (verdict === 'stays' || named?.has(name.toLowerCase())) continue;
        if (verdict === 'trusted' && !isFromTrustedProxy(req)) continue;
        if (isInflated && name.length === 16 && name.toLowerCase() === 'content-encoding') continue;
        headers.push(name, rawHeaders[index + 1] as string);
      }
      return headers;
    },
  };
}

/** Headers that the client declares as of this hop only; null in the usual cases. */
export function namedInConnection(connection: string | undefined): Set<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return new Set(connection.split(',').map((token) => token.trim().toLowerCase()));
}
