/** The configuration of a process that starts: its files, or what is pinned. */
import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import type { DocumentStore } from '../../../services/shared/ports/document-store.ts';
import { readSchemaVersion, SCHEMA_VERSION } from '../../../services/shared/storage/sqlite/open-database.ts';
import type { Configuration } from '../../configuration/configuration.ts';
import {
  configurationInForce,
  endPin,
  type ReadFiles,
  readFiles,
} from '../../configuration/history/configuration-in-force.ts';
import { readPin } from '../../configuration/history/pin.ts';
import type { ConfigurationSource } from '../../configuration/load-configuration.ts';
import type { Closers } from '../all-or-nothing.ts';
import { type DocumentSettings, openDocuments } from '../stores/open-documents.ts';
import type { DocumentOptions } from '../stores/stores.ts';

/**
 * Reads the files before any store is touched. Faulty ones stop the start, unless a store that is there already, of this
 * version, says that another configuration is pinned. @throws ConfigurationError
 */
export async function readFilesAtStart(
  source: ConfigurationSource,
  settings: DocumentSettings,
  options: Omit<DocumentOptions, 'isOwner'>,
): Promise<ReadFiles> {
  const files = await readFiles(source);
  if (files.fault && !(await isPinned(settings, options))) throw files.fault;
  return files;
}

/** @throws ConfigurationError of the files, or of what is pinned */
export async function configurationAtStart(
  files: ReadFiles,
  source: ConfigurationSource,
  documents: DocumentStore,
  logger: Pick<Logger, 'warn'>,
): Promise<Configuration> {
  const { configuration, ended, waiting } = await configurationInForce(files, source, documents);
  if (ended !== null) {
    await endPin(documents, ended);
    logger.warn(`the files changed and pass the check: configuration ${ended} is pinned no longer`);
  }
  if (configuration.pinned !== null) {
    const faulty = waiting === null ? '' : `; the files have faults: ${waiting.message}`;
    logger.warn(
      `configuration ${configuration.pinned} of the history is pinned, not what the files say, until "tidegate unpin"${faulty}`,
    );
  }
  return configuration;
}

/** False where the store would have to be changed to tell. */
async function isPinned(
  settings: DocumentSettings,
  options: Omit<DocumentOptions, 'isOwner'>,
): Promise<boolean> {
  const closers: Closers = [];
  try {
    if (settings.mongodbUri === null) {
      if (!existsSync(options.path) || readSchemaVersion(options.path) !== SCHEMA_VERSION) return false;
    }
    const { documents } = await openDocuments(settings, { ...options, isOwner: false }, closers);
    return (await readPin(documents)) !== null;
  } catch {
    return false;
  } finally {
    for (const close of closers.reverse()) await close();
  }
}
