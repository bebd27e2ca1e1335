/** Notes which keys are used and writes it down once a minute, all keys in one write, away from the requests. */
import type { Logger } from 'pino';
import type { ApiKeyUse } from '../../services/shared/model/api-key-usage.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createWriteBehind } from '../../services/shared/usage/write-behind.ts';

/** Resolution and interval, in milliseconds. */
const MINUTE_MS = 60_000;
/** Keys noted between two writes at most; beyond, further keys are noted in the next minute. */
const MAX_NOTED = 100_000;

export interface LastUsedPorts {
  readonly documents: Pick<DocumentStore, 'recordApiKeyUses'>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn'>;
}

export interface LastUsed {
  /** A use of this key, now. Cheap: it stands in the way of every request with a key. */
  note(apiKeyId: string, organizationId: string): void;
  /** Writes down what was noted and not written yet; what cannot be stored is kept for the next time. Never rejects. */
  flush(): Promise<void>;
  /** Ends the timer and writes down the rest. */
  close(): Promise<void>;
}

interface Noted {
  readonly organizationId: string;
  minute: number;
}

export function createLastUsed({ documents, clock, logger }: LastUsedPorts): LastUsed {
  let noted = new Map<string, Noted>();
  /** The minute that was written last of each key that was used in it or since. */
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
