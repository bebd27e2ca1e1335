/** Notes which keys are used and stores it once a minute, all keys in one write, outside of requests. */
import type { Logger } from 'pino';
import type { ApiKeyUse } from '../../services/shared/model/api-key-usage.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createWriteBehind } from '../../services/shared/usage/write-behind.ts';

/** Resolution and interval, in milliseconds. */
const MINUTE_MS = 60_000;
/** How many keys are noted between two writes; further ones are noted in the next minute. */
const MAX_NOTED = 100_000;

export interface LastUsedPorts {
  readonly documents: Pick<DocumentStore, 'recordApiKeyUses'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface LastUsed {
  /** Notes a use of this key, now. Cheap, since every request with a key calls it. */
  note(apiKeyId: string, organizationId: string): void;
  /** Stores what is noted and not stored yet; keeps for the next time what cannot be stored. Never rejects. */
  flush(): Promise<void>;
  /** Stops the timer and stores the rest. */
  close(): Promise<void>;
}

interface Noted {
  readonly organizationId: string;
  minute: number;
}

export function createLastUsed({ documents, clock, logger }: LastUsedPorts): LastUsed {
  let noted = new Map<string, Noted>();
  /** The minute last stored for each key that was used in it or since. */
  let written = new Map<string, number>();

  async function write(): Promise<void> {
    const batch = noted;
    noted = new Map();
    if (batch.size === 0) return;
    try {
      await documents.recordApiKeyUses([...batch].map(toUse));
      written = new Map([...batch].map(([apiKeyId, { minute }]) => [apiKeyId, minute]));
    } catch (fault) {
      logger.warn({ err: fault, keys: batch.size }, 'the last use of keys could not be written; tried again');
      for (const [apiKeyId, use] of batch) if (!noted.has(apiKeyId)) noted.set(apiKeyId, use);
    }
  }

  const { flush, close } = createWriteBehind(write, MINUTE_MS);

  return {
    note(apiKeyId, organizationId) {
      const minute = Math.floor(clock.now() / MINUTE_MS);
      const known = noted.get(apiKeyId);
      if (known !== undefined) known.minute = minute;
      else if (written.get(apiKeyId) !== minute && noted.size < MAX_NOTED) {
        noted.set(apiKeyId, { organizationId, minute });
      }
    },
    flush,
    close,
  };
}

function toUse([apiKeyId, { organizationId, minute }]: [string, Noted]): ApiKeyUse {
  return { apiKeyId, organizationId, lastUsedAt: new Date(minute * MINUTE_MS).toISOString() };
}
