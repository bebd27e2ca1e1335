/** Public keys at a URL (JWKS, RFC 7517), read when tokens come: kept, renewed and given up within stated bounds. */
import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import type { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../ports/clock.ts';

export interface KeySetRules {
  /** What a key set must look like. */
  readonly schema: z.ZodType<JSONWebKeySet>;
  /** Largest accepted answer, in bytes. */
  readonly maxBytes: number;
  /** How long a reading may take, in milliseconds. */
  readonly timeoutMs: number;
  /** From which age on a set is read again while it is still used, in milliseconds; less than `freshMs`. */
  readonly renewMs: number;
  /** How long a set is trusted without reading it again, in milliseconds; a removed key stays valid that long. */
  readonly freshMs: number;
  /** How long the known keys stay valid while the set cannot be read, in milliseconds since it could. */
  readonly staleMs: number;
  /** The wait between two readings for unknown keys, in milliseconds. */
  readonly pauseMs: number;
  /** The wait after a failed reading, in milliseconds. */
  readonly retryMs: number;
}

/** Called with the error of a failed reading, and with null when one succeeds again. */
export type ReadingListener = (fault: unknown) => void;

/**
 * The keys of the set at `url`: read when the first token comes, again while tokens come, and at once for an unknown key. No
 * request waits for a renewal, unless nobody came for so long that the keys are no longer fresh: then the reading decides, or
 * its failure. Requests that need the same reading share it. A token whose key cannot be looked up gets
 * SERVICE_UNAVAILABLE, as it cannot be verified; an unknown key of a set that was read is a JOSEError.
 */
export function createRemoteKeySet(
  url: string,
  rules: KeySetRules,
  clock: Clock,
  onReading: ReadingListener = () => {},
): JWTVerifyGetKey {
  const { renewMs, freshMs, staleMs, pauseMs, retryMs } = rules;
  let known: LocalJWKSet | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  /** When the last reading ended, whatever became of it. */
  let endedAtMs = Number.NEGATIVE_INFINITY;
  let fault: unknown = null;
  let reading: Promise<void> | null = null;

  function read(): Promise<void> {
    if (reading !== null) return reading;
    triedAtMs = clock.now();
    reading = readKeySet(url, rules)
      .then(
        (keys) => {
          known = keys;
          readAtMs = clock.now();
          if (fault !== null) onReading(null);
          fault = null;
        },
        (thrown: unknown) => {
          if (fault === null) onReading(thrown);
          fault = thrown;
        },
      )
      .finally(() => {
        endedAtMs = clock.now();
        reading = null;
      });
    return reading;
  }

  /** The keys of the last successful reading, while they may be used. */
  const latest = (): LocalJWKSet | null => (clock.now() - readAtMs < freshMs + staleMs ? known : null);
  const mayAsk = (): boolean =>
    reading !== null || clock.now() - triedAtMs >= (fault === null ? pauseMs : retryMs);

  return async function remoteKey(header, token) {
    const now = clock.now();
    if (latest() === null || now - endedAtMs >= freshMs) {
      if (mayAsk()) await read();
    } else if (now - readAtMs >= renewMs && mayAsk()) void read();
    const keys = latest();
    if (keys !== null) {
      try {
        return await keys(header, token);
      } catch (thrown) {
        if (!(thrown instanceof errors.JWKSNoMatchingKey)) throw thrown;
        if (mayAsk()) await read();
        if (fault === null) return (latest() ?? keys)(header, token);
      }
    }
    throw new ApiError('SERVICE_UNAVAILABLE', { cause: fault });
  };
}

/** @throws Error when the answer is late, not 200, too large, or not a key set */
async function readKeySet(url: string, { schema, maxBytes, timeoutMs }: KeySetRules): Promise<LocalJWKSet> {
  const response = await fetch(url, {
    headers: { accept: 'application/jwk-set+json, application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new Error(`the key set is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  if (response.status !== 200) throw new Error(`the request for the key set got status ${response.status}`);
  return createLocalJWKSet(schema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
}
