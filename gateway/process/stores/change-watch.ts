/** Detects other processes' writes while no Redis announces them: reads the store's change counter every two seconds. */
import type { Logger } from 'pino';
import type { Bus } from '../../../services/shared/ports/bus.ts';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';

/** How often the counter is read, in milliseconds (contract.md section 8). */
const INTERVAL_MS = 2_000;

export interface ChangeWatch {
  /** Reads the counter now; reports a change, or a counter that cannot be read, as `everything`. */
  check(): Promise<void>;
  close(): void;
}

/** Watches until closed. The counter shows that something changed, but not what. */
export function watchChanges(documents: DocumentStore, bus: Bus, logger: Logger): ChangeWatch {
  let known: number | null = null;
  let failing = false;

  async function check(): Promise<void> {
    let changes: number | null = null;
    try {
      changes = await documents.foreignChanges();
    } catch (fault) {
      if (!failing) logger.warn({ err: fault }, 'the change counter cannot be read');
    }
    failing = changes === null;
    if (changes !== known || failing) bus.publishHere({ kind: 'everything' });
    known = changes;
  }

  const timer = setInterval(check, INTERVAL_MS);
  timer.unref();
  return { check, close: () => clearInterval(timer) };
}
