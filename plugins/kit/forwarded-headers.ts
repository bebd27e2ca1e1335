/**
 * Which headers pass through the proxy, in both directions: hop-by-hop headers, credentials and identity claims stay
 * out, and the client's location passes only from trusted proxies.
 */
import type { IncomingMessage } from 'node:http';
import { isGeoHeader } from '../../services/shared/http/geo-headers.ts';
import { isIdentityHeader } from '../../services/shared/identity/identity-token.ts';
import { HOP_BY_HOP, plainName, REPLACED_IN_REQUEST, REPLACED_IN_RESPONSE } from './header-names.ts';

/** Header names come in few spellings; each is judged once. At this many, all are forgotten. */
const REMEMBERED_NAMES = 1_000;

/** Whether a header of this name passes; `name` in any case. */
export type PassesName = (name: string) => boolean;

/** `trusted`: passes only when a trusted proxy sent it. */
type Verdict = 'passes' | 'trusted' | 'stays';

function createJudgeName(blocked: readonly string[]): (name: string) => Verdict {
  const names = new Set([...HOP_BY_HOP, ...blocked]);
  const judged = new Map<string, Verdict>();
  return function judgeName(name) {
    const known = judged.get(name);
    if (known !== undefined) return known;
    const plain = plainName(name);
    const stays = names.has(plain) || isIdentityHeader(plain);
    const verdict = stays ? 'stays' : isGeoHeader(plain) ? 'trusted' : 'passes';
    if (judged.size === REMEMBERED_NAMES) judged.clear();
    judged.set(name, verdict);
    return verdict;
  };
}

export interface ForwardedHeaders {
  /**
   * The raw headers of `req` that go to the service, as name, value, name, value. `isInflated`: the body is sent as
   * plain text, so its Content-Encoding is dropped.
   */
  request(req: IncomingMessage, isInflated: boolean): string[];
  /** Whether a response header of the service passes to the client. */
  responseName: PassesName;
}

/**
 * `isFromTrustedProxy` is called only for requests with a header that depends on it. `dropped`: further request headers
 * that stay here, in lower case with dashes.
 */
export function createForwardedHeaders(
  isFromTrustedProxy: (req: IncomingMessage) => boolean,
  dropped: readonly string[] = [],
): ForwardedHeaders {
  const requestName = createJudgeName([...REPLACED_IN_REQUEST, ...dropped]);
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
        const value = rawHeaders[index + 1] as string;
        headers.push(
          name,
          name.length === 8 && name.toLowerCase() === 'if-match' ? strongTags(value) : value,
        );
      }
      return headers;
    },
  };
}

/**
 * The tags of an If-Match as the service issued them: the gateway made the tag of a compressed answer weak, and a weak
 * tag would never match there (RFC 9110, 13.1.1). One that the service itself issued as weak still matches nothing.
 */
function strongTags(value: string): string {
  return value.replaceAll(/(^|[\s,])W\/(?=")/g, '$1');
}

/** Headers that the client declares as hop-by-hop; null in the usual cases. */
export function namedInConnection(connection: string | undefined): Set<string> | null {
  if (connection === undefined || connection === 'keep-alive' || connection === 'close') return null;
  return new Set(connection.split(',').map((token) => token.trim().toLowerCase()));
}
