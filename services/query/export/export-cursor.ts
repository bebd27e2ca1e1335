/** Where an export goes on: behind an event in the order of the export; bound to what is exported. */
import { createHash } from 'node:crypto';
import { z } from 'zod';

/** Events before `at` were given, those at that instant before `place`, and of those at the same place `given`. */
export interface ExportPosition {
  /** Epoch milliseconds. */
  readonly at: number;
  /** A number of 64 bits without a sign. */
  readonly place: string;
  readonly given: number;
}

/** The position before every event at an instant or later. */
export function positionAt(at: number): ExportPosition {
  return { at, place: '0', given: 0 };
}

const LAST_PLACE = 2n ** 64n - 1n;
const place = z
  .string()
  .regex(/^\d{1,20}$/)
  .refine((text) => BigInt(text) <= LAST_PLACE);
const cursorSchema = z.tuple([z.string(), z.int(), place, z.int().min(0)]);

/** `of`: everything that decides which events there are; a cursor of one export is none of another. */
export function writeCursor({ at, place, given }: ExportPosition, of: unknown): string {
  return Buffer.from(JSON.stringify([digestOf(of), at, place, given])).toString('base64url');
}

/** Null: no cursor of this export. */
export function readCursor(text: string, of: unknown): ExportPosition | null {
  try {
    const [digest, at, place, given] = cursorSchema.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    return digest === digestOf(of) ? { at, place, given } : null;
  } catch {
    return null;
  }
}

function digestOf(of: unknown): string {
  return createHash('sha256').update(JSON.stringify(of)).digest('base64url').slice(0, 12);
}
