/** `tidegate backup`: writes a consistent copy of an embedded installation, secrets included, that a server can be started on. */
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
import { backupEvents } from '../../services/shared/storage/duckdb/backup-events.ts';
import { backupDocuments } from '../../services/shared/storage/sqlite/backup-documents.ts';
import { probeSocket } from '../administration-socket.ts';
import { dataPathsOf } from '../data-directory.ts';
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
  /** Writes to standard error: how far a copy of a running server is. */
  tell(text: string): void;
}

interface BackupReport {
  /** The folder. */
  readonly directory: string;
  /** Names of the files in it. */
  readonly files: readonly string[];
  readonly bytes: number;
  readonly events: number;
}

/** Adds `backup`; exit code 0 when the folder holds a whole copy, 1 when there is none of this run. */
export function registerBackupCommand(
  program: Command,
  { settings, print, tell }: BackupCommandContext,
): void {
  program
    .command('backup')
    .description(
      'Write a copy of the embedded stores and the secrets file, of a running server or a stopped one.',
    )
    .requiredOption('--out <dir>', 'the folder of the copy; new or empty')
    .option('--json', 'print JSON')
    .action(async ({ out, json }: { out: string; json?: boolean }) => {
      const { mongodbUri, ...installation } = settings();
      if (mongodbUri !== null) {
        throw new Refusal(
          'VALIDATION_ERROR',
          'documents and events lie in MongoDB: copy them with mongodump, and keep a copy of SECRETS_FILE beside it',
        );
      }
      const report = await backup(installation, resolve(out), tell);
      if (json) printJson(print, report);
      else print(`${reportText(report)}\n`);
    });
}

/** The folder comes to its name as a whole: one that is there is a whole copy. */
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
    // Fails where somebody else was faster: secrets go into it.
    mkdirSync(draft, { mode: 0o700 });
    return draft;
  };
  const { administrationSocket } = dataPathsOf(dataDir);
  const isRunning = (await probeSocket(administrationSocket)) === 'live';
  try {
    const events = isRunning
      ? await fetchLiveBackup({
          ...{ server: createAdministrationClient(administrationSocket), dataDir, makeFolder, tell },
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

/** @throws Refusal for a folder in which something is */
function requireFree(directory: string): void {
  if (!existsSync(directory)) return;
  if (statSync(directory).isDirectory() && readdirSync(directory).length === 0) return;
  throw new Refusal(
    'CONFLICT',
    `${directory} is there already, and not an empty folder: name another in --out`,
  );
}

/** The files of a stopped server; how many events they hold. */
async function copyFiles(
  dataDir: string,
  secretsFile: string | null,
  makeFolder: () => string,
): Promise<number> {
  const paths = await stoppedInstallation(dataDir, 'its stores were to be copied as they are');
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

/** Makes what was written outlive a loss of power. */
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
    `${directory} holds a whole copy: ${events.toLocaleString('en')} events, ${(bytes / 1e6).toFixed(1)} MB.`,
    ...files.map((file) => `  ${file}`),
    files.includes('secrets.json')
      ? 'It holds the secrets: keep it where only you can read it. To restore it, start a server with DATA_DIR on a copy of it.'
      : 'There was no secrets file to copy. To restore it, start a server with DATA_DIR on a copy of it, and SECRETS_FILE.',
  ].join('\n');
}
