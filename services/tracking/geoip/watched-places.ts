/** Keeps a place database loaded: reads it at startup, and again when the file is replaced. */
import { readFile, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import { type LocateAddress, type PlaceDatabase, readPlaceDatabase } from './place-database.ts';

/** How often the file is checked for replacement, in milliseconds. */
const LOOKS_EVERY_MS = 5_000;

export interface WatchedPlaces {
  readonly locate: LocateAddress;
  /** Reads the file again if it was replaced; an invalid one is logged, and the previous one stays in use. */
  check(): Promise<void>;
  close(): void;
}

/** Distinguishes one file at a path from the next. */
type Mark = string;

/** Watches until closed. @throws Error that names the file and says what is wrong with it */
export async function watchPlaces(path: string, logger: Logger): Promise<WatchedPlaces> {
  let mark = '';
  let database: PlaceDatabase;
  try {
    mark = await markOf(path);
    database = readPlaceDatabase(await readFile(path));
  } catch (cause) {
    throw new Error(`GEOIP_FILE="${path}" cannot be used: ${reasonOf(cause)}`, { cause });
  }
  tell('the place database is loaded');

  function tell(text: string): void {
    logger.info({ path, type: database.type, builtAt: database.builtAt }, text);
  }

  async function look(): Promise<void> {
    let found: Mark = 'missing';
    try {
      found = await markOf(path);
      if (found === mark) return;
      const next = readPlaceDatabase(await readFile(path));
      // If it was replaced again in the meantime, the next check reads it.
      mark = found;
      database = next;
      tell('the place database was replaced and is reloaded');
    } catch (fault) {
      if (found === mark) return;
      mark = found;
      logger.error({ path, err: fault }, 'the place database cannot be used: the previous one stays in use');
    }
  }

  let looking: Promise<void> | null = null;
  const check = (): Promise<void> => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  const timer = setInterval(check, LOOKS_EVERY_MS);
  timer.unref();
  return { locate: (address) => database.locate(address), check, close: () => clearInterval(timer) };
}

async function markOf(path: string): Promise<Mark> {
  const { ino, size, mtimeMs } = await stat(path);
  return `${ino} ${size} ${mtimeMs}`;
}

/** The reason without the path, which precedes it. */
function reasonOf(fault: unknown): string {
  if (!(fault instanceof Error)) return String(fault);
  const { code } = fault as NodeJS.ErrnoException;
  if (code === 'ENOENT') return 'there is no such file';
  return code === undefined ? fault.message : `it cannot be read (${code})`;
}
