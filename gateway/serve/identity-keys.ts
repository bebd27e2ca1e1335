/** Where services get the gateway's public keys from the URL at which it publishes them. */
import { z } from 'zod';
import {
  createRemoteKeySet,
  type KeySetRules,
  type ReadingListener,
} from '../../services/shared/identity/remote-key-set.ts';
import type { IdentityKeys } from '../../services/shared/identity/verify-identity.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';

const RULES: KeySetRules = {
  schema: z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })).min(1) }),
  maxBytes: 65_536,
  timeoutMs: 3_000,
  renewMs: 45_000,
  freshMs: 60_000,
  // The gateway is ours: while its keys cannot be read, the known ones stay valid.
  staleMs: Number.POSITIVE_INFINITY,
  pauseMs: 1_000,
  retryMs: 1_000,
};

/** The keys that the gateway publishes at `url`. */
export function createRemoteIdentityKeys(
  url: string,
  clock: Clock,
  onReading?: ReadingListener,
): IdentityKeys {
  return createRemoteKeySet(url, RULES, clock, onReading);
}
