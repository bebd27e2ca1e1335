/** Writes the lines of the access log by threads of the system, never by the event loop: to the standard output, or a file that rotates. */
import { once } from 'node:events';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Logger, pino } from 'pino';
import type { AccessLogSettings } from '../../config/log-settings.ts';
import type { Metrics } from '../../services/shared/ports/metrics.ts';
import type { LineWriter } from '../serve/access-log/access-log.ts';
import type { Closers } from './all-or-nothing.ts';

/** Lines are written together once they are this long, in bytes, or after this time, in milliseconds. */
const BATCH_BYTES = 8_192;
const BATCH_MS = 1_000;
/** What waits while the target is slow or full, in bytes; further lines are dropped. */
const WAITING_BYTES = 8_388_608;
/** How long the last lines may take at the end, in milliseconds. */
const LAST_LINES_MS = 2_000;

/** Tells these lines from others on the standard output. */
const MARK = { log: 'access' };

type Destination = ReturnType<typeof pino.destination>;

/** Null when the setting is off. `closers` gets the function that writes what waits. @throws Error when the file cannot be written */
export async function openAccessLog(
  { target, fileBytes, files }: AccessLogSettings,
  { metrics, logger }: { readonly metrics: Metrics; readonly logger: Logger },
  closers: Closers,
): Promise<LineWriter | null> {
  const dropped = metrics
    .counter(
      'tidegate_access_log_dropped_total',
      'Lines of the access log that were dropped, since their target was slow, full or gone.',
      {},
    )
    .of({});
  if (target === 'off') return null;
  if (target !== 'stdout') await tryToWrite(target.file);
  const destination = pino.destination({
    dest: target === 'stdout' ? 1 : target.file,
    sync: false,
    append: true,
    mode: 0o600,
    minLength: BATCH_BYTES,
    maxLength: WAITING_BYTES,
    periodicFlush: BATCH_MS,
  });
  let stopRotating = async (): Promise<void> => undefined;
  if (target !== 'stdout') {
    await once(destination, 'ready');
    stopRotating = await rotate(destination, target.file, { fileBytes, files }, logger);
  }
  destination.on('drop', () => dropped.add());
  warnOfFaults(destination, logger);
  let isOver = false;
  closers.push(async () => {
    await Promise.race([stopRotating(), delay(LAST_LINES_MS, undefined, { ref: false })]);
    isOver = true;
    await end(destination);
  });
  const lines = pino(
    { level: 'info', base: null, timestamp: false, formatters: { level: () => MARK } },
    destination,
  );
  return {
    write(entry) {
      // A destination that has ended throws.
      if (isOver) dropped.add();
      else lines.info(entry);
    },
  };
}

/** A destination that could not be opened would fail later, and end the process. */
async function tryToWrite(file: string): Promise<void> {
  try {
    await mkdir(dirname(file), { recursive: true });
    await (await open(file, 'a', 0o600)).close();
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    throw new Error(`ACCESS_LOG=${JSON.stringify(file)} cannot be written: ${reason}`, { cause: fault });
  }
}

/**
 * Moves the file away when it is full, and begins the next; a line is never divided. What it returns ends that, so that the last
 * lines stand in the file of the present: a destination that ends begins no other.
 */
async function rotate(
  destination: Destination,
  file: string,
  { fileBytes, files }: Pick<AccessLogSettings, 'fileBytes' | 'files'>,
  logger: Logger,
): Promise<() => Promise<void>> {
  let size = (await stat(file)).size;
  let isMoving = false;
  let isOver = false;
  let moving: Promise<void> = Promise.resolve();
  async function move(): Promise<void> {
    for (let number = files - 1; number >= 1; number--)
      await rename(`${file}.${number}`, `${file}.${number + 1}`).catch(ifAbsent);
    await rename(file, `${file}.1`).catch(ifAbsent);
    await tryToWrite(file);
    destination.reopen();
    await once(destination, 'ready').catch((fault: unknown) => {
      // What waits for it would close, after the next success, what has the number of the old file then.
      destination.removeAllListeners('ready');
      throw fault;
    });
  }
  destination.on('write', (bytes: number) => {
    size += bytes;
    if (size < fileBytes || isMoving || isOver) return;
    isMoving = true;
    size = 0;
    moving = move()
      .catch((fault: unknown) => logger.error({ err: fault }, 'the access log could not begin its next file'))
      .finally(() => {
        isMoving = false;
      });
  });
  return () => {
    isOver = true;
    return moving;
  };
}

function ifAbsent(fault: NodeJS.ErrnoException): void {
  if (fault.code !== 'ENOENT') throw fault;
}

/** Once for each trouble, not for each attempt. */
function warnOfFaults(destination: Destination, logger: Logger): void {
  let isTold = false;
  destination.on('error', (fault: Error) => {
    if (!isTold)
      logger.error({ err: fault }, 'the access log cannot be written; its lines wait, then are dropped');
    isTold = true;
  });
  destination.on('write', () => {
    isTold = false;
  });
}

/** A target that takes nothing does not hold up the end. */
async function end(destination: Destination): Promise<void> {
  const closed = once(destination, 'close').catch(() => undefined);
  destination.end();
  await Promise.race([closed, delay(LAST_LINES_MS, undefined, { ref: false })]);
  destination.destroy();
}
