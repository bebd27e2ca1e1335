/** What state an API key is in, by what the API tells of it: how it lives, whether anybody uses it, how long its old secret serves. */
import type { ApiKeyView } from '../../api/wire.ts';

const DAY = 86_400_000;
/** A key that ends within so many days is marked, so that it is renewed in time. */
export const EXPIRING_DAYS = 14;
/** A key that nobody used for so many days is marked, so that it is revoked. */
export const UNUSED_DAYS = 90;

/** One at a time; what is final comes before what can be undone. */
export type Life = 'revoked' | 'expired' | 'disabled' | 'expiring' | 'active';

export function lifeOf(
  { revokedAt, expiresAt, enabled }: Pick<ApiKeyView, 'revokedAt' | 'expiresAt' | 'enabled'>,
  now: number,
): Life {
  if (revokedAt !== null) return 'revoked';
  const left = expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - now;
  if (left <= 0) return 'expired';
  if (!enabled) return 'disabled';
  return left <= EXPIRING_DAYS * DAY ? 'expiring' : 'active';
}

/** `long`: nobody used it for {@link UNUSED_DAYS} days. `never`: nobody used it, and it is younger than that. */
export type Unuse = 'long' | 'never';

/** Null while it is used, and for a key that cannot be used. */
export function unuseOf(
  key: Pick<ApiKeyView, 'revokedAt' | 'expiresAt' | 'enabled' | 'lastUsedAt' | 'createdAt'>,
  now: number,
): Unuse | null {
  if (!isUsable(lifeOf(key, now))) return null;
  const since = now - Date.parse(key.lastUsedAt ?? key.createdAt);
  if (since >= UNUSED_DAYS * DAY) return 'long';
  return key.lastUsedAt === null ? 'never' : null;
}

export const isUsable = (life: Life): boolean => life === 'active' || life === 'expiring';

/** Until when the secret before the last rotation serves, in milliseconds since 1970; null when it does not. */
export function oldSecretUntil(
  key: Pick<ApiKeyView, 'revokedAt' | 'expiresAt' | 'enabled' | 'previousValidUntil'>,
  now: number,
): number | null {
  if (key.previousValidUntil === null || !isUsable(lifeOf(key, now))) return null;
  const until = Date.parse(key.previousValidUntil);
  return until > now ? until : null;
}
