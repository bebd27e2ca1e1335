/** Runs `tidegate copy` as a process of its own and kills it with SIGKILL once so many events are stored. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CopyState } from '../../services/shared/storage/mongodb/copy/copy-state.ts';
import { withDatabase } from './installation-contents.ts';

const MAIN = fileURLToPath(new URL('../../gateway/cli/main.js', import.meta.url));

/** Events that are stored according to the copy's own account. @throws Error when it ended before */
export async function killCopyAfter(
  events: number,
  environment: { readonly DATA_DIR: string; readonly MONGODB_URI: string },
): Promise<number> {
  const child = spawn(process.execPath, [MAIN, 'copy', '--from', 'embedded', '--to', 'mongodb'], {
    stdio: 'ignore',
    env: { ...environment },
  });
  const exited = once(child, 'exit');
  await withDatabase(environment.MONGODB_URI, async (database) => {
    const states = database.collection<CopyState>('tidegate_copy');
    while (child.exitCode === null && ((await states.findOne())?.events ?? -1) < events) await pause(5);
  });
  child.kill('SIGKILL');
  const [code] = await exited;
  if (code !== null) throw new Error(`the copy ended with ${code} before it had ${events} events`);
  return withDatabase(environment.MONGODB_URI, async (database) => {
    const state = await database.collection<CopyState>('tidegate_copy').findOne();
    return state?.events ?? 0;
  });
}
