/** Runs the built command line as a process of its own. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../../gateway/cli/main.js', import.meta.url));

export interface CliOutcome {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

/** Runs `tidegate` with these arguments and nothing but these settings in its environment, in the folder `cwd`. */
export function runCli(
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
