/** How much memory the engine of the embedded event store gets. */
import { totalmem } from 'node:os';

/** The share of the memory that the engine may take: the rest is for JavaScript, ids of events, and the system's cache of files. */
const LARGEST_SHARE = 0.5;
const MEGABYTE = 1_000_000;

/** What the process may use, in bytes: the machine's memory, or the limit of its container where that is less. */
export function availableMemory(): number {
  // 0, or more than any machine has, where there is no limit.
  const limit = process.constrainedMemory() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/** Megabytes of the engine: `wanted`, and at most half of `available` (bytes). */
export function engineMegabytes(wanted: number, available: number): number {
  return Math.min(wanted, Math.floor((available * LARGEST_SHARE) / MEGABYTE));
}
