/** Runs the writing process of `append-until-killed.ts`, kills it with SIGKILL in full flight, and tells what it acknowledged. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('./append-until-killed.js', import.meta.url));

/** The line by which the process tells that a compaction came to its end. */
export const COMPACTED = 'compacted';

/**
 * `path` is the file, or the connection string. The numbers that were acknowledged before the process died: at least
 * `atLeast`, of `compacted-events` with one compaction done and the next ones under way.
 */
export async function killWhileWriting(
  kind: 'documents' | 'mongodb-documents' | 'events' | 'compacted-events' | 'wiped-events' | 'mongodb-events',
  path: string,
  atLeast: number,
): Promise<number[]> {
  const child = spawn(process.execPath, [SCRIPT, kind, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const acknowledged: number[] = [];
  let isCompacted = kind !== 'compacted-events';
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === COMPACTED) isCompacted = true;
    else acknowledged.push(Number(line));
    if (isCompacted && acknowledged.length >= atLeast) child.kill('SIGKILL');
  }
  await exited;
  if (acknowledged.length < atLeast) throw new Error(`the writer ended after ${acknowledged.length} writes`);
  return acknowledged;
}

/** Runs JavaScript in a process of its own, with `environment` in place of this one's when given; returns what it printed. */
export async function outputOfProcess(code: string, environment?: Record<string, string>): Promise<string> {
  const child: ChildProcess = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: environment,
  });
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  await once(child, 'close');
  return output;
}
