/** How many files and sockets this process may open, and how many of them are left for client connections. */
import { readFileSync } from 'node:fs';

/** Where Linux shows the limits of a process. */
const LIMITS_FILE = '/proc/self/limits';

/** For systems that do not show it: the least that most of them allow once Node has raised its limit. */
const ASSUMED = 4_096;

/** Reserve for files of the stores, connections to services and stores, and what these open under load. */
const RESERVE = 2_048;
/** Above this, memory is the limit, not files: each connection holds buffers. */
const MOST_BY_DEFAULT = 16_384;
/** Default maximum per address, and its share of the total where that is small. */
const MOST_PER_ADDRESS = 1_024;
const PART_PER_ADDRESS = 4;

/** The text of {@link LIMITS_FILE}; null if it does not exist. */
function readLimits(): string | null {
  try {
    return readFileSync(LIMITS_FILE, 'latin1');
  } catch {
    return null;
  }
}

/** The number of files this process may open. `limits`: the text Linux shows. */
export function openFileLimit(limits: string | null = readLimits()): number {
  const soft = /^Max open files\s+(\d+|unlimited)\s/m.exec(limits ?? '')?.[1];
  if (soft === 'unlimited') return Number.MAX_SAFE_INTEGER;
  return soft === undefined ? ASSUMED : Number(soft);
}

/** Default maximum of client connections: the open files less a reserve, or half of them if there are few. */
export function defaultConnections(openFiles: number): number {
  const left = Math.max(openFiles - RESERVE, Math.floor(openFiles / 2));
  return Math.max(1, Math.min(left, MOST_BY_DEFAULT));
}

/** Default maximum of connections per address. */
export function defaultConnectionsPerAddress(connections: number): number {
  return Math.max(1, Math.min(MOST_PER_ADDRESS, Math.ceil(connections / PART_PER_ADDRESS)));
}
