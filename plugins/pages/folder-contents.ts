/** The files of a folder of pages, within bounds; links are followed where they stay in the folder. */
import {
  accessSync,
  type BigIntStats,
  constants,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { join, sep } from 'node:path';

/** Most files of a folder, compressed forms among them, and most bytes of all of them. */
export const MOST_FILES = 2_000;
export const MOST_BYTES = 67_108_864;

const NAME = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/** A file that may be served, as it stands there. */
export interface FoundFile {
  /** Its real path. */
  readonly path: string;
  readonly status: BigIntStats;
}

/** What they hold, by name. What is too much is added to `faults`. */
export function readContents(found: ReadonlyMap<string, FoundFile>, faults: string[]): Map<string, Buffer> {
  const contents = new Map<string, Buffer>();
  let bytes = 0n;
  for (const [name, { path, status }] of found) {
    bytes += status.size;
    if (bytes > MOST_BYTES) {
      faults.push(`its files have more than ${MOST_BYTES} bytes together`);
      break;
    }
    contents.set(name, readFileSync(path));
  }
  return contents;
}

/**
 * The files that may be served, by name; dotfiles and source maps are passed over, and links are followed within the folder, as a
 * mounted volume has them. What may not be served is added to `faults`.
 */
export function findFiles(folder: string, faults: string[]): Map<string, FoundFile> {
  const found = new Map<string, FoundFile>();
  const root = asked(() => realpathSync(folder));
  const names = root === null ? null : asked(() => readdirSync(root));
  if (root === null || names === null) {
    faults.push('there is no such folder, or it cannot be read');
    return found;
  }
  const served = names.filter((name) => !name.startsWith('.') && !/\.map(?:\.gz|\.br)?$/.test(name)).sort();
  if (served.length > MOST_FILES) {
    faults.push(`it holds ${served.length} files; at most ${MOST_FILES} are served`);
    return found;
  }
  for (const name of served) {
    const path = asked(() => realpathSync.native(join(root, name)));
    if (!NAME.test(name)) faults.push(`${JSON.stringify(name)} has letters that no address of a page has`);
    else if (path === null || asked(() => accessSync(path, constants.R_OK)) === null)
      faults.push(`${name} cannot be read`);
    else if (!path.startsWith(root + sep)) faults.push(`${name} is a link that leads out of the folder`);
    else {
      const status = statSync(path, { bigint: true });
      if (status.isFile()) found.set(name, { path, status });
      else faults.push(`${name} is no file: the files of pages lie side by side`);
    }
  }
  return found;
}

/** Null when the file system refuses. */
function asked<T>(ask: () => T): T | null {
  try {
    return ask();
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === undefined) throw fault;
    return null;
  }
}
