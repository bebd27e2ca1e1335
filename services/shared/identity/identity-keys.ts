/** Where services take the gateway's public keys from: a set at hand, or the URL at which the gateway publishes it. */
import { createLocalJWKSet, errors, type JWTVerifyGetKey, type LocalJWKSet } from 'jose';
import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import type { Clock } from '../ports/clock.ts';

/** Finds the key of a token. @throws a JOSEError for a key that is not in the set; ApiError SERVICE_UNAVAILABLE when that is not known */
export type IdentityKeys = JWTVerifyGetKey;

/** How old a set may be that is believed without asking again, in milliseconds; a key that was taken out counts as long. */
const FRESH_MS = 60_000;
/** Between two readings for keys that the set does not hold, or after one that failed, in milliseconds. */
const PAUSE_MS = 1_000;
/** How long a reading may take, in milliseconds. */
const TIMEOUT_MS = 3_000;
/** Largest answer that is read, in bytes. */
const MAX_BYTES = 65_536;

const keySetSchema = z.looseObject({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1),
});

/** Told of a reading that failed, and with null when one succeeds again. */
export type ReadingListener = (fault: unknown) => void;

/**
 * The keys of the set (JWKS, RFC 7517) at `url`: read when the first token comes, again every minute while tokens come,
 * and at once for a key that is not in it. When it cannot be read, the keys that are known serve on; a token whose key
 * is not among them is SERVICE_UNAVAILABLE then, as nobody can say whether it is good.
 */
export function createRemoteIdentityKeys(
  url: string,
  clock: Clock,
  onReading: ReadingListener = () => {},
): IdentityKeys {
  let known: LocalJWKSet | null = null;
  let readAtMs = Number.NEGATIVE_INFINITY;
  let triedAtMs = Number.NEGATIVE_INFINITY;
  let fault: unknown = null;
  let reading: Promise<void> | null = null;

  function read(): Promise<void> {
    triedAtMs = clock.now();
    reading ??= readKeySet(url)
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
        reading = null;
      });
    return reading;
  }

  /** What the last reading that succeeded gave. */
  const latest = (): LocalJWKSet | null => known;
  const mayAsk = (): boolean => reading !== null || clock.now() - triedAtMs >= PAUSE_MS;

  return async function identityKey(header, token) {
    // Aged keys serve on while they are read anew: no request waits for it.
    if (known !== null && clock.now() - readAtMs >= FRESH_MS && mayAsk()) void read();
    if (known === null && mayAsk()) await read();
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

/** @throws Error when there is no answer in time, none of 200, or none that is a key set */
async function readKeySet(url: string): Promise<LocalJWKSet> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MAX_BYTES) throw new Error(`the key set is larger than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  if (response.status !== 200) throw new Error(`the key set is answered with ${response.status}`);
  return createLocalJWKSet(keySetSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
}
