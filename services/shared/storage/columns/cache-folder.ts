/**
 * Folders for what query processes keep on disk. Each process takes the first one that no living process uses, with the
 * files of whoever used it before: so they survive a restart, and two processes never share one.
 */
import { mkdir, readdir, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { OwnedElsewhereError, type OwnerLock, takeOwnerLock } from '../duckdb/owner-lock.ts';

/** A folder that no process took for this long, in milliseconds, is removed. */
const LEFT_MS = 7 * 24 * 60 * 60 * 1_000;

export interface CacheFolder {
  readonly path: string;
  /** Leaves it, with what is in it, to another process. */
  release(): void;
}

/** Takes a folder within `root`. @throws Error when it cannot be made */
export async function takeCacheFolder(root: string): Promise<CacheFolder> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  for (let number = 0; ; number++) {
    const path = join(root, String(number));
    const lock = tryLock(path);
    if (lock === null) continue;
    try {
      await mkdir(path, { recursive: true, mode: 0o700 });
      const now = new Date();
      await utimes(path, now, now);
      await removeLeft(root, now.getTime());
    } catch (fault) {
      lock.release();
      throw fault;
    }
    return { path, release: () => lock.release() };
  }
}

/** Null: a process that lives, such as this one, has it. */
function tryLock(path: string): OwnerLock | null {
  try {
    return takeOwnerLock(path);
  } catch (fault) {
    if (fault instanceof OwnedElsewhereError) return null;
    throw fault;
  }
}

/** Removes folders that nobody took for long: there are fewer processes than there were. */
async function removeLeft(root: string, now: number): Promise<void> {
  for (const name of await readdir(root)) {
    if (!/^\d+$/.test(name)) continue;
    const path = join(root, name);
    const lock = tryLock(path);
    if (lock === null) continue;
    try {
      const { mtimeMs } = await stat(path);
      if (now - mtimeMs >= LEFT_MS) await rm(path, { recursive: true, force: true });
    } finally {
      lock.release();
    }
  }
}
