/** Passwords as argon2id text: the only form in which one is stored (contract.md section 3). */
import { hash, verify } from '@node-rs/argon2';

/** Shortest and longest password, in characters; the upper bound keeps hashing cheap to refuse. */
export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

/** Parameters of new hashes: 19 MiB, 2 passes, 1 lane (the OWASP minimum for argon2id, the library's default algorithm). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/**
 * The text of a password that nobody has, of the same cost as {@link hashPassword}'s: verified in place of a user's when
 * there is no such user, so that both answers cost the same.
 */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$5fsdL/1Un8rMeysyKi2eIA$6G7uv96SJM+vUoPAfUqHIm6RPsC362CMHhsuYw8PwZ8';

const ARGON2ID =
  /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$[A-Za-z0-9+/]{11,86}\$[A-Za-z0-9+/]{22,172}$/;
/** A hash from outside may not cost more than this to verify: 1 GiB of memory. */
const MAX_MEMORY_KIB = 1_048_576;

/** The argon2id text of `password`, with a salt of its own. About 25 ms of one thread of the pool. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Whether `password` belongs to `passwordHash`. @throws Error when `passwordHash` is no argon2 text. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/** Whether `text` is argon2id text that this server can verify at a bearable cost. */
export function isArgon2idText(text: string): boolean {
  const parts = ARGON2ID.exec(text);
  if (!parts) return false;
  const [memory, passes, lanes] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  return passes >= 1 && lanes >= 1 && memory >= 8 * lanes && memory <= MAX_MEMORY_KIB;
}
