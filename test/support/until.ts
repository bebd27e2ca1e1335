/** Waits for what another process does, by asking again and again; the test's own timeout is the bound. */
import { setTimeout as sleep } from 'node:timers/promises';

const PAUSE_MS = 50;
const LONGEST_MS = 120_000;

/** Resolves once `holds` does. @throws Error naming what was waited for, after two minutes */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + LONGEST_MS;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`waited in vain: ${what}`);
    await sleep(PAUSE_MS);
  }
}
