/** For what a real clock and the UTC day of the events decide together. */
import { setTimeout as sleep } from 'node:timers/promises';

const DAY_MS = 86_400_000;

/** Resolves when the UTC day lasts `neededMs` more: at once, but for a moment before midnight. */
export async function restOfDay(neededMs: number): Promise<void> {
  const leftMs = DAY_MS - (Date.now() % DAY_MS);
  if (leftMs < neededMs) await sleep(leftMs + 10);
}
