/** Runs `tidegate copy` as a process of its own: to its end with its memory watched, or until it is killed once so many events are stored. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CopyState } from '../../services/shared/storage/mongodb/copy/copy-state.ts';
import { withDatabase } from './mongodb/with-database.ts';

const MAIN = fileURLToPath(new URL('../../gateway/cli/main.js', import.meta.url));

type Environment = { readonly DATA_DIR: string; readonly MONGODB_URI: string };

export interface CopyRun {
  readonly code: number | null;
  readonly out: string;
  readonly error: string;
  /** The most memory that the process held, as far as Linux tells it; 0 elsewhere. */
  readonly peakBytes: number;
}

/** Runs it to its end, with --json. */
export async function runCopy(environment: Environment): Promise<CopyRun> {
  const child = spawn(process.execPath, [MAIN, 'copy', '--from', 'embedded', '--to', 'mongodb', '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment },
  });
  const out: string[] = [];
  const error: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => error.push(text));
  let peakBytes = 0;
  const watching = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(child.pid));
  }, 200);
  const [code] = await once(child, 'close');
  clearInterval(watching);
  return { code, out: out.join(''), error: error.join(''), peakBytes };
}

function peakOf(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/^VmHWM:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1_024;
  } catch {
    return 0;
  }
}

/** Events that are stored according to the copy's own account. @throws Error when it ended before */
export async function killCopyAfter(events: number, environment: Environment): Promise<number> {
  const child = spawn(process.execPath, [MAIN, 'copy', '--from', 'embedded', '--to', 'mongodb'], {
    stdio: 'ignore',
    env: { ...environment },
  });
  const exited = once(child, 'exit');
  await withDatabase(environment.MONGODB_URI, async (database) => {
    const states = database.collection<CopyState>('tidegate_copy');
    while (child.exitCode === null && ((await states.findOne())?.events ?? -1) < events) await pause(20);
  });
  child.kill('SIGKILL');
  const [code] = await exited;
  if (code !== null) throw new Error(`the copy ended with ${code} before it had ${events} events`);
  return withDatabase(environment.MONGODB_URI, async (database) => {
    const state = await database.collection<CopyState>('tidegate_copy').findOne();
    return state?.events ?? 0;
  });
}
