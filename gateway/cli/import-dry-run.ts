/** `tidegate import --dry-run`: validates a whole file as an import would, reports what it would store, and stores nothing. */
import { statSync } from 'node:fs';
import { EventIdWindow, REPEAT_WINDOW_MS } from '../../services/shared/storage/event-id-window.ts';
import type {
  BadLine,
  GoodLine,
  ImportLine,
  ImportOutcome,
} from '../../services/tracking/import/import-batch.ts';
import { batchesOf, type ImportProgress } from './import-file.ts';
import type { ImportTarget } from './import-state.ts';

/** Ids of the file among which repeats are found: the largest number the store can be set to. Memory is allocated as ids come. */
const MOST_IDS = 100_000_000;

/** All ids of a file belong to one party: none has a share of its own. */
const PARTY = { organizationId: '', websiteId: null, isKeyless: false };

export interface DryRunOptions {
  readonly target: ImportTarget;
  /** Lines that an earlier run has imported: the import would resume after them. */
  readonly importedLines: number;
  readonly send: (lines: readonly ImportLine[]) => Promise<ImportOutcome>;
  readonly onProgress: (progress: ImportProgress) => void;
  readonly onBadLine: (line: BadLine) => void;
}

/** What an import would do. */
export interface DryRunResult {
  readonly lines: number;
  /** Events that it would store. */
  readonly wouldStore: number;
  /** Events already stored, or repeated within the file, by their eventId. */
  readonly repeats: number;
  readonly badLines: number;
  /** Good lines that an earlier run has imported. */
  readonly imported: number;
}

/** Validates every line of the file. */
export async function judgeFile(options: DryRunOptions): Promise<DryRunResult> {
  const { target, importedLines, send, onProgress, onBadLine } = options;
  const size = statSync(target.file).size;
  const seen = new EventIdWindow({ size: MOST_IDS, keepMs: REPEAT_WINDOW_MS });
  const counts = { lines: 0, wouldStore: 0, repeats: 0, badLines: 0, imported: 0 };

  function count({ number, id, isRepeat }: GoodLine): void {
    const hash = Buffer.from(id, 'base64').toString('latin1');
    const isKnown = seen.has(hash, 0);
    seen.add(hash, 0, PARTY);
    if (number <= importedLines) counts.imported++;
    else if (isRepeat || isKnown) counts.repeats++;
    else counts.wouldStore++;
  }

  for await (const batch of batchesOf(target, { offset: 0, lines: 0 })) {
    const { badLines, goodLines = [] } =
      batch.lines.length === 0 ? { badLines: [] } : await send(batch.lines);
    for (const line of badLines) onBadLine(line);
    for (const line of goodLines) count(line);
    counts.badLines += badLines.length;
    counts.lines = batch.lastLine;
    const share = size === 0 ? 1 : batch.end / size;
    onProgress({ ...counts, stored: 0, share, linesOfRun: counts.lines });
  }
  return counts;
}
