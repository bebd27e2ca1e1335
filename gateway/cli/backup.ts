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
import { dataPathsOf } from '../data-directory.ts';
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
export function registerBackupCommand(program: Command, { settings, print }: BackupCommandContext): void {
  program
    .command('backup')
    .description('Write a copy of the embedded stores and the secrets file; the server must be stopped.')
    .requiredOption('--out <dir>', 'the folder of the copy; new or empty')
    .option('--json', 'print JSON')
    .action(async ({ out, json }: { out: string; json?: boolean }) => {
      const { dataDir, secretsFile, mongodbUri } = settings();
      if (mongodbUri !== null) {
        throw new Refusal(
          'VALIDATION_ERROR',
          'documents and events lie in MongoDB: copy them with mongodump, and keep a copy of SECRETS_FILE beside it',
        );
      }
      const report = await backup(dataDir, secretsFile, resolve(out));
      if (json) printJson(print, report);
      else print(`${reportText(report)}\n`);
    });
}

/** The folder comes to its name as a whole: one that is there is a whole copy. */
async function backup(dataDir: string, secretsFile: string | null, directory: string): Promise<BackupReport> {
  if (existsSync(directory) && (!statSync(directory).isDirectory() || readdirSync(directory).length > 0)) {
    throw new Refusal(
      'CONFLICT',
      `${directory} is there already, and not an empty folder: name another in --out`,
    );
  }
  const paths = await stoppedInstallation(
    dataDir,
    'its stores are copied as they are when nothing writes to them',
  );
  const draft = `${directory}.unfinished`;
  rmSync(draft, { recursive: true, force: true });
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  try {
    const target = dataPathsOf(draft);
    backupDocuments(paths.documents, target.documents);
    const events = existsSync(paths.events) ? await backupEvents(paths.events, target.events) : 0;
    const secrets = secretsFile ?? paths.secrets;
    if (existsSync(secrets)) {
      copyFileSync(secrets, target.secrets);
      chmodSync(target.secrets, 0o600);
    }
    const files = readdirSync(draft).sort();
    for (const file of files) sync(join(draft, file));
    sync(draft);
    renameSync(draft, directory);
    sync(dirname(directory));
    const bytes = files.reduce((sum, file) => sum + statSync(join(directory, file)).size, 0);
    return { directory, files, bytes, events };
  } catch (fault) {
    rmSync(draft, { recursive: true, force: true });
    throw fault;
  }
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
