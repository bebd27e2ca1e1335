/** Passwords as a port: argon2id off the event loop, a few at a time, the rest waiting in a short line. */
import { ApiError } from '../errors/api-error.ts';
import { hashPassword, verifyPassword } from './password.ts';

export interface PasswordHasher {
  /** The argon2id text of a password. @throws ApiError SERVICE_UNAVAILABLE when too many wait */
  hash(password: string): Promise<string>;
  /** Whether the password belongs to the argon2id text. @throws ApiError SERVICE_UNAVAILABLE when too many wait */
  verify(passwordHash: string, password: string): Promise<boolean>;
}

/** How many run at once: each takes a thread of the pool and 19 MiB for some 25 ms, and stores need threads too. */
const AT_ONCE = 2;
/** How many may wait; more are refused, or a flood of logins would hold every later one for minutes. */
const MAX_WAITING = 100;

/** A hasher over `algorithm`; by default argon2id. */
export function createPasswordHasher(
  algorithm: PasswordHasher = { hash: hashPassword, verify: verifyPassword },
): PasswordHasher {
  const waiting: (() => void)[] = [];
  let running = 0;

  async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (running < AT_ONCE) running++;
    else if (waiting.length >= MAX_WAITING) throw tooMany();
    // Whoever ends hands its place on, so that nobody slips in between.
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running--;
    }
  }

  return {
    hash: (password) => inTurn(() => algorithm.hash(password)),
    verify: (passwordHash, password) => inTurn(() => algorithm.verify(passwordHash, password)),
  };
}

function tooMany(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    text: 'Too many passwords are being checked; try again in a moment.',
    headers: { 'Retry-After': '1' },
  });
}
