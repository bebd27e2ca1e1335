/** Where services get the gateway's public keys: a local set, or the URL at which the gateway publishes it. */
import { createLocalJWKSet, errors, type LocalJWKSet } from 'jose';
import { z } from 'zod';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { IdentityKeys } from '../../services/shared/identity/verify-identity.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';

/** How long a set is trusted without reading it again, in milliseconds; a removed key stays valid that long. */
const FRESH_MS = 60_000;
/** The wait between two readings for unknown keys, or after a failed one, in milliseconds. */
const PAUSE_MS = 1_000;
/** How long a reading may take, in milliseconds. */
const TIMEOUT_MS = 3_000;
/** Largest accepted response, in bytes. */
const MAX_BYTES = 65_536;

const keySetSchema = z.looseObject({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1),
});

/** Called with the error of a failed reading, and with null when one succeeds again. */
export type ReadingListener = (fault: unknown) => void;

/**
 * The keys of the set (JWKS, RFC 7517) at `url`: read when the first token comes, again every minute while tokens come,
 * and at once for an unknown key. When it cannot be read, the known keys stay valid; a token with an unknown key then
 * gets SERVICE_UNAVAILABLE, as it cannot be verified.
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

  /** The result of the last successful reading. */
  const latest = (): LocalJWKSet | null => known;
  const mayAsk = (): boolean => reading !== null || clock.now() - triedAtMs >= PAUSE_MS;

  return async function identityKey(header, token) {
    // Stale keys are used while they are read again: no request waits for that.
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

/** @throws Error when the response is late, not 200, or not a key set */
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
  if (response.status !== 200) throw new Error(`the request for the key set got status ${response.status}`);
  return createLocalJWKSet(keySetSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8'))));
}
