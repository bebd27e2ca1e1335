/** `tidegate import FILE`: brings events in from a file of one JSON object per line; it goes on where it was interrupted. */
import { existsSync, realpathSync, rmSync, statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import type { Administration } from '../administration-operations.ts';
import { type ImportProgress, importFile } from './import-file.ts';
import { type ImportTarget, importStatePath, readImportState, writeImportState } from './import-state.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';
import { withAdministration } from './with-administration.ts';

/** Bad lines that are told one by one; further ones are counted. */
const MOST_TOLD = 20;
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
  readonly json?: true;
}

/** Adds `import` to the program. */
export function registerImportCommand(program: Command, context: ImportCommandContext): void {
  program
    .command('import')
    .description('Store the events of a file: one JSON object per line, as POST /track takes them.')
    .argument('<file>', 'the file, NDJSON')
    .option('--organization <id>', 'whose the events are; not needed with --website or a single organization')
    .option('--website <id>', 'the website of events that name none; without it they are the organization’s')
    .option(
      '--max-faults <number>',
      'most bad lines that are left out; one more stops the import',
      toCount,
      100,
    )
    .option('--restart', 'forget how far an earlier import of this file came')
    .option('--json', 'print JSON')
    .action(async (file: string, options: ImportCommandOptions) => {
      if (!existsSync(file) || !statSync(file).isFile()) {
        throw new Refusal('NOT_FOUND', `there is no file ${file}`);
      }
      await run(realpathSync(file), options, context);
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
    if (state.lines > 0) tell(`Going on after line ${state.lines.toLocaleString('en')}.\n`);
    const teller = createTeller(tell);
    let told = 0;
    return importFile({
      target,
      state,
      statePath,
      maxFaults,
      send: (lines, faultsAllowed) => administration.importEvents({ ...into, lines, faultsAllowed }),
      onProgress: teller,
      onBadLine({ number, field, message }) {
        if (++told <= MOST_TOLD) tell(`line ${number}: ${field}: ${message}\n`);
        else if (told === MOST_TOLD + 1) tell('Further bad lines are counted only.\n');
      },
    })
      .then((done) => ({ ...done, ...into }))
      .finally(() => recordRun(administration, statePath, target));
  });
  const { lines, stored, badLines, isStopped, organizationId, websiteId } = result;
  if (isStopped) {
    throw new Refusal(
      'VALIDATION_ERROR',
      `stopped after ${count(lines)} lines: ${count(badLines)} bad lines are more than --max-faults ${maxFaults}. ` +
        `${count(stored)} events are stored, none of the lines that follow; mend them and run the same command again`,
    );
  }
  if (json) printJson(print, { lines, stored, badLines, organizationId, websiteId });
  else
    print(
      `${count(stored)} events of ${count(lines)} lines are stored, ${count(badLines)} bad lines left out.\n`,
    );
}

/**
 * One audit record for what a run stored, however it ended. When none can be left, because the server is gone, the record
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

/** Tells of the progress now and then: lines, rate, share, and how long it will take. */
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
  throw new InvalidArgumentError('Allowed: a whole number from 0.');
}
