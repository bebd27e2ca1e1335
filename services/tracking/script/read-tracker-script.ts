/** Reads the built script of the tracker, next to the compiled service. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Where the build writes it. */
export const TRACKER_SCRIPT = fileURLToPath(new URL('../tracker.js', import.meta.url));

/** The script. @throws Error when it was not built */
export async function readTrackerScript(): Promise<Uint8Array> {
  try {
    return await readFile(TRACKER_SCRIPT);
  } catch (cause) {
    throw new Error(`${TRACKER_SCRIPT} is missing: npm run build creates it`, { cause });
  }
}
