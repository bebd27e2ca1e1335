/** Which key hashes exist, so that strangers' guesses cost no look-up and a known key always gets one. */
import type { Logger } from 'pino';
import type { Bus, Invalidation } from '../../services/shared/ports/bus.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';

/** Hashes per page: about a millisecond of reading, so that requests run between two pages. */
const PAGE = 200;
/** Pause after a failed read, in milliseconds. */
const RETRY_MS = 2_000;

export interface KeyIndexPorts {
  readonly documents: DocumentStore;
  readonly bus: Bus;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface KeyIndex {
  /** Whether a key with this hash may exist. Always true until the index is read, so that no valid key is refused. */
  mayKnow(hash: string): boolean;
  /** Resolves when no read is in progress. */
  settled(): Promise<void>;
  close(): void;
}

/**
 * An index that reads itself from the store, follows the bus, and is read anew when everything may have changed. It
 * keeps 48 bits of each hash: a stranger's key with the same bits costs one look-up.
 */
export function createKeyIndex({ documents, bus, clock, logger }: KeyIndexPorts): KeyIndex {
  let known: Set<number> | null = null;
  let reading: Promise<void> | null = null;
  /** Hashes announced during a read, which may have passed their position already. */
  let pushed: number[] = [];
  let again = false;
  let closed = false;
  let retryAtMs = 0;

  async function readAll(): Promise<Set<number>> {
    const found = new Set<number>();
    for (let after = ''; !closed; ) {
      const page = await documents.apiKeyHashes({ limit: PAGE, after });
      for (const hash of page) found.add(fingerprint(hash));
      if (page.length < PAGE) break;
      after = page[page.length - 1] as string;
      await new Promise((resolve) => setImmediate(resolve));
    }
    return found;
  }

  function read(): void {
    if (reading !== null) {
      again = true;
      return;
    }
    pushed = [];
    reading = readAll()
      .then(
        (found) => {
          for (const each of pushed) found.add(each);
          known = found;
        },
        (fault: unknown) => {
          retryAtMs = clock.now() + RETRY_MS;
          if (!closed) logger.warn({ err: fault }, 'the index of API keys cannot be read');
        },
      )
      .finally(() => {
        reading = null;
        if (!again) return;
        again = false;
        if (!closed) read();
      });
  }

  function onInvalidation(invalidation: Invalidation): void {
    if (invalidation.kind === 'everything') read();
    else if (invalidation.kind === 'apiKey' && invalidation.keyHash !== null) {
      const each = fingerprint(invalidation.keyHash);
      known?.add(each);
      if (reading !== null) pushed.push(each);
    }
  }

  const leave = bus.subscribe(onInvalidation);
  read();
  return {
    mayKnow(hash) {
      if (known !== null) return known.has(fingerprint(hash));
      if (reading === null && clock.now() >= retryAtMs) read();
      return true;
    },
    async settled() {
      while (reading !== null) await reading;
    },
    close() {
      closed = true;
      leave();
    },
  };
}

/** The first 48 bits of a hash as a number. */
function fingerprint(hash: string): number {
  return Number.parseInt(hash.slice(0, 12), 16);
}
