/** Starts the parts of a process all or none, and ends them in the reverse order of their start. */
import type { Logger } from 'pino';

/** What was started pushes what ends it. */
export type Closers = (() => Promise<unknown>)[];

/**
 * What `start` gives, with what ends it. When it fails, what it began is closed again and its fault thrown. A part that
 * does not close is logged, and keeps no other from closing.
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
