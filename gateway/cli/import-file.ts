/** Imports a file of events batch by batch: reads lines with their position in the file, and reports progress. */
import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import {
  type BadLine,
  type ImportLine,
  type ImportOutcome,
  LARGEST_IMPORT_BATCH,
} from '../../services/tracking/import/import-batch.ts';
import { type ImportState, type ImportTarget, writeImportState } from './import-state.ts';

/** Most bytes of one batch, and of one line. */
const LARGEST_BATCH_BYTES = 1_000_000;
const LARGEST_LINE_BYTES = 500_000;

/** The progress of an import. */
export interface ImportProgress {
  readonly lines: number;
  readonly stored: number;
  readonly badLines: number;
  /** Share of the file, 0..1. */
  readonly share: number;
  /** Lines read by this run. */
  readonly linesOfRun: number;
}

export interface ImportFileOptions {
  readonly target: ImportTarget;
  readonly state: ImportState;
  readonly statePath: string;
  /** Most bad lines in total; one more stops the import. */
  readonly maxFaults: number;
  readonly send: (lines: readonly ImportLine[], faultsAllowed: number) => Promise<ImportOutcome>;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onBadLine: (line: BadLine) => void;
}

export interface ImportResult extends ImportProgress {
  /** The import met more bad lines than allowed; the batch that holds them was not stored. */
  readonly isStopped: boolean;
}

/** Imports from the position in `state` to the end of the file, or to one bad line too many. */
export async function importFile(options: ImportFileOptions): Promise<ImportResult> {
  const { target, statePath, maxFaults, send, onProgress, onBadLine } = options;
  const size = statSync(target.file).size;
  let state = options.state;
  const first = state.lines;
  const progress = (): ImportProgress => ({
    lines: state.lines,
    stored: state.stored,
    badLines: state.badLines,
    share: size === 0 ? 1 : state.offset / size,
    linesOfRun: state.lines - first,
  });
  for await (const batch of batchesOf(target, state)) {
    const outcome =
      batch.lines.length === 0
        ? { stored: 0, badLines: [] }
        : await send(batch.lines, maxFaults - state.badLines);
    for (const line of outcome.badLines) onBadLine(line);
    const badLines = state.badLines + outcome.badLines.length;
    if (badLines > maxFaults) return { ...progress(), badLines, isStopped: true };
    const stored = state.stored + outcome.stored;
    state = { ...state, offset: batch.end, lines: batch.lastLine, stored, badLines };
    writeImportState(statePath, state);
    onProgress(progress());
  }
  return { ...progress(), isStopped: false };
}

/** Lines sent in one batch. */
export interface Batch {
  readonly lines: readonly ImportLine[];
  /** The byte after its last line, and the number of that line. */
  readonly end: number;
  readonly lastLine: number;
}

/** The lines of the file from the position in `state`, in batches. */
export async function* batchesOf(
  target: ImportTarget,
  { offset, lines: before }: Pick<ImportState, 'offset' | 'lines'>,
): AsyncGenerator<Batch> {
  let lines: ImportLine[] = [];
  let bytes = 0;
  let number = before;
  let end = offset;
  for await (const { text, start, after } of linesOf(target.file, offset)) {
    number++;
    end = after;
    if (text.trim() === '') continue;
    lines.push({ number, text, eventId: eventIdOf(target, start, text) });
    bytes += after - start;
    if (lines.length < LARGEST_IMPORT_BATCH && bytes < LARGEST_BATCH_BYTES) continue;
    yield { lines, end, lastLine: number };
    lines = [];
    bytes = 0;
  }
  if (number > before || lines.length > 0) yield { lines, end, lastLine: number };
}

/**
 * The eventId of a line, from file, target and line, so that a batch sent twice is stored once. The line's text is part of
 * it: a file that replaced this one holds other events.
 */
function eventIdOf({ file, organizationId, websiteId }: ImportTarget, start: number, line: string): string {
  const text = JSON.stringify([file, organizationId, websiteId, start, line]);
  return `import:${createHash('sha256').update(text).digest('hex').slice(0, 32)}`;
}

interface FileLine {
  readonly text: string;
  readonly start: number;
  /** The byte after its line ending. */
  readonly after: number;
}

/** The lines from a byte on; an overlong line is cut where it can no longer be valid JSON. */
async function* linesOf(file: string, offset: number): AsyncGenerator<FileLine> {
  let parts: Buffer[] = [];
  let length = 0;
  let start = offset;
  let at = offset;
  const keep = (part: Buffer) => {
    if (length <= LARGEST_LINE_BYTES) parts.push(part);
    length += part.length;
  };
  const take = (after: number): FileLine => {
    const whole = Buffer.concat(parts);
    const text = (length > LARGEST_LINE_BYTES ? whole.subarray(0, 100) : whole).toString('utf8');
    const line = { text, start, after };
    parts = [];
    length = 0;
    start = after;
    return line;
  };
  for await (const chunk of createReadStream(file, {
    start: offset,
    highWaterMark: 1_048_576,
  }) as AsyncIterable<Buffer>) {
    let from = 0;
    for (let newline = chunk.indexOf(10); newline !== -1; newline = chunk.indexOf(10, from)) {
      keep(chunk.subarray(from, newline));
      yield take(at + newline + 1);
      from = newline + 1;
    }
    keep(chunk.subarray(from));
    at += chunk.length;
  }
  if (length > 0) yield take(at);
}
