/** A directory of its own for a test's files. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TempDirectory {
  readonly path: string;
  /** The path of a file in it. */
  file(name: string): string;
  remove(): void;
}

/** Makes the directory; the test removes it. */
export function createTempDirectory(): TempDirectory {
  const path = mkdtempSync(join(tmpdir(), 'tidegate-'));
  return {
    path,
    file: (name) => join(path, name),
    // What was killed a moment ago may still write.
    remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }),
  };
}
