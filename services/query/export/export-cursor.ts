/** Where an export goes on: an instant, and how many events of that instant were given; bound to what is exported. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Events before `at` were given, and of those at that instant the first `given`, in the order of the export. */
export interface ExportPosition {
  /** Epoch milliseconds. */
  readonly at: number;
  readonly given: number;
}

const cursorSchema = z.tuple([z.string(), z.int(), z.int().min(0)]);

/** `of`: everything that decides which events there are; a cursor of one export is none of another. */
export function writeCursor({ at, given }: ExportPosition, of: unknown): string {
  return Buffer.from(JSON.stringify([digestOf(of), at, given])).toString('base64url');
}

/** Null: no cursor of this export. */
export function readCursor(text: string, of: unknown): ExportPosition | null {
  try {
    const [digest, at, given] = cursorSchema.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
    return digest === digestOf(of) ? { at, given } : null;
  } catch {
    return null;
  }
}

function digestOf(of: unknown): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url').slice(0, 12);
}
