/** Closes parts in the reverse order of their start, whatever one of them does. */
import type { Logger } from 'pino';

/** What closes one part. */
export type Closer = () => unknown;

/** Leaves `closers` empty. A part that fails to close is logged, and the others still close; never rejects. */
export async function closeAll(closers: Closer[], logger: Pick<Logger, 'error'>): Promise<void> {
  for (const close of closers.splice(0).reverse()) {
    try {
      await close();
    } catch (fault) {
      logger.error({ err: fault }, 'a part did not close');
    }
  }
}
