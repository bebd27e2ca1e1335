/**
 * The daily budget (UTC) of each website for requests without a key: anyone may name a website, so what strangers can make
 * it store is bounded. Counted in memory and stored after the requests (docs/ingest.md, Without a key).
 */
import type { Logger } from 'pino';
import { type KeylessUsage, keylessUsageId } from '../../shared/model/keyless-usage.ts';
import type { Website } from '../../shared/model/website.ts';
import { addressSubject } from '../../shared/plans/public-limit.ts';
import type { Clock } from '../../shared/ports/clock.ts';
import { type DocumentStore, DuplicateError } from '../../shared/ports/document-store.ts';
import { createWriteBehind } from '../../shared/usage/write-behind.ts';
import { IngestRefusal } from '../ingest/ingest-refusal.ts';
import { type Amounts, DayCounts, type DayLimits, type Excess } from './day-counts.ts';

/** Bytes that a website accepts from keyless senders per day unless its settings say otherwise. */
export const DEFAULT_BYTES_PER_DAY = 1_000_000_000;
/** New people and visitors that POST /identify without a key may store for a website per day. */
export const PROFILES_PER_DAY = 20_000;

/** How often counts are written, in milliseconds. */
const FLUSH_MS = 30_000;
/** The counts of a website that used less than this part of its budget since the last write wait until the process ends. */
const WORTH_WRITING = 1 / 1_000;
/** Those of a website that used more than this are written at once, so that other processes know. */
const URGENT = 1 / 100;
/** How often a write is retried when another process was faster. */
const MOST_TRIES = 20;

/** The sender and its website. */
export interface KeylessSender {
  readonly website: Website;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export interface KeylessBudget {
  /**
   * Counts the amounts in the website's daily budget; returns a function to call when they were not stored after all.
   * @throws IngestRefusal `day_full`, when they do not fit; ApiError SERVICE_UNAVAILABLE when it is not known
   */
  take(sender: KeylessSender, amounts: Partial<Amounts>): Promise<() => void>;
  /** Stores the counts. Never rejects. */
  flush(): Promise<void>;
  /** Stops the timer and stores the remaining counts. Never rejects. */
  close(): Promise<void>;
}

export interface KeylessBudgetPorts {
  readonly documents: Pick<DocumentStore, 'keylessUsage' | 'websites'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export function createKeylessBudget({ documents, clock, logger }: KeylessBudgetPorts): KeylessBudget {
  let day = '';
  let counts = new DayCounts();
  /** The websites whose budgets were used, as last seen. */
  const websites = new Map<string, Website>();
  const reading = new Map<string, Promise<void>>();
  const urgent = new Set<string>();

  /** The remaining counts of the previous day are dropped: nothing reads them. */
  function countsOfToday(): DayCounts {
    const today = dayOf(clock.now());
    if (today !== day) {
      day = today;
      counts = new DayCounts();
      websites.clear();
      reading.clear();
    }
    return counts;
  }

  function read(website: Website, into: DayCounts): Promise<void> {
    let under = reading.get(website.id);
    if (under === undefined) {
      const today = day;
      under = documents.keylessUsage.get(website.organizationId, keylessUsageId(website.id)).then((found) => {
        into.setWritten(website.id, found?.day === today ? found : { bytes: 0, profiles: 0 });
      });
      const entry = under;
      reading.set(website.id, entry);
      entry
        .catch(() => undefined)
        .finally(() => {
          if (reading.get(website.id) === entry) reading.delete(website.id);
        });
    }
    return under;
  }

  async function writeWebsite(website: Website): Promise<void> {
    const today = day;
    const own = counts;
    const amounts = own.fresh(website.id);
    const written = await addTo(documents, website, today, amounts);
    if (today === day && written !== null) own.setWritten(website.id, written, amounts);
  }

  async function write(isAll: boolean): Promise<void> {
    const today = countsOfToday();
    for (const id of today.unwritten()) {
      const website = websites.get(id);
      if (
        website === undefined ||
        !(isAll || urgent.has(id) || takes(today.fresh(id), limitsOf(website), WORTH_WRITING))
      )
        continue;
      urgent.delete(id);
      try {
        await writeWebsite(website);
      } catch (fault) {
        logger.warn({ err: fault, websiteId: id }, 'usage without a key could not be stored; will try again');
        return;
      }
      if (today !== counts) return;
    }
  }

  let isClosing = false;
  const writing = createWriteBehind(() => write(isClosing), FLUSH_MS);

  return {
    async take({ website, headers }, { bytes = 0, profiles = 0 }) {
      let today = countsOfToday();
      while (!today.knows(website.id)) {
        await read(website, today);
        today = countsOfToday();
      }
      const address = addressSubject(textOf(headers['x-forwarded-for']));
      const amounts = { bytes, profiles };
      const limits = limitsOf(website);
      websites.set(website.id, website);
      const excess = today.take(website.id, address, amounts, limits);
      if (excess !== null) throw dayExceeded(website.id, excess, clock.now());
      if (!urgent.has(website.id) && takes(today.fresh(website.id), limits, URGENT)) {
        urgent.add(website.id);
        void writing.flush();
      }
      return () => today.giveBack(website.id, address, amounts);
    },
    flush: () => {
      for (const id of countsOfToday().unwritten()) urgent.add(id);
      return writing.flush();
    },
    close() {
      isClosing = true;
      return writing.close();
    },
  };
}

function limitsOf({ settings }: Website): DayLimits {
  return { bytes: settings.keylessBytesPerDay ?? DEFAULT_BYTES_PER_DAY, profiles: PROFILES_PER_DAY };
}

/** Whether the amounts exceed this part of the limits. */
function takes(amounts: Amounts, limits: DayLimits, part: number): boolean {
  return amounts.bytes > limits.bytes * part || amounts.profiles > limits.profiles * part;
}

/** Adds to the stored amounts of the website's day and returns the sum; null if the website is gone. */
async function addTo(
  documents: KeylessBudgetPorts['documents'],
  { id: websiteId, organizationId }: Website,
  day: string,
  amounts: Amounts,
): Promise<Amounts | null> {
  const id = keylessUsageId(websiteId);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const known = await documents.keylessUsage.get(organizationId, id);
    // Another process is already a day ahead.
    if (known !== null && known.day > day) return null;
    const base = known?.day === day ? known : { bytes: 0, profiles: 0 };
    const next = { day, bytes: base.bytes + amounts.bytes, profiles: base.profiles + amounts.profiles };
    if (known === null) {
      if ((await documents.websites.get(organizationId, websiteId)) === null) return null;
      if (await inserted(documents, { id, organizationId, websiteId, ...next })) return next;
    } else if ((await documents.keylessUsage.update(organizationId, id, known.version, next)) !== null) {
      return next;
    }
  }
  throw new Error(`${id} is written by too many at once`);
}

async function inserted(
  documents: KeylessBudgetPorts['documents'],
  document: Omit<KeylessUsage, 'version' | 'createdAt' | 'updatedAt'>,
): Promise<boolean> {
  try {
    await documents.keylessUsage.insert(document);
    return true;
  } catch (fault) {
    if (fault instanceof DuplicateError) return false;
    throw fault;
  }
}

function textOf(header: string | string[] | undefined): string {
  return typeof header === 'string' ? header : '';
}

const DAY_MS = 86_400_000;

/** The day of an instant in UTC, such as `2026-01-31`. */
function dayOf(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

const COUNTED = {
  bytes: 'bytes without an API key',
  profiles: 'new profiles without an API key',
} as const satisfies Readonly<Record<Excess['of'], string>>;

function dayExceeded(websiteId: string, { of, whose, limit }: Excess, nowMs: number): IngestRefusal {
  const resetMs = (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
  const retryAfter = Math.max(1, Math.ceil((resetMs - nowMs) / 1000));
  const part = whose === 'website' ? '' : ' from one address';
  return new IngestRefusal('day_full', 'RATE_LIMIT_EXCEEDED', {
    text: `The website "${websiteId}" takes ${limit} ${COUNTED[of]} a day${part}, and they are used up; retry in ${retryAfter} s, or send an API key.`,
    // The gateway shows both, and the number of its own limit `public`.
    headers: { 'Retry-After': `${retryAfter}`, 'X-RateLimit-Reset': `${resetMs / 1000}` },
    fields: { limit, remaining: 0, reset: new Date(resetMs).toISOString(), retryAfter },
  });
}
