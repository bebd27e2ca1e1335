/** `tidegate backup`: writes a consistent copy of an embedded installation, secrets included, from which a server can start. */
import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { dataPathsOf } from '../../config/data-directory.ts';
import { backupEvents } from '../../services/shared/storage/duckdb/backup-events.ts';
import { backupDocuments } from '../../services/shared/storage/sqlite/backup-documents.ts';
import { probeSocket } from '../administration/socket.ts';
import { createAdministrationClient } from './administration-client.ts';
import { fetchLiveBackup } from './installation/fetch-live-backup.ts';
import { stoppedInstallation } from './installation/stopped-installation.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';

export interface BackupCommandContext {
  settings(): {
    readonly dataDir: string;
    readonly secretsFile: string | null;
    readonly mongodbUri: string | null;
  };
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error: the progress of copying a running server. */
  tell(text: string): void;
}

interface BackupReport {
  /** The folder. */
  readonly directory: string;
  /** Names of its files. */
  readonly files: readonly string[];
  readonly bytes: number;
  readonly events: number;
}

/** Adds `backup`; exit code 0 when the folder holds a complete copy, 1 when this run made none. */
export function registerBackupCommand(
  program: Command,
  { settings, print, tell }: BackupCommandContext,
): void {
  program
    .command('backup')
    .description('Copy the embedded stores and the secrets file of a running or stopped server.')
    .requiredOption('--out <dir>', 'folder for the copy; new or empty')
    .option('--json', 'print JSON')
    .action(async ({ out, json }: { out: string; json?: boolean }) => {
      const { mongodbUri, ...installation } = settings();
      if (mongodbUri !== null) {
        throw new Refusal(
          'VALIDATION_ERROR',
          'documents and events are in MongoDB: copy them with mongodump, and keep a copy of SECRETS_FILE with the dump',
        );
      }
      const report = await backup(installation, resolve(out), tell);
      if (json) printJson(print, report);
      else print(`${reportText(report)}\n`);
    });
}

/** The folder gets its name only once it is complete: a folder of that name is a complete copy. */
async function backup(
  { dataDir, secretsFile }: { readonly dataDir: string; readonly secretsFile: string | null },
  directory: string,
  tell: (text: string) => void,
): Promise<BackupReport> {
  requireFree(directory);
  const draft = `${directory}.unfinished`;
  let isMade = false;
  const makeFolder = () => {
    isMade = true;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(dirname(draft), { recursive: true });
    // Fails if the folder exists by now: it will hold secrets.
    mkdirSync(draft, { mode: 0o700 });
    return draft;
  };
  const { operatorSocket } = dataPathsOf(dataDir);
  const isRunning = (await probeSocket(operatorSocket)) === 'live';
  try {
    const events = isRunning
      ? await fetchLiveBackup({
          ...{ server: createAdministrationClient(operatorSocket), dataDir, makeFolder, tell },
        })
      : await copyFiles(dataDir, secretsFile, makeFolder);
    const files = readdirSync(draft).sort();
    for (const file of files) sync(join(draft, file));
    sync(draft);
    requireFree(directory);
    renameSync(draft, directory);
    sync(dirname(directory));
    const bytes = files.reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
    return { directory, files, bytes, events };
  } catch (fault) {
    if (isMade) rmSync(draft, { recursive: true, force: true });
    throw fault;
  }
}

/** @throws Refusal if the folder is not empty */
function requireFree(directory: string): void {
  if (!existsSync(directory)) return;
  if (statSync(directory).isDirectory() && readdirSync(directory).length === 0) return;
  throw new Refusal(
    'CONFLICT',
    `${directory} already exists and is not an empty folder: name another with --out`,
  );
}

/** Copies the files of a stopped server; returns how many events they hold. */
async function copyFiles(
  dataDir: string,
  secretsFile: string | null,
  makeFolder: () => string,
): Promise<number> {
  const paths = await stoppedInstallation(dataDir, 'its stores are copied as they are');
  const target = dataPathsOf(makeFolder());
  backupDocuments(paths.documents, target.documents);
  const events = existsSync(paths.events) ? await backupEvents(paths.events, target.events) : 0;
  const secrets = secretsFile ?? paths.secrets;
  if (existsSync(secrets)) {
    copyFileSync(secrets, target.secrets);
    chmodSync(target.secrets, 0o600);
  }
  return events;
}

/** Makes the written files survive a power loss. */
function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function reportText({ directory, files, bytes, events }: BackupReport): string {
  return [
    `${directory} holds a complete copy: ${events.toLocaleString('en')} events, ${(bytes / 1e6).toFixed(1)} MB.`,
    ...files.map((file) => `  ${file}`),
    files.includes('secrets.json')
      ? 'It includes the secrets: keep it where only you can read it. To restore, start a server with DATA_DIR set to a copy of it.'
      : 'There was no secrets file to copy. To restore, start a server with DATA_DIR set to a copy of it, and SECRETS_FILE.',
  ].join('\n');
}
