/** `tidegate export`: writes the raw events of a website or an organization as lines of JSON, into a file that is whole or not there. */
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { Clock } from '../../services/shared/ports/clock.ts';
import type { Administration } from '../administration/operations.ts';
import {
  cursorPathOf,
  draftPathOf,
  ExportDraft,
  type ExportState,
  readUnfinished,
  requireFree,
} from './export-file.ts';
import type { AdministrationCommandContext } from './organizations.ts';
import { printJson } from './print-json.ts';
import { Refusal } from './refusal.ts';
import { withAdministration } from './with-administration.ts';

const TELL_EVERY_MS = 2_000;

export interface ExportCommandContext extends AdministrationCommandContext {
  /** Writes to standard error. */
  tell(text: string): void;
  readonly clock: Clock;
}

interface ExportCommandOptions {
  readonly organization?: string;
  readonly website?: string;
  readonly from?: string;
  readonly to?: string;
  readonly out?: string;
  readonly resume?: true;
  readonly json?: true;
}

/** Adds `export`; exit code 0 when every event of the range is written. */
export function registerExportCommand(program: Command, context: ExportCommandContext): void {
  program
    .command('export')
    .description('Write raw events of a website or an organization: one JSON object a line, by time.')
    .option('--website <id>', 'export this website')
    .option(
      '--organization <id>',
      'export this organization, with its events without a website; not needed for a single organization',
    )
    .option(
      '--from <date>',
      'first day, or an ISO 8601 date-time, in UTC without offset (default: everything)',
    )
    .option('--to <date>', 'last day, inclusive, or a date-time before which events are (default: now)')
    .option('--out <file>', 'new file; without it the events go to standard output')
    .option('--resume', 'continue an interrupted export into the file of --out')
    .option('--json', 'print JSON about the file of --out')
    .action(async (options: ExportCommandOptions, command: Command) => {
      const { out, resume, json } = options;
      if (out !== undefined) return toFile(resolve(out), options, context);
      if (resume) command.error('error: --resume needs the file of --out');
      if (json) command.error('error: --json needs --out: without it the events are printed');
      return toOutput(options, context);
    });
}

async function toOutput(
  options: ExportCommandOptions,
  { settings, print, tell, clock }: ExportCommandContext,
): Promise<void> {
  await withAdministration(settings(), async (administration) => {
    const { organizationId, websiteId } = await target(options, administration);
    const { from, to } = rangeOf(options, null, clock);
    const tellProgress = createTeller(tell, 0);
    let cursor: string | null = null;
    let events = 0;
    do {
      const batch = await administration.exportBatch({ organizationId, websiteId, from, to, cursor });
      if (batch.lines !== '') print(batch.lines);
      events += batch.events;
      cursor = batch.nextCursor;
      tellProgress(events);
    } while (cursor !== null);
    tell(`${count(events)} events.\n`);
  });
}

async function toFile(
  file: string,
  options: ExportCommandOptions,
  { settings, print, tell, clock }: ExportCommandContext,
): Promise<void> {
  requireFree(file);
  const kept = keptOf(file, options);
  const { cursor: _, ...done } = await withAdministration(settings(), async (administration) => {
    const asked = {
      organization: options.organization ?? kept?.organizationId,
      website: options.website ?? kept?.websiteId ?? undefined,
    };
    const begun = {
      ...(await target(asked, administration)),
      ...rangeOf(options, kept, clock),
      ...{ cursor: kept?.cursor ?? null, bytes: kept?.bytes ?? 0, events: kept?.events ?? 0 },
    };
    if (kept !== null) tell(`Resuming after ${count(kept.events)} events.\n`);
    return write(file, begun, administration, tell);
  });
  if (options.json) printJson(print, { file, ...done });
  else print(`${file} holds ${count(done.events)} events, ${(done.bytes / 1e6).toFixed(1)} MB.\n`);
}

/** Writes the rest of the export, and gives the file its name. */
async function write(
  file: string,
  begun: ExportState,
  administration: Administration,
  tell: (text: string) => void,
): Promise<ExportState> {
  const { organizationId, websiteId, from, to } = begun;
  const ask = (cursor: string | null) =>
    administration.exportBatch({ organizationId, websiteId, from, to, cursor });
  // What is refused leaves no draft.
  let batch = await ask(begun.cursor).catch(refusedCursor(file));
  const draft = new ExportDraft(file, begun);
  const tellProgress = createTeller(tell, begun.events);
  try {
    draft.append(batch.lines, batch.events, batch.nextCursor);
    while (batch.nextCursor !== null) {
      tellProgress(draft.state.events);
      batch = await ask(batch.nextCursor);
      draft.append(batch.lines, batch.events, batch.nextCursor);
    }
    draft.finish();
    return draft.state;
  } catch (fault) {
    tell(`The events so far are kept in ${draftPathOf(file)}: the same command with --resume goes on.\n`);
    throw fault;
  } finally {
    draft.close();
  }
}

/** What an interrupted export left, where that is to be continued. @throws Refusal for another export */
function keptOf(
  file: string,
  { resume, organization, website, from, to }: ExportCommandOptions,
): ExportState | null {
  const kept = readUnfinished(file);
  if (!resume) {
    if (kept === null) return null;
    throw new Refusal(
      'CONFLICT',
      `an export into ${file} is unfinished: add --resume to continue it, or remove ${draftPathOf(file)} to begin anew`,
    );
  }
  if (kept === null)
    throw new Refusal('NOT_FOUND', `there is no unfinished export into ${file}: run it without --resume`);
  const named = {
    organization: [organization, kept.organizationId],
    website: [website, kept.websiteId],
    from: [from, kept.from],
    to: [to, kept.to],
  };
  for (const [option, [asked, its]] of Object.entries(named)) {
    if (asked === undefined || asked === its) continue;
    throw new Refusal(
      'CONFLICT',
      `the unfinished export into ${file} has ${its === null ? `no --${option}` : `--${option} ${its}`}`,
    );
  }
  return kept;
}

function target({ organization, website }: ExportCommandOptions, administration: Administration) {
  return administration.findImportTarget({ organizationId: organization, websiteId: website });
}

/** Fixed where an export begins, so that a resumed one has the same. */
function rangeOf({ from, to }: ExportCommandOptions, kept: ExportState | null, clock: Clock) {
  return {
    from: from ?? kept?.from ?? '1970-01-01',
    to: to ?? kept?.to ?? new Date(clock.now()).toISOString(),
  };
}

/** The error of a resumed export whose cursor an upgrade made useless. */
function refusedCursor(file: string): (fault: unknown) => never {
  return (fault) => {
    const isRefused = fault instanceof ApiError || fault instanceof Refusal;
    if (!isRefused || !fault.details.some(({ field }) => field === 'cursor')) throw fault;
    throw new Refusal(
      'CONFLICT',
      `this version cannot continue the export: remove ${draftPathOf(file)} and ${cursorPathOf(file)}, and export again without --resume`,
    );
  };
}

/** Reports progress from time to time: events, and how many a second. */
function createTeller(tell: (text: string) => void, begun: number): (events: number) => void {
  let next = performance.now() + TELL_EVERY_MS;
  let [last, then] = [begun, performance.now()];
  return (events) => {
    const now = performance.now();
    if (now < next) return;
    next = now + TELL_EVERY_MS;
    tell(
      `${count(events)} events, ${count(Math.round(((events - last) * 1_000) / (now - then)))} events/s\n`,
    );
    [last, then] = [events, now];
  };
}

function count(number: number): string {
  return number.toLocaleString('en');
}
