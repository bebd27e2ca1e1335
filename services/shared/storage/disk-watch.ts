/** Checks the free disk space now and then, so that load shedding only reads a boolean. */
import { existsSync, statfsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import type { Logger } from 'pino';
import type { Metrics } from '../ports/metrics.ts';

/** How often it checks, in milliseconds: what is admitted in between must fit into the reserve. */
const LOOK_EVERY_MS = 2_000;

/** Whether little space is left. */
export interface Disk {
  isLow(): boolean;
}

export interface DiskWatch extends Disk {
  close(): void;
}

export interface DiskWatchOptions {
  /** A folder on the disk; if it does not exist yet, the nearest existing parent counts. */
  readonly directory: string;
  /** Free bytes below which the disk is low; 0: never. */
  readonly lowBytes: number;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  readonly metrics: Metrics;
  readonly everyMs?: number;
}

/**
 * Watches from now on; when the disk cannot be checked, the last result stands. The timer does not keep the process
 * alive.
 */
export function createDiskWatch(options: DiskWatchOptions): DiskWatch {
  const { lowBytes, logger, metrics, everyMs = LOOK_EVERY_MS } = options;
  if (lowBytes === 0) return { isLow: () => false, close() {} };
  const directory = existing(resolve(options.directory));
  let free = bytesFree(statfsSync(directory));
  let isLow = false;
  let isAsking = false;
  metrics.watch('tidegate_disk_free_bytes', 'Bytes free on the disk of DATA_DIR.', () => free);
  judge();

  function judge(): void {
    const wasLow = isLow;
    isLow = free < lowBytes;
    if (isLow === wasLow) return;
    const told = { directory, freeBytes: free, lowBytes };
    if (isLow) logger.warn(told, 'the disk is low: events without a key are refused, those with a key go on');
    else logger.info(told, 'the disk has room again: events without a key are taken');
  }

  async function look(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    try {
      free = bytesFree(await statfs(directory));
      judge();
    } catch (fault) {
      logger.warn({ err: fault, directory }, 'the disk cannot be asked how much room it has');
    } finally {
      isAsking = false;
    }
  }

  const timer = setInterval(look, everyMs);
  timer.unref();
  return {
    isLow: () => isLow,
    close: () => clearInterval(timer),
  };
}

/** What is available to users other than the superuser. */
function bytesFree({ bavail, bsize }: { readonly bavail: number; readonly bsize: number }): number {
  return bavail * bsize;
}

function existing(directory: string): string {
  let found = directory;
  while (!existsSync(found) && dirname(found) !== found) found = dirname(found);
  return found;
}
