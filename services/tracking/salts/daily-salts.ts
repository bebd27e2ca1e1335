/** Keeps the salts of today and yesterday in memory, creates them if they do not exist yet, and deletes them after 48 hours. */
import { createHmac } from 'node:crypto';
import { SALT_TENANT, visitorSaltId } from '../../shared/model/visitor-salt.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { type DocumentStore, DuplicateError } from '../../shared/ports/document-store.ts';

const SHORTEST_SECRET_BYTES = 32;
const SALT_BYTES = 32;
const DAY_MS = 86_400_000;
/** How often a change of day is checked, in milliseconds. */
const LOOKS_EVERY_MS = 60_000;
/** Salts read per page when looking for those to delete. */
const READ_AT_A_TIME = 100;

/** The key for hashes of visitors with events of this instant, in milliseconds since the epoch. */
export type VisitorKey = (timestamp: number) => Uint8Array;

/** For records that hash no visitor. */
export const NO_KEY: VisitorKey = () => {
  throw new TypeError('a visitor is hashed, but the key was not loaded');
};

export interface DailySalts {
  /** The key for events that arrive at `now`; a promise only if the store is read. @throws ApiError SERVICE_UNAVAILABLE */
  at(now: number): VisitorKey | Promise<VisitorKey>;
  /** Deletes the salts of past days, here and in the store. @throws ApiError SERVICE_UNAVAILABLE */
  forget(): Promise<void>;
  /** Deletes them in the background from now on, until closed. */
  start(log: { warn(fields: object, text: string): void }): void;
  close(): void;
}

export interface DailySaltsPorts {
  readonly documents: Pick<DocumentStore, 'visitorSalts'>;
  readonly clock: Clock;
  /** From the secrets file, at least 32 bytes: someone who reads only the store cannot reverse a hash, not even today's. */
  readonly visitorSecret: Uint8Array;
  readonly randomBytes: (count: number) => Uint8Array;
}

/** The cached keys of a day and of the day before. */
interface Known {
  readonly day: number;
  readonly key: VisitorKey;
}

/** @throws RangeError when the visitor secret is too short */
export function createDailySalts({
  documents: { visitorSalts },
  clock,
  visitorSecret,
  randomBytes,
}: DailySaltsPorts): DailySalts {
  if (visitorSecret.length < SHORTEST_SECRET_BYTES) {
    throw new RangeError(
      `visitorSecret has ${visitorSecret.length} bytes; at least ${SHORTEST_SECRET_BYTES} are required`,
    );
  }
  let known: Known | null = null;
  /** The running look-up, shared by concurrent callers. */
  let asked: { readonly day: number; readonly key: Promise<VisitorKey> } | null = null;
  let forgottenOn = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;

  /** The one salt of a day, whichever process creates it. */
  async function saltOf(day: number): Promise<string> {
    const id = visitorSaltId(day);
    for (;;) {
      const stored = await visitorSalts.get(SALT_TENANT, id);
      if (stored !== null) return stored.salt;
      const salt = Buffer.from(randomBytes(SALT_BYTES)).toString('base64url');
      try {
        return (await visitorSalts.insert({ id, organizationId: SALT_TENANT, salt })).salt;
      } catch (fault) {
        // Another process was faster: its salt wins.
        if (!(fault instanceof DuplicateError)) throw fault;
      }
    }
  }

  async function lookUp(day: number): Promise<VisitorKey> {
    const keyOf = async (of: number) =>
      createHmac('sha256', visitorSecret)
        .update(await saltOf(of))
        .digest();
    const [today, yesterday] = await Promise.all([keyOf(day), keyOf(day - 1)]);
    const key: VisitorKey = (timestamp) => (dayOf(timestamp) === day - 1 ? yesterday : today);
    if (known === null || known.day < day) known = { day, key };
    return key;
  }

  async function forget(): Promise<void> {
    const today = dayOf(clock.now());
    if (known !== null && known.day < today) known = null;
    if (forgottenOn === today) return;
    const kept = visitorSaltId(today - 1);
    for (;;) {
      const page = await visitorSalts.list(SALT_TENANT, { limit: READ_AT_A_TIME });
      const over = page.filter(({ id }) => id < kept);
      for (const { id } of over) await visitorSalts.remove(SALT_TENANT, id);
      if (over.length < READ_AT_A_TIME) break;
    }
    forgottenOn = today;
  }

  return {
    at(now) {
      const day = dayOf(now);
      // A request from before midnight may come here after one from past midnight.
      if (known !== null && (day === known.day || day === known.day - 1)) return known.key;
      if (asked?.day === day) return asked.key;
      const begun = { day, key: lookUp(day) };
      asked = begun;
      const ended = () => {
        if (asked === begun) asked = null;
      };
      begun.key.then(ended, ended);
      return begun.key;
    },
    forget,
    start(log) {
      let failing = false;
      const look = async () => {
        try {
          await forget();
          failing = false;
        } catch (fault) {
          if (!failing) log.warn({ err: fault }, 'the salts of past days cannot be deleted yet');
          failing = true;
        }
      };
      timer = setInterval(look, LOOKS_EVERY_MS);
      timer.unref();
      void look();
    },
    close() {
      clearInterval(timer);
      known = null;
    },
  };
}

function dayOf(timestamp: number): number {
  return Math.floor(timestamp / DAY_MS);
}
