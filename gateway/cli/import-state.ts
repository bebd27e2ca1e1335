/** The progress of an import: a small file in DATA_DIR, written after every batch, from which the import resumes however it ended. */
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

/** Bytes at the beginning and the end of the imported part by which a file is recognized. */
const KNOWN_BYTES = 65_536;

const stateSchema = z.object({
  file: z.string(),
  /** The byte of the file where the next batch begins. */
  offset: z.number().int().min(0),
  /** Lines before it. */
  lines: z.number().int().min(0),
  stored: z.number().int().min(0),
  badLines: z.number().int().min(0),
  /** How many of the stored events an audit record covers. */
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

/** The file that holds the state of this import. */
export function importStatePath(dataDir: string, { file, organizationId, websiteId }: ImportTarget): string {
  const name = createHash('sha256')
    .update(JSON.stringify([file, organizationId, websiteId]))
    .digest('hex');
  return join(dataDir, 'imports', `${name.slice(0, 32)}.json`);
}

/** The state of an earlier run of this import, or a fresh one. @throws Refusal when the imported part of the file has changed */
export function readImportState(path: string, file: string): ImportState {
  if (!existsSync(path))
    return { file, offset: 0, lines: 0, stored: 0, badLines: 0, audited: 0, known: knownBytesOf(file, 0) };
  const result = stateSchema.safeParse(JSON.parse(readFileSync(path, 'utf8')));
  if (!result.success || result.data.known !== knownBytesOf(file, result.data.offset)) {
    throw new Refusal(
      'CONFLICT',
      `${file} is not the file whose import began: the imported part has changed since. Import it under another name, or add --restart to start over, which may store its events again`,
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

/** Lengthening or shortening any line before `offset` moves the last of these bytes. */
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
