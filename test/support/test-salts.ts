/** Salts of visitors over a store of documents, as a process has them; not started, so nothing is forgotten by itself. */
import { randomBytes } from 'node:crypto';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import { createDailySalts, type DailySalts } from '../../services/tracking/salts/daily-salts.ts';

export function testSalts(documents: Pick<DocumentStore, 'visitorSalts'>, clock: Clock): DailySalts {
  return createDailySalts({ documents, clock, visitorSecret: Buffer.alloc(32, 7), randomBytes });
}
