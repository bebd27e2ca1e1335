/** Runs `tidegate copy` as a process of its own: to its end with its memory watched, or until it is killed once so many events are stored. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { COPY_COLLECTION, type CopyState } from '../../services/shared/storage/mongodb/copy/copy-state.ts';
import { startFaultProxy } from './fault-proxy.ts';
import { mongodbKind } from './mongodb/mongodb-server.ts';
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

/**
 * Kills it while it has at least so many events, by its own account, and no word that it has more comes through. Events that
 * are stored by that account. @throws Error when it ended before
 */
export async function killCopyAfter(events: number, environment: Environment): Promise<number> {
  const told = (): Promise<number> =>
    withDatabase(environment.MONGODB_URI, async (database) => {
      const state = await database.collection<CopyState>(COPY_COLLECTION).findOne();
      return state?.events ?? 0;
    });
  const way = await wayTo(environment.MONGODB_URI, async () => (await told()) >= events);
  const child = spawn(process.execPath, [MAIN, 'copy', '--from', 'embedded', '--to', 'mongodb'], {
    stdio: 'ignore',
    env: { ...environment, MONGODB_URI: way.uri },
  });
  const exited = once(child, 'exit');
  while (child.exitCode === null && !(await way.isReached())) await pause(20);
  child.kill('SIGKILL');
  const [code] = await exited;
  await way.close();
  if (code !== null) throw new Error(`the copy ended with ${code} before it had ${events} events`);
  return told();
}

interface Way {
  readonly uri: string;
  readonly isReached: () => Promise<boolean>;
  close(): Promise<void>;
}

/** Where a copy reaches the database: its account of itself arrives there until `isReached`, however late a test looks. */
async function wayTo(uri: string, isReached: () => Promise<boolean>): Promise<Way> {
  // Several hosts do not go through one proxy: there the copy is as fast as it likes.
  if (mongodbKind() === 'given') return { uri, isReached, close: async () => undefined };
  const url = new URL(uri);
  const proxy = await startFaultProxy(Number(url.port));
  let isHeld = false;
  await proxy.set({
    async holds(request) {
      if (!isHeld && request.includes(COPY_COLLECTION) && (await isReached())) isHeld = true;
      return isHeld;
    },
  });
  url.port = String(proxy.port);
  return { uri: url.href, isReached: async () => isHeld, close: () => proxy.close() };
}
