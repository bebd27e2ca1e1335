/** Writes a copy of a file of documents that no process has open. */
import { chmodSync } from 'node:fs';
import { openExclusively } from './open-database.ts';

/**
 * `target` must not exist yet; afterwards it is complete, and only its owner can read it.
 * @throws Error while another process has the file open, or when it cannot be read or the copy not be written
 */
export function backupDocuments(path: string, target: string): void {
  const database = openExclusively(path);
  try {
    database.prepare('VACUUM INTO ?').run(target);
    chmodSync(target, 0o600);
  } finally {
    database.close();
  }
}
