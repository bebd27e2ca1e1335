/** Migrates the files of an embedded installation to this version's schema, or reports what that would change. */
import { existsSync } from 'node:fs';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { createDuckDbEventStore } from '../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { SCHEMA_VERSION as EVENT_VERSION } from '../../../services/shared/storage/duckdb/open-instance.ts';
import { openReadOnly } from '../../../services/shared/storage/duckdb/read-only-file.ts';
import {
  SCHEMA_VERSION as DOCUMENT_VERSION,
  readSchemaVersion,
} from '../../../services/shared/storage/sqlite/open-database.ts';
import { createSqliteDocumentStore } from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { Refusal } from '../refusal.ts';
import { stoppedInstallation } from './stopped-installation.ts';

/** One file. With equal versions there is nothing to do. */
export interface EmbeddedStep {
  readonly file: string;
  readonly fromVersion: number;
  readonly toVersion: number;
}

/**
 * Migrates every file that exists. All are checked before one is changed; a second run changes nothing.
 * @throws Refusal while a server runs, or when a newer version wrote a file
 */
export async function migrateEmbedded(
  dataDir: string,
  { dryRun, told }: { readonly dryRun: boolean; readonly told: (step: string) => void },
): Promise<EmbeddedStep[]> {
  const paths = await stoppedInstallation(dataDir, 'it migrated its stores when it started');
  const steps: EmbeddedStep[] = [
    {
      file: paths.documents,
      fromVersion: readSchemaVersion(paths.documents),
      toVersion: DOCUMENT_VERSION,
    },
  ];
  if (existsSync(paths.events)) {
    const fromVersion = await eventVersion(paths.events);
    steps.push({ file: paths.events, fromVersion, toVersion: EVENT_VERSION });
  }
  const newer = steps.filter(({ fromVersion, toVersion }) => fromVersion > toVersion);
  if (newer.length > 0) throw new Refusal('CONFLICT', newer.map(newerText).join('\n'));
  for (const { file, fromVersion, toVersion } of dryRun ? [] : steps) {
    if (fromVersion === toVersion) continue;
    told(`${file}: schema version ${fromVersion} → ${toVersion}`);
    // Opening a store migrates it.
    if (file === paths.documents) await createSqliteDocumentStore({ path: file, clock: systemClock }).close();
    else await (await createDuckDbEventStore({ path: file, eventIdWindow: 1 })).close();
  }
  return steps;
}

async function eventVersion(path: string): Promise<number> {
  const file = await openReadOnly(path);
  file.close();
  return file.schemaVersion;
}

function newerText({ file, fromVersion, toVersion }: EmbeddedStep): string {
  return `${file} has schema version ${fromVersion}; this version of Tidegate supports up to ${toVersion}. Use the newer version that wrote it`;
}
