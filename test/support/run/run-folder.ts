/** The folder in which a test run keeps everything: in memory where there is room, since stores wait for the disk at every commit. */
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** What the suites of one run may fill at once, in bytes, with plenty to spare. */
const ROOM = 4e9;

export interface RunFolder {
  readonly path: string;
  /** Removes it, with what tests left in it. */
  remove(): void;
}

export function createRunFolder(): RunFolder {
  const path = mkdtempSync(join(hasRoom(IN_MEMORY) ? IN_MEMORY : tmpdir(), 'tidegate-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize >= ROOM;
  } catch {
    return false;
  }
}
