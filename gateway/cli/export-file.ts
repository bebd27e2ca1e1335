/** The file of an export while it is written: a draft beside it, and beside that the cursor behind what the draft holds. */
import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { z } from 'zod';
import { Refusal } from './refusal.ts';

const stateSchema = z.strictObject({
  organizationId: z.string(),
  websiteId: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  cursor: z.string().nullable(),
  bytes: z.int().min(0),
  events: z.int().min(0),
});
/** What is exported, and how far the draft has come. */
export type ExportState = z.output<typeof stateSchema>;

/** Events of visitors are for nobody else. */
const OWNER_ONLY = 0o600;

export function draftPathOf(file: string): string {
  return `${file}.unfinished`;
}

export function cursorPathOf(file: string): string {
  return `${file}.unfinished.cursor`;
}

/** @throws Refusal if there is such a file, or no folder for it */
export function requireFree(file: string): void {
  if (existsSync(file)) throw new Refusal('CONFLICT', `${file} already exists: name another with --out`);
  const folder = dirname(file);
  if (!existsSync(folder) || !statSync(folder).isDirectory())
    throw new Refusal('NOT_FOUND', `there is no folder ${folder}`);
}

/** The state of an export that was interrupted; null: there is none. @throws Refusal for files that are of no use */
export function readUnfinished(file: string): ExportState | null {
  const [draft, cursor] = [draftPathOf(file), cursorPathOf(file)];
  if (!existsSync(draft)) return null;
  const { size } = statSync(draft);
  if (!existsSync(cursor) && size === 0) return null;
  const state = existsSync(cursor) ? readState(cursor) : null;
  if (state !== null && state.bytes <= size) return state;
  throw new Refusal(
    'CONFLICT',
    `${draft} and ${cursor} do not belong together: remove them, and export again without --resume`,
  );
}

function readState(path: string): ExportState | null {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return null;
  }
}

/** The draft from the state on; what an interrupted run wrote behind it is cut off. */
export class ExportDraft {
  readonly #file: string;
  readonly #descriptor: number;
  #state: ExportState;

  constructor(file: string, state: ExportState) {
    this.#file = file;
    this.#state = state;
    const isNew = state.cursor === null;
    // Removed first: a cursor never stands beside a draft of another export.
    if (isNew) rmSync(cursorPathOf(file), { force: true });
    this.#descriptor = openSync(draftPathOf(file), isNew ? 'w' : 'r+', OWNER_ONLY);
    ftruncateSync(this.#descriptor, state.bytes);
    if (isNew) this.#keep();
  }

  get state(): ExportState {
    return this.#state;
  }

  /** Makes the lines durable; the cursor is kept behind them, so that a resumed export begins there. */
  append(lines: string, events: number, nextCursor: string | null): void {
    const bytes = Buffer.from(lines);
    for (let written = 0; written < bytes.length; ) {
      const position = this.#state.bytes + written;
      written += writeSync(this.#descriptor, bytes, written, bytes.length - written, position);
    }
    fsyncSync(this.#descriptor);
    this.#state = {
      ...this.#state,
      cursor: nextCursor,
      bytes: this.#state.bytes + bytes.length,
      events: this.#state.events + events,
    };
    // Behind the last lines there is no cursor: until the file has its name, they can be exported again.
    if (nextCursor !== null) this.#keep();
  }

  /** Gives the whole file its name. @throws Refusal if another file has it by now */
  finish(): void {
    requireFree(this.#file);
    if (fstatSync(this.#descriptor).size !== this.#state.bytes)
      throw new Refusal('CONFLICT', `another process writes ${draftPathOf(this.#file)} too`);
    renameSync(draftPathOf(this.#file), this.#file);
    rmSync(cursorPathOf(this.#file), { force: true });
    syncFolder(dirname(this.#file));
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  #keep(): void {
    const path = cursorPathOf(this.#file);
    writeFileSync(`${path}.next`, `${JSON.stringify(this.#state)}\n`, { mode: OWNER_ONLY, flush: true });
    renameSync(`${path}.next`, path);
  }
}

/** Makes new names survive a power loss. */
function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
