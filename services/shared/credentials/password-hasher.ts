/** Passwords as a port: argon2id off the event loop, a few at a time, with one short queue per address. */
import { ApiError } from '../errors/api-error.ts';
import { hashPassword, verifyPassword } from './password.ts';

export interface PasswordHasher {
  /** A place for one request in this queue, which is that of the caller's address. It is not taken yet. */
  place(line: string): PasswordPlace;
}

/**
 * The place of one request. It is taken before the request is counted, or else by its first work, and kept until given
 * back.
 */
export interface PasswordPlace {
  /**
   * Takes the place; does nothing when it is already taken. @throws ApiError SERVICE_UNAVAILABLE when too many are
   * taken
   */
  take(): void;
  /** Gives the place back once its work is over; does nothing when it is not taken. Later work takes one again. */
  giveBack(): void;
  /** The argon2id text of a password. Takes the place if necessary, and then rejects where {@link take} throws. */
  hash(password: string): Promise<string>;
  /**
   * Whether the password matches the argon2id text. Takes the place if necessary, and then rejects where {@link take}
   * throws.
   */
  verify(passwordHash: string, password: string): Promise<boolean>;
  /**
   * Whether the password matches each of the texts, in order. Every text is verified, one after the other, even after
   * a match, so the time depends only on how many there are. Takes the place if necessary, and then rejects where
   * {@link take} throws.
   */
  verifyEach(passwordHashes: readonly string[], password: string): Promise<boolean[]>;
}

/** How many run at once: each takes a thread of the pool and 19 MiB for about 25 ms, and stores need threads too. */
const AT_ONCE = 2;
/** Places in one queue, running ones included: a burst from one address must not cause the refusal of others. */
const MOST_OF_LINE = AT_ONCE + 5;
/** Places in all. More are refused, since a flood of logins would otherwise delay every later one for minutes. */
const MOST = AT_ONCE + 100;

/** A hasher over `algorithm`; argon2id by default. The queues are served in turn. */
export function createPasswordHasher(
  algorithm: {
    hash(password: string): Promise<string>;
    verify(passwordHash: string, password: string): Promise<boolean>;
  } = { hash: hashPassword, verify: verifyPassword },
): PasswordHasher {
  /** Queues in which somebody waits, the next to be served first. */
  const lines = new Map<string, (() => void)[]>();
  /** Places taken per queue, and in all. */
  const taken = new Map<string, number>();
  let takenInAll = 0;
  let running = 0;

  function takeOne(line: string): void {
    const ofLine = taken.get(line) ?? 0;
    if (takenInAll >= MOST || ofLine >= MOST_OF_LINE) throw tooMany();
    taken.set(line, ofLine + 1);
    takenInAll++;
  }

  function giveOneBack(line: string): void {
    const ofLine = (taken.get(line) ?? 0) - 1;
    if (ofLine > 0) taken.set(line, ofLine);
    else taken.delete(line);
    takenInAll--;
  }

  /** The first waiter of the first queue; if others wait in that queue, it moves to the end. */
  function next(): (() => void) | undefined {
    for (const [line, [first, ...others]] of lines) {
      lines.delete(line);
      if (others.length > 0) lines.set(line, others);
      return first;
    }
    return undefined;
  }

  async function inTurn<T>(line: string, work: () => Promise<T>): Promise<T> {
    if (running < AT_ONCE) running++;
    // Whoever finishes hands over its turn, so that nobody jumps the queue.
    else await new Promise<void>((begin) => lines.set(line, [...(lines.get(line) ?? []), begin]));
    try {
      return await work();
    } finally {
      const begin = next();
      if (begin) begin();
      else running--;
    }
  }

  return {
    place(line) {
      let isTaken = false;
      let isLeaving = false;
      let working = 0;

      function take(): void {
        if (!isTaken) takeOne(line);
        isTaken = true;
        isLeaving = false;
      }

      /** A client may leave while its password is being verified: the place becomes free when that ends. */
      function giveBack(): void {
        if (!isTaken) return;
        isLeaving = working > 0;
        if (isLeaving) return;
        isTaken = false;
        giveOneBack(line);
      }

      async function inPlace<T>(work: () => Promise<T>): Promise<T> {
        take();
        working++;
        try {
          return await inTurn(line, work);
        } finally {
          working--;
          if (isLeaving) giveBack();
        }
      }

      return {
        take,
        giveBack,
        hash: (password) => inPlace(() => algorithm.hash(password)),
        verify: (passwordHash, password) => inPlace(() => algorithm.verify(passwordHash, password)),
        verifyEach: (passwordHashes, password) =>
          inPlace(async () => {
            const verdicts: boolean[] = [];
            for (const each of passwordHashes) verdicts.push(await algorithm.verify(each, password));
            return verdicts;
          }),
      };
    },
  };
}

function tooMany(): ApiError {
  return new ApiError('SERVICE_UNAVAILABLE', {
    text: 'Too many passwords are being checked; try again in a moment.',
    headers: { 'Retry-After': '1' },
  });
}
