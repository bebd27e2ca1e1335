/** Starts all parts of a process or none, and closes them in the reverse order of their start. */
import type { Logger } from 'pino';
import { closeAll } from '../serve/close-all.ts';

/** Each started part pushes the function that closes it. */
export type Closers = (() => Promise<unknown>)[];

/**
 * The result of `start`, with a function that closes it. If `start` fails, the parts it began are closed and its error is
 * rethrown. A part that fails to close is logged, and the others still close.
 */
export async function allOrNothing<T>(
  logger: Logger,
  start: (closers: Closers) => Promise<T>,
): Promise<T & { close(): Promise<void> }> {
  const closers: Closers = [];
  const close = (): Promise<void> => closeAll(closers, logger);
  try {
    return { ...(await start(closers)), close };
  } catch (fault) {
    await close();
    throw fault;
  }
}
