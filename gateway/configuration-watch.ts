/** Watches the files of a configuration: tells of a change, in whatever way new files come into the place of old ones. */
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { CONFIGURATION_FILES } from './configuration/load-configuration.ts';

/** Files that are written one after the other are read once, this many milliseconds after the last. */
const SETTLED_AFTER_MS = 300;
/** How often files and folders are looked at, in milliseconds, for changes that the system does not tell of. */
const LOOKED_AT_EVERY_MS = 2_000;
/** Folders of a configuration. */
const FOLDERS = ['.', 'models'] as const;

/**
 * Calls `changed` some time after the last of several changes. The system tells of changes in the folders, as editors and mounted
 * volumes put new files in the place of old ones. What it does not tell of is found by looking: a folder that is replaced or is a link
 * which is turned, a file that is a link to elsewhere, a file system without notices. Ends by the function that it gives.
 */
export async function watchConfiguration(
  directory: string,
  logger: Logger,
  changed: () => void,
): Promise<() => void> {
  let ended = false;
  let settling: NodeJS.Timeout | null = null;
  let watchers: FSWatcher[] = [];
  let seen = await look(directory);

  const settle = (): void => {
    if (ended) return;
    if (settling !== null) clearTimeout(settling);
    settling = setTimeout(() => void tell(), SETTLED_AFTER_MS);
    settling.unref();
  };

  async function tell(): Promise<void> {
    settling = null;
    await lookAgain();
    if (!ended) changed();
  }

  /** Whether anything is not as it was; from then on it is. */
  async function lookAgain(): Promise<boolean> {
    const found = await look(directory);
    const isOther = found.files !== seen.files || found.folders !== seen.folders;
    if (found.folders !== seen.folders && !ended) watchFolders();
    seen = found;
    return isOther;
  }

  function watchFolders(): void {
    for (const watcher of watchers) watcher.close();
    watchers = [];
    for (const folder of FOLDERS) {
      try {
        const watcher = watch(join(directory, folder), { persistent: false }, settle);
        watcher.on('error', (fault) =>
          logger.debug({ err: fault, directory }, 'a folder is watched no more'),
        );
        watchers.push(watcher);
      } catch (fault) {
        logger.debug({ err: fault, directory }, 'a folder cannot be watched');
      }
    }
  }

  watchFolders();
  let looking = false;
  const looks = setInterval(async () => {
    if (looking || settling !== null) return;
    looking = true;
    if (await lookAgain()) settle();
    looking = false;
  }, LOOKED_AT_EVERY_MS);
  looks.unref();

  return () => {
    ended = true;
    clearInterval(looks);
    if (settling !== null) clearTimeout(settling);
    for (const watcher of watchers) watcher.close();
  };
}

interface Looks {
  /** Which folders stand there; what is in them does not matter. */
  readonly folders: string;
  /** Which files, of what length, written when. */
  readonly files: string;
}

async function look(directory: string): Promise<Looks> {
  const statusOf = (name: string) => stat(join(directory, name), { bigint: true }).catch(() => null);
  const [folders, files] = await Promise.all([
    Promise.all(FOLDERS.map(statusOf)),
    Promise.all(CONFIGURATION_FILES.map(statusOf)),
  ]);
  return {
    folders: folders.map((one) => one && `${one.dev}:${one.ino}`).join(),
    files: files.map((one) => one && `${one.dev}:${one.ino}:${one.size}:${one.mtimeNs}`).join(),
  };
}
