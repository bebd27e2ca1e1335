/** Starts all parts of a process or none, and closes them in the reverse order of their start. */
import type { Logger } from 'pino';

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
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) {
      await closer().catch((fault: unknown) => logger.error({ err: fault }, 'a part did not close'));
    }
  };
  try {
    return { ...(await start(closers)), close };
  } catch (fault) {
    await close();
    throw fault;
  }
}
