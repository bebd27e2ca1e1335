/** How much memory the engine of the embedded event store gets. */
import { totalmem } from 'node:os';

/** The share of the memory that the engine may take: the rest is for everything else of the process, custom SQL, and the system's cache. */
const LARGEST_SHARE = 0.5;
const MEGABYTE = 1_000_000;

/** Megabytes of the engine: `wanted`, and at most half of what the process may use. */
export function engineMegabytes(wanted: number): number {
  return shareOf(wanted, process.constrainedMemory() ?? 0, totalmem());
}

/** The same; `limit`: that of the container in bytes, 0 or more than the machine has where there is none; `machine`: memory in bytes. */
export function shareOf(wanted: number, limit: number, machine: number): number {
  const usable = limit > 0 ? Math.min(limit, machine) : machine;
  return Math.min(wanted, Math.floor((usable * LARGEST_SHARE) / MEGABYTE));
}
