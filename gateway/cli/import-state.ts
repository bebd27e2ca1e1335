/** How far an import has come: a small file in DATA_DIR, written after every batch, by which it goes on after an end of any kind. */
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Refusal } from './refusal.ts';

/** Bytes at the beginning of what was imported, and at its end, by which a file is known again. */
const KNOWN_BYTES = 65_536;

const stateSchema = z.object({
  file: z.string(),
  /** Byte of the file where the next batch begins. */
  offset: z.number().int().min(0),
  /** Lines before it. */
  lines: z.number().int().min(0),
  stored: z.number().int().min(0),
  badLines: z.number().int().min(0),
  /** Of those stored, how many an audit record tells of. */
  audited: z.number().int().min(0).default(0),
  /** SHA-256 of the bytes before `offset`, the first and the last 64 KB of them. */
  known: z.string(),
});
export type ImportState = z.infer<typeof stateSchema>;

/** What is imported where. */
export interface ImportTarget {
  /** Absolute, without symbolic links. */
  readonly file: string;
  readonly organizationId: string;
  readonly websiteId: string | null;
}

/** Where the state of this import stands. */
export function importStatePath(dataDir: string, { file, organizationId, websiteId }: ImportTarget): string {
  const name = createHash('sha256')
    .update(JSON.stringify([file, organizationId, websiteId]))
    .digest('hex');
  return join(dataDir, 'imports', `${name.slice(0, 32)}.json`);
}

/** The state of an import that began before, or a fresh one. @throws Refusal when the file is another one by now */
export function readImportState(path: string, file: string): ImportState {
  if (!existsSync(path))
    return { file, offset: 0, lines: 0, stored: 0, badLines: 0, audited: 0, known: knownBytesOf(file, 0) };
  const result = stateSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!result.success || result.data.known !== knownBytesOf(file, result.data.offset)) {
    throw new Refusal(
      'CONFLICT',
      `${file} is not the file whose import began: what was imported of it has changed since. Import it under another name, or add --restart to begin anew, which may store its events again`,
    );
  }
  return result.data;
}

/** Replaces the state as a whole. */
export function writeImportState(path: string, state: Omit<ImportState, 'known'>): void {
  mkdirSync(join(path, '..'), { recursive: true, mode: 0o700 });
  const next = `${path}.next`;
  writeFileSync(next, `${JSON.stringify({ ...state, known: knownBytesOf(state.file, state.offset) })}\n`, {
    mode: 0o600,
    flush: true,
  });
  renameSync(next, path);
}

/** A line that was made longer or shorter anywhere before `offset` moves the last of these bytes. */
function knownBytesOf(file: string, offset: number): string {
  const first = Math.min(offset, KNOWN_BYTES);
  const last = Math.min(offset - first, KNOWN_BYTES);
  const known = Buffer.alloc(first + last);
  const descriptor = openSync(file, 'r');
  try {
    readSync(descriptor, known, 0, first, 0);
    readSync(descriptor, known, first, last, offset - last);
    return createHash('sha256').update(known).digest('hex');
  } finally {
    closeSync(descriptor);
  }
}
