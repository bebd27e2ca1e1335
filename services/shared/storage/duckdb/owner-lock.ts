/**
 * One owner per event file: a second opener in the same process would silently lose acknowledged events, and the
 * engine's own file lock does not detect it. The lock is a file next to the data that names its holder.
 */
import { linkSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Two readings of one process's start differ by less than this, in milliseconds, where only its age is known. */
const START_TOLERANCE_MS = 5_000;

interface Holder {
  readonly pid: number;
  /** Distinguishes this process from a later one with the same pid: see {@link startOf}. */
  readonly start: string;
}

export interface OwnerLock {
  /** Releases the file; does nothing the second time. */
  release(): void;
}

/** The file is in use. */
export class OwnedElsewhereError extends Error {
  constructor(path: string, holder: Holder, lockPath: string) {
    const who = holder.pid === process.pid ? 'this process already' : `the process ${holder.pid}`;
    super(
      `The event store ${path} is in use by ${who}: one process opens it, once. Stop that process or use its API; ` +
        `if it is certain that no process uses the file, delete ${lockPath}.`,
    );
    this.name = 'OwnedElsewhereError';
  }
}

/**
 * Takes the lock of `path`, whose directory exists. A lock whose holder died is taken over. Everything here is
 * synchronous, so that nothing happens between the check and the take within a process; between processes the engine's
 * own file lock decides.
 * @throws OwnedElsewhereError
 */
export function takeOwnerLock(path: string): OwnerLock {
  const lockPath = join(realpathSync(dirname(path)), `${basename(path)}.lock`);
  const mine = JSON.stringify({ pid: process.pid, start: startOf(process.pid) ?? '' } satisfies Holder);
  if (!tryCreate(lockPath, mine)) {
    const holder = readHolder(lockPath);
    if (holder && isAlive(holder)) throw new OwnedElsewhereError(path, holder, lockPath);
    rmSync(lockPath, { force: true });
    if (!tryCreate(lockPath, mine)) {
      throw new OwnedElsewhereError(path, readHolder(lockPath) ?? { pid: 0, start: '' }, lockPath);
    }
  }
  let held = true;
  return {
    release: () => {
      if (held) rmSync(lockPath, { force: true });
      held = false;
    },
  };
}

/** Creates `lockPath` with the whole text in one step; false when it exists. */
function tryCreate(lockPath: string, text: string): boolean {
  const draft = `${lockPath}.${process.pid}`;
  writeFileSync(draft, text, { mode: 0o600 });
  try {
    linkSync(draft, lockPath);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

function readHolder(lockPath: string): Holder | null {
  try {
    const value: unknown = JSON.parse(readFileSync(lockPath, 'utf8'));
    if (typeof value !== 'object' || value === null || !('pid' in value) || !('start' in value)) return null;
    const { pid, start } = value;
    return typeof pid === 'number' && typeof start === 'string' ? { pid, start } : null;
  } catch {
    return null;
  }
}

/** Whether the process that wrote the lock is alive; a container may reuse its pid, so the start is compared too. */
function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    // EPERM: it is alive and belongs to another user.
    if (!(error instanceof Error && 'code' in error && error.code === 'EPERM')) return false;
  }
  const start = startOf(holder.pid);
  if (start === undefined) return true;
  if (start === '') return false;
  const [now, then] = [Number(start), Number(holder.start)];
  if (Number.isFinite(now) && Number.isFinite(then)) return Math.abs(now - then) < START_TOLERANCE_MS;
  return start === holder.start;
}

/**
 * Distinguishes a process from another with its pid: on Linux the boot and the tick of its start; elsewhere, for this
 * process, its start in epoch milliseconds. Undefined: not known. Empty: it has ended and waits to be reaped.
 */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may contain anything; the fields after it begin with the state, and the 20th is the start.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return '';
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`;
  } catch {
    return pid === process.pid ? String(Math.round(Date.now() - process.uptime() * 1000)) : undefined;
  }
}
