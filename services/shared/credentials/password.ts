/** Passwords as argon2id text: the only form in which one is stored (contract.md section 3). */
import { hash, verify } from '@node-rs/argon2';

/** Shortest and longest password, in characters; the upper bound makes it cheap to refuse. */
export const PASSWORD_LENGTH = { min: 8, max: 256 } as const;

/** Parameters of new hashes: 19 MiB, 2 passes, 1 lane (the OWASP minimum for argon2id, the library's default algorithm). */
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;
/** {@link COST} as written in argon2id text. */
export const COST_TEXT = `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`;

/**
 * The argon2id text of a password that nobody has, with the cost of {@link hashPassword}. It is verified when a user
 * does not exist, so that both answers take the same time.
 */
export const DECOY_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$5fsdL/1Un8rMeysyKi2eIA$6G7uv96SJM+vUoPAfUqHIm6RPsC362CMHhsuYw8PwZ8';

const ARGON2ID = new RegExp(
  `^\\$argon2id\\$v=19\\$${COST_TEXT}\\$[A-Za-z0-9+/]{11,86}\\$[A-Za-z0-9+/]{22,172}$`,
);

/** The argon2id text of `password`, with its own salt. Takes about 25 ms of one thread of the pool. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, COST);
}

/** Whether `password` matches `passwordHash`. @throws Error when `passwordHash` is not argon2 text. */
export function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  return verify(passwordHash, password);
}

/**
 * Whether `text` is argon2id text with the cost of {@link hashPassword}. Text of another cost would take another time
 * to verify than {@link DECOY_HASH}, which tells users from strangers, and could demand any amount of memory.
 */
export function isOwnArgon2idText(text: string): boolean {
  return ARGON2ID.test(text);
}
