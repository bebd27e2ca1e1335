/** `tidegate import FILE`: imports events from a file of one JSON object per line; resumes where it was interrupted. */
import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { BadLine } from '../../services/tracking/import/import-batch.ts';
import type { Administration } from '../administration/operations.ts';
import { judgeFile } from './import-dry-run.ts';
import { type ImportProgress, importFile } from './import-file.ts';
import { type ImportTarget, importStatePath, readImportState, writeImportState } from './import-state.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';
import { withAdministration } from './with-administration.ts';

/** Bad lines reported one by one; further ones are only counted. */
const MOST_TOLD = 20;
/** The same for a dry run, whose purpose is to find them. */
const MOST_TOLD_DRY = 1_000;
const TELL_EVERY_MS = 2_000;

export interface ImportCommandContext extends AdministrationCommandContext {
  /** Writes to standard error. */
  tell(text: string): void;
}

interface ImportCommandOptions {
  readonly organization?: string;
  readonly website?: string;
  readonly maxFaults: number;
  readonly restart?: true;
  readonly dryRun?: true;
  readonly json?: true;
}

/** Adds `import` to the program. */
export function registerImportCommand(program: Command, context: ImportCommandContext): void {
  program
    .command('import')
    .description('Store the events of a file: one JSON object per line, as POST /track takes them.')
    .argument('<file>', 'NDJSON file')
    .option(
      '--organization <id>',
      'organization that owns the events; not needed with --website or a single organization',
    )
    .option('--website <id>', 'website of events that name none; without it they belong to the organization')
    .option('--max-faults <number>', 'most bad lines to skip; one more stops the import', toCount, 100)
    .option('--dry-run', 'validate the whole file, report what would be stored, and store nothing')
    .option('--restart', 'start over, ignoring an earlier import of this file')
    .option('--json', 'print JSON')
    .action(async (file: string, options: ImportCommandOptions) => {
      if (!existsSync(file) || !statSync(file).isFile()) {
        throw new Refusal('NOT_FOUND', `there is no file ${file}`);
      }
      await (options.dryRun ? runDry : run)(realpathSync(file), options, context);
    });
}

async function run(
  file: string,
  { organization, website, maxFaults, restart, json }: ImportCommandOptions,
  { settings, print, tell }: ImportCommandContext,
): Promise<void> {
  const { dataDir } = settings();
  const result = await withAdministration(settings(), async (administration) => {
    const into = await administration.findImportTarget({ organizationId: organization, websiteId: website });
    const target = { file, ...into };
    const statePath = importStatePath(dataDir, target);
    if (restart) rmSync(statePath, { force: true });
    const state = readImportState(statePath, file);
    if (state.lines > 0) tell(`Resuming after line ${state.lines.toLocaleString('en')}.\n`);
    return importFile({
      target,
      state,
      statePath,
      maxFaults,
      send: (lines, faultsAllowed) => administration.importEvents({ ...into, lines, faultsAllowed }),
      onProgress: createTeller(tell),
      onBadLine: createBadLineTeller(tell, MOST_TOLD),
    })
      .then((done) => ({ ...done, ...into }))
      .finally(() => recordRun(administration, statePath, target));
  });
  const { lines, stored, badLines, isStopped, organizationId, websiteId } = result;
  if (isStopped) {
    throw new Refusal(
      'VALIDATION_ERROR',
      `stopped after ${count(lines)} lines: ${count(badLines)} bad lines are more than --max-faults ${maxFaults}. ` +
        `${count(stored)} events are stored, and none of the lines that follow; fix them and run the same command again`,
    );
  }
  if (json) printJson(print, { lines, stored, badLines, organizationId, websiteId });
  else
    print(
      `${count(stored)} events of ${count(lines)} lines are stored, ${count(badLines)} bad lines skipped.\n`,
    );
}

/** Validates the whole file, including the part an earlier run imported; refuses a file that would stop the import. */
async function runDry(
  file: string,
  { organization, website, maxFaults, restart, json }: ImportCommandOptions,
  { settings, print, tell }: ImportCommandContext,
): Promise<void> {
  const { dataDir } = settings();
  const { into, ...result } = await withAdministration(settings(), async (administration) => {
    const into = await administration.findImportTarget({ organizationId: organization, websiteId: website });
    const target = { file, ...into };
    const importedLines = restart ? 0 : readImportState(importStatePath(dataDir, target), file).lines;
    const judged = await judgeFile({
      target,
      importedLines,
      send: (lines) =>
        administration.importEvents({ ...into, lines, faultsAllowed: maxFaults, dryRun: true }),
      onProgress: createTeller(tell),
      onBadLine: createBadLineTeller(tell, MOST_TOLD_DRY),
    });
    return { ...judged, into };
  });
  const { lines, wouldStore, repeats, badLines, imported } = result;
  if (json) printJson(print, { dryRun: true, ...result, ...into });
  else {
    const before = imported === 0 ? '' : `, ${count(imported)} imported by an earlier run`;
    print(
      `Of ${count(lines)} lines ${count(wouldStore)} events would be stored, ${count(repeats)} repeats and ${count(badLines)} bad lines skipped${before}. Nothing is stored.\n`,
    );
  }
  if (badLines <= maxFaults) return;
  throw new Refusal(
    'VALIDATION_ERROR',
    `the import would stop: ${count(badLines)} bad lines are more than --max-faults ${maxFaults}`,
  );
}

/**
 * Writes one audit record for what a run stored, however it ended. When that fails because the server is gone, the record
 * of the next run counts these events too.
 */
async function recordRun(
  administration: Administration,
  statePath: string,
  target: ImportTarget,
): Promise<void> {
  const { file, organizationId, websiteId } = target;
  if (!existsSync(statePath)) return;
  const state = readImportState(statePath, file);
  const events = state.stored - state.audited;
  if (events === 0) return;
  try {
    await administration.recordImport({ organizationId, websiteId, events });
  } catch {
    return;
  }
  writeImportState(statePath, { ...state, audited: state.stored });
}

/** Reports bad lines one by one, `most` at most. */
function createBadLineTeller(tell: (text: string) => void, most: number): (line: BadLine) => void {
  let told = 0;
  return ({ number, field, message }) => {
    if (++told <= most) tell(`line ${number}: ${field}: ${message}\n`);
    else if (told === most + 1) tell('Further bad lines are only counted.\n');
  };
}

/** Reports progress from time to time: lines, rate, share, and the time left. */
function createTeller(tell: (text: string) => void): (progress: ImportProgress) => void {
  const began = performance.now();
  let firstShare: number | null = null;
  let next = began + TELL_EVERY_MS;
  return ({ lines, linesOfRun, badLines, share }) => {
    firstShare ??= share;
    const now = performance.now();
    if (now < next) return;
    next = now + TELL_EVERY_MS;
    const seconds = (now - began) / 1_000;
    const gained = share - firstShare;
    const left = gained > 0 ? `, ${Math.ceil((seconds * (1 - share)) / gained)} s left` : '';
    tell(
      `${count(lines)} lines, ${count(Math.round(linesOfRun / seconds))} lines/s, ${Math.floor(share * 100)} %, ${count(badLines)} bad${left}\n`,
    );
  };
}

function count(number: number): string {
  return number.toLocaleString('en');
}

function toCount(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Allowed: a whole number, 0 or more.');
}
