/** `tidegate copy`: moves an embedded installation into MongoDB; resumes where it was interrupted. */
import { type Command, Option } from 'commander';
import type { DataPaths } from '../../config/data-directory.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import { openEventDump } from '../../services/shared/storage/duckdb/dump-events.ts';
import { openDocumentDump } from '../../services/shared/storage/sqlite/dump-documents.ts';
import {
  type CopyOptions,
  type CopyProgress,
  type CopyReport,
  copyInstallation,
} from './installation/copy-installation.ts';
import { stoppedInstallation } from './installation/stopped-installation.ts';
import { withMongodb } from './installation/with-mongodb.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';

const TELL_EVERY_MS = 2_000;

export interface CopyCommandContext {
  settings(): {
    readonly dataDir: string;
    readonly secretsFile: string | null;
    readonly mongodbUri: string | null;
  };
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  tell(text: string): void;
}

interface CopyCommandOptions {
  readonly restart?: boolean;
  readonly json?: boolean;
}

/** Adds `copy`; exit code 0 when the database holds everything in DATA_DIR. */
export function registerCopyCommand(program: Command, context: CopyCommandContext): void {
  program
    .command('copy')
    .description('Move the embedded installation in DATA_DIR into the empty database of MONGODB_URI.')
    .addOption(new Option('--from <store>', 'store to copy from').choices(['embedded']).makeOptionMandatory())
    .addOption(new Option('--to <store>', 'store to copy to').choices(['mongodb']).makeOptionMandatory())
    .option('--restart', 'remove what an unfinished copy left in the database, and start over')
    .option('--json', 'print JSON')
    .action((options: CopyCommandOptions) => run(options, context));
}

async function run(
  { restart = false, json }: CopyCommandOptions,
  { settings, print, tell }: CopyCommandContext,
): Promise<void> {
  const { dataDir, secretsFile, mongodbUri } = settings();
  if (mongodbUri === null) {
    throw new Refusal('VALIDATION_ERROR', 'MONGODB_URI is not set: set it to the database to copy into');
  }
  const paths = await stoppedInstallation(dataDir, 'the copy would lack what it stores in the meantime');
  const began = performance.now();
  const report = await copyFiles(paths, mongodbUri, {
    clock: systemClock,
    restart,
    told: (step) => tell(`${step}\n`),
    onProgress: createTeller(tell),
  });
  const seconds = Math.round((performance.now() - began) / 100) / 10;
  const secrets = secretsFile ?? paths.secrets;
  if (json) printJson(print, { ...report, seconds, secretsFile: secrets });
  else print(`${reportText(report, seconds)}\n${secretsText(secrets)}\n`);
}

async function copyFiles(
  paths: DataPaths,
  uri: string,
  options: Omit<CopyOptions, 'documents' | 'events' | 'connection'>,
): Promise<CopyReport> {
  const documents = openDocumentDump(paths.documents);
  try {
    const events = await openEventDump(paths.events);
    try {
      return await withMongodb(uri, (connection) =>
        copyInstallation({ ...options, documents, events, connection }),
      );
    } finally {
      events.close();
    }
  } finally {
    documents.close();
  }
}

function reportText({ documents, events, websites }: CopyReport, seconds: number): string {
  const filled = Object.entries(documents).filter(([, { count }]) => count > 0);
  return [
    `Everything is copied and verified against the files: ${count(events)} events in ${count(seconds)} s.`,
    ...filled.map(([name, tally]) => `  ${name}: ${count(tally.count)}`),
    ...websites.map(
      ({ organizationId, websiteId, count: number, first, last }) =>
        `  events of ${websiteId ?? `${organizationId} without a website`}: ${count(number)}, ${day(first)} to ${day(last)}`,
    ),
  ].join('\n');
}

function secretsText(file: string): string {
  return (
    `Copy the secrets file ${file} as well, and set SECRETS_FILE to it for every process: without it sessions end, ` +
    'visitors are counted again and the secrets of integrations cannot be decrypted. Keep DATA_DIR until the new installation runs.'
  );
}

/** Reports progress from time to time: events, rate, share, and the time left for this part. */
function createTeller(tell: (text: string) => void): (progress: CopyProgress) => void {
  let phase: CopyProgress['phase'] | null = null;
  let began = 0;
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (progress.phase !== phase) {
      phase = progress.phase;
      began = now;
      next = now + TELL_EVERY_MS;
    }
    if (now < next) return;
    next = now + TELL_EVERY_MS;
    const { events, ofEvents, eventsOfRun } = progress;
    const rate = (eventsOfRun * 1_000) / (now - began);
    const left = Math.ceil(Math.max(0, ofEvents - events) / rate);
    const share = Math.floor((events / Math.max(1, ofEvents)) * 100);
    tell(
      `${count(events)} of ${count(ofEvents)} events ${phase}, ${count(Math.round(rate))} events/s, ${share} %, ${count(left)} s left\n`,
    );
  };
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function day(instant: number): string {
  return new Date(instant).toISOString().slice(0, 10);
}
