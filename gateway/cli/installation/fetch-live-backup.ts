/** Fetches a copy of an embedded installation from its running server into a folder of the command's own. */
import { constants } from 'node:fs';
import { chmod, copyFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { dataPathsOf } from '../../../config/data-directory.ts';
import type { BackupState, Backups } from '../../administration/live-backups.ts';
import { Refusal } from '../refusal.ts';

const ASK_EVERY_MS = 200;
const TELL_EVERY_MS = 1_000;
/** How often the server is polled while files are copied to another disk, so that it keeps them. */
const KEEP_EVERY_MS = 5_000;

export interface LiveBackupFetch {
  readonly server: Backups;
  readonly dataDir: string;
  /** Creates the empty target folder; called once the server has begun. */
  readonly makeFolder: () => string;
  /** Called with each step. */
  readonly tell: (text: string) => void;
}

/** Puts every file into the folder, mode 0600; returns the number of events. @throws Refusal when the copy is not complete */
export async function fetchLiveBackup({
  server,
  dataDir,
  makeFolder,
  tell,
}: LiveBackupFetch): Promise<number> {
  const { id } = await server.beginBackup();
  try {
    const folder = makeFolder();
    const written = await untilWritten(server, id, tell);
    tell('moving the files to their folder\n');
    const keeping = setInterval(() => void server.backupState(id).catch(() => undefined), KEEP_EVERY_MS);
    try {
      for (const file of written.files)
        await move(join(dataDir, written.directory, file), join(folder, file));
    } finally {
      clearInterval(keeping);
    }
    await writeFile(dataPathsOf(folder).secrets, written.secrets, { mode: 0o600, flag: 'wx' });
    return written.events;
  } catch (fault) {
    throw isLost(fault)
      ? new Refusal(
          'UPSTREAM_UNAVAILABLE',
          'the server ended before the copy was complete: run the command again',
        )
      : fault;
  } finally {
    // A server that has ended deletes the remains when it starts again.
    await server.endBackup(id).catch(() => undefined);
  }
}

async function untilWritten(
  server: Backups,
  id: string,
  tell: (text: string) => void,
): Promise<NonNullable<BackupState['written']>> {
  tell('the server writes the copy\n');
  let toldAt = performance.now();
  for (;;) {
    const { rows, ofRows, written } = await server.backupState(id);
    if (written) return written;
    if (performance.now() >= toldAt + TELL_EVERY_MS) {
      tell(`${rows.toLocaleString('en')} of ${ofRows.toLocaleString('en')} events\n`);
      toldAt = performance.now();
    }
    await pause(ASK_EVERY_MS);
  }
}

async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (fault) {
    if (!hasCode(fault, 'EXDEV')) throw fault;
    await copyFile(from, to, constants.COPYFILE_EXCL);
    await chmod(to, 0o600);
  }
}

function isLost(fault: unknown): boolean {
  return ['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE'].some((code) => hasCode(fault, code));
}

function hasCode(fault: unknown, code: string): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === code;
}
