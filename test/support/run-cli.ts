/** Runs the command line, in this process or in one of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { runProgram } from '../../gateway/cli/create-program.ts';

const MAIN = fileURLToPath(new URL('../../gateway/cli/main.js', import.meta.url));

export interface CliOutcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/**
 * Runs `tidegate` with these arguments in this process, with nothing but these settings in its environment: much quicker
 * than a process of its own, for what does not hang on one.
 */
export async function runCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<CliOutcome> {
  let out = '';
  let error = '';
  const code = await runProgram(args, {
    out(text) {
      out += text;
    },
    error(text) {
      error += text;
    },
    environment,
  });
  return { code, out, error };
}

/** Runs it as a process of its own, in the folder `cwd`. */
export function runCliProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd?: string,
): Promise<CliOutcome> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [MAIN, ...args],
      { env: { ...environment }, cwd },
      (_, out, error) => {
        resolve({ code: child.exitCode ?? -1, out, error });
      },
    );
  });
}

/** Starts it, for who wants to end it; it writes nowhere. */
export function startCli(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], { env: { ...environment }, stdio: 'ignore' });
}
