/** Opens the documents of an installation, as a command may, for the links in them that answer no more. */
import { pino } from 'pino';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import type { Closers } from '../../process/all-or-nothing.ts';
import { findTakenLinks, type TakenLink } from '../../process/reload/taken-links.ts';
import { openDocuments } from '../../process/stores/open-documents.ts';

/** The stores of `mongodbUri`, or else those of `dataDir`, which have the schema of this version. */
export async function findStoredTakenLinks(
  { dataDir, mongodbUri }: { readonly dataDir: string; readonly mongodbUri: string | null },
  configuration: Configuration,
): Promise<TakenLink[]> {
  const closers: Closers = [];
  try {
    const logger = pino({ level: 'warn' }, pino.destination({ dest: 2, sync: true }));
    const { documents } = await openDocuments(
      { mongodbUri, redis: null },
      { path: dataPathsOf(dataDir).documents, isOwner: false, clock: systemClock, logger },
      closers,
    );
    return await findTakenLinks(documents, configuration);
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
