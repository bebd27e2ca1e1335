/** Writes down which configurations a gateway read. A store that cannot answer keeps no configuration from being in force. */
import type { Logger } from 'pino';
import type { Configuration } from '../../configuration/configuration.ts';
import { ConfigurationError, formatFault } from '../../configuration/faults.ts';
import {
  type HistoryStore,
  type ReadConfiguration,
  recordConfiguration,
} from '../../configuration/history/configuration-history.ts';

/** What was read, and why it is not in force. */
export interface Refused {
  /** Null: it could not even be loaded. */
  readonly configuration: Configuration | null;
  readonly fault: Error;
}

export interface HistoryKeeper {
  applied(configuration: Configuration, reason: string): Promise<void>;
  refused(refused: Refused, reason: string): Promise<void>;
}

export function keepHistory(store: HistoryStore, logger: Pick<Logger, 'warn'>): HistoryKeeper {
  async function write(read: ReadConfiguration): Promise<void> {
    try {
      await recordConfiguration(store, read);
    } catch (err) {
      logger.warn({ err }, 'the history of configurations misses one: the document store did not take it');
    }
  }
  return {
    applied: ({ hash, texts, pinned }, reason) =>
      write({ outcome: 'applied', restored: pinned, reason, hash, texts, faults: [] }),
    async refused({ configuration, fault }, reason) {
      const faults = fault instanceof ConfigurationError ? fault.faults.map(formatFault) : [fault.message];
      const texts = configuration?.texts ?? (fault instanceof ConfigurationError ? fault.texts : new Map());
      await write({
        outcome: 'refused',
        restored: configuration?.pinned ?? null,
        reason,
        hash: null,
        texts,
        faults,
      });
    },
  };
}
