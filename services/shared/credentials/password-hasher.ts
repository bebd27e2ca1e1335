/** Passwords as a port: argon2id off the event loop, a few at a time, the rest waiting in short lines, one per address. */
import { ApiError } from '../errors/api-error.ts';
import { hashPassword, verifyPassword } from './password.ts';

/** `line` names in which line to wait: that of the caller's address. */
export interface PasswordHasher {
  /** The argon2id text of a password. @throws ApiError SERVICE_UNAVAILABLE when too many wait */
  hash(password: string, line: string): Promise<string>;
  /** Whether the password belongs to the argon2id text. @throws ApiError SERVICE_UNAVAILABLE when too many wait */
  verify(passwordHash: string, password: string, line: string): Promise<boolean>;
}

/** How many run at once: each takes a thread of the pool and 19 MiB for some 25 ms, and stores need threads too. */
const AT_ONCE = 2;
/** How many may wait in one line: a burst of one address is no reason to refuse another. */
const MAX_WAITING_IN_LINE = 5;
/** How many may wait in all; more are refused, or a flood of logins would hold every later one for minutes. */
const MAX_WAITING = 100;

/** A hasher over `algorithm`; by default argon2id. The lines are served in turn. */
export function createPasswordHasher(
  algorithm: {
    hash(password: string): Promise<string>;
    verify(passwordHash: string, password: string): Promise<boolean>;
  } = { hash: hashPassword, verify: verifyPassword },
): PasswordHasher {
  /** Lines in which somebody waits, the one to be served next first. */
  const lines = new Map<string, (() => void)[]>();
  let waiting = 0;
  let running = 0;

  function wait(line: string): Promise<void> {
    const before = lines.get(line) ?? [];
    if (waiting >= MAX_WAITING || before.length >= MAX_WAITING_IN_LINE) throw tooMany();
    waiting++;
    return new Promise((resolve) => lines.set(line, [...before, resolve]));
  }

  /** Who waits at the head of the first line; that line, when others wait in it, is the last one then. */
  function next(): (() => void) | undefined {
    for (const [line, [first, ...others]] of lines) {
      lines.delete(line);
      if (others.length > 0) lines.set(line, others);
      waiting--;
      return first;
    }
    return undefined;
  }

  async function inTurn<T>(line: string, work: () => Promise<T>): Promise<T> {
    if (running < AT_ONCE) running++;
    // Whoever ends hands its place on, so that nobody slips in between.
    else await wait(line);
    try {
      return await work();
    } finally {
      const begin = next();
      if (begin) begin();
      else running--;
    }
  }

  return {
    hash: (password, line) => inTurn(line, () => algorithm.hash(password)),
    verify: (passwordHash, password, line) => inTurn(line, () => algorithm.verify(passwordHash, password)),
  };
}

function tooMany(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    text: 'Too many passwords are being checked; try again in a moment.',
    headers: { 'Retry-After': '1' },
  });
}
