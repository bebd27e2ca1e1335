/** The state of a file before its last checkpoint: the engine keeps two headers and writes them in turns. */
import { closeSync, constants, copyFileSync, openSync, readSync, writeSync } from 'node:fs';

const HEADER_BYTES = 4_096;
/** Where the two headers stand, behind the main one. */
const HEADERS = [HEADER_BYTES, 2 * HEADER_BYTES] as const;
/** In a header, behind its checksum: how many checkpoints were written. */
const ITERATION_OFFSET = 8;

/** Copies the file to `to`, with the older header in both places. */
export function copyOlderState(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  const file = openSync(to, 'r+');
  try {
    const headers = HEADERS.map((position) => {
      const header = Buffer.alloc(HEADER_BYTES);
      readSync(file, header, 0, HEADER_BYTES, position);
      return { position, header, iteration: header.readBigUInt64LE(ITERATION_OFFSET) };
    });
    const [older, newer] = headers.sort((a, b) => (a.iteration < b.iteration ? -1 : 1));
    if (older && newer) writeSync(file, older.header, 0, HEADER_BYTES, newer.position);
  } finally {
    closeSync(file);
  }
}
