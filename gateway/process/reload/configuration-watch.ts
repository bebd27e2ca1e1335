/** Watches the files of a configuration and reports changes, however new files replace old ones. */
import { type FSWatcher, watch } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Logger } from 'pino';
import { CONFIGURATION_FILES } from '../../configuration/load-configuration.ts';

/** In milliseconds. */
export interface WatchTimes {
  /** Files written one after another are read once, this long after the last. */
  readonly settledAfterMs: number;
  /** How often files and folders are polled for changes that the system does not report. */
  readonly lookedAtEveryMs: number;
}

const WATCH_TIMES: WatchTimes = { settledAfterMs: 300, lookedAtEveryMs: 2_000 };
/** Folders of a configuration. */
const FOLDERS = ['.', 'models'] as const;

/**
 * Calls `changed` shortly after the last of several changes. The system reports changes in the folders, since editors and mounted
 * volumes replace files there. Polling finds the rest: a replaced folder, a link to a folder that changed, a file that links
 * elsewhere, a file system without notifications. `further` gives the absolute paths of more files and folders, such as secret
 * files, which are polled; a change of that list is told as well. Returns the function that stops it.
 */
export async function watchConfiguration(
  directory: string,
  logger: Logger,
  changed: () => void,
  { settledAfterMs, lookedAtEveryMs }: WatchTimes = WATCH_TIMES,
  further: () => readonly string[] = () => [],
): Promise<() => void> {
  let ended = false;
  let settling: NodeJS.Timeout | null = null;
  /** Whether a change is about to be told: a look that began before it is no further one. */
  let telling = false;
  let watchers: FSWatcher[] = [];
  let lastLook: Promise<unknown> = Promise.resolve();
  let seen = await look(directory, further());

  const settle = (): void => {
    if (ended) return;
    if (settling !== null) clearTimeout(settling);
    settling = setTimeout(() => void tell(), settledAfterMs);
    settling.unref();
  };

  async function tell(): Promise<void> {
    settling = null;
    telling = true;
    await lookAgain();
    telling = false;
    if (!ended) changed();
  }

  /** Whether anything changed since the last look. One after the other: on a busy machine a look takes longer than the pauses. */
  function lookAgain(): Promise<boolean> {
    const turn = lastLook.then(compare);
    lastLook = turn;
    return turn;
  }

  async function compare(): Promise<boolean> {
    const found = await look(directory, further());
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
          logger.debug({ err: fault, directory }, 'a folder is no longer watched'),
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
    if (looking || telling || settling !== null) return;
    looking = true;
    if ((await lookAgain()) && !telling) settle();
    looking = false;
  }, lookedAtEveryMs);
  looks.unref();

  return () => {
    ended = true;
    clearInterval(looks);
    if (settling !== null) clearTimeout(settling);
    for (const watcher of watchers) watcher.close();
  };
}

interface Looks {
  /** The identity of the folders, whatever they contain. */
  readonly folders: string;
  /** The identity, length and modification time of the files. */
  readonly files: string;
}

async function look(directory: string, further: readonly string[]): Promise<Looks> {
  const statusOf = (name: string) => stat(resolve(directory, name), { bigint: true }).catch(() => null);
  const [folders, files] = await Promise.all([
    Promise.all(FOLDERS.map(statusOf)),
    Promise.all([...CONFIGURATION_FILES, ...further].map(statusOf)),
  ]);
  return {
    folders: folders.map((one) => one && `${one.dev}:${one.ino}`).join(),
    files: files.map((one) => one && `${one.dev}:${one.ino}:${one.size}:${one.mtimeNs}`).join(),
  };
}
