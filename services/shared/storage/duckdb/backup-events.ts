/** Writes a copy of a file of events that no process has open. */
import { chmodSync, constants, copyFileSync, existsSync } from 'node:fs';
import { openEventDump } from './dump-events.ts';

/**
 * Copies the file with its log, and returns how many events the copy holds. `target` must not exist yet; afterwards only
 * its owner can read either file.
 * @throws Error while another process has the file open, or when the copy does not hold what the file holds
 */
export async function backupEvents(path: string, target: string): Promise<number> {
  const file = await openEventDump(path);
  try {
    for (const ending of ['', '.wal']) {
      if (!existsSync(path + ending)) continue;
      copyFileSync(path + ending, target + ending, constants.COPYFILE_FICLONE);
      chmodSync(target + ending, 0o600);
    }
    const copy = await openEventDump(target);
    copy.close();
    if (copy.fingerprint !== file.fingerprint) {
      throw new Error(
        `${target} holds ${copy.events} events, ${path} holds ${file.events}: the copy is not whole`,
      );
    }
    return copy.events;
  } finally {
    file.close();
  }
}
