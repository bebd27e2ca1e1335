/** Builds a program that others publish as a Go module, at the version named here, where go is present and the module is served. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import type { BenchProcesses } from './bench-processes.ts';
import { MissingRequirement } from './target.ts';

/** Where the benches keep what they build or install for every copy of the project; a folder may be removed at any time. */
export const KEPT_PROGRAMS = path.join(homedir(), '.cache/tidegate-bench');
/** Seconds that go may take to fetch and build. */
const BUILD_SECONDS = 900;

export interface GoProgram {
  /** What people call it. */
  readonly title: string;
  readonly module: string;
  readonly version: string;
  /** Folder of the program in the module. */
  readonly program: string;
}

const downloadSchema = z.object({ Dir: z.string().min(1) });

/**
 * The program's file, built before when it is not there. What could not be had once is not asked for again.
 * @throws MissingRequirement that says why
 */
export async function buildGoProgram(
  processes: BenchProcesses,
  what: GoProgram,
  kept: string = KEPT_PROGRAMS,
): Promise<string> {
  const { title, module, version, program } = what;
  const folder = path.join(kept, `${path.basename(program)}-${version}`);
  const [file, refusal] = [path.join(folder, path.basename(program)), path.join(folder, 'refused.txt')];
  if (existsSync(file)) return file;
  if (existsSync(refusal)) throw new MissingRequirement(readFileSync(refusal, 'utf8'));
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).error !== undefined) {
    throw new MissingRequirement(`${title} is built with go, which is not installed.`);
  }
  mkdirSync(folder, { recursive: true });
  console.error(`building ${title} ${version} with go (once, at most ${BUILD_SECONDS / 60} minutes) …`);
  const go = (args: readonly string[], cwd: string) =>
    processes.run('timeout', [String(BUILD_SECONDS), 'go', ...args], { processor: null, cwd });
  try {
    // Said once more as JSON, which has the folder; faults come as text.
    await go(['mod', 'download', `${module}@${version}`], folder);
    const { Dir } = downloadSchema.parse(
      JSON.parse(await go(['mod', 'download', '-json', `${module}@${version}`], folder)),
    );
    // In the module's own folder its own go.mod and go.sum hold, replaced modules included.
    await go(['build', '-mod=readonly', '-trimpath', '-o', file, `./${program}`], Dir);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    const isRefused = /not available|403|404|410/.test(text);
    const reason = isRefused
      ? `${title} ${version} could not be built: the Go module proxy in use does not serve all of its modules.`
      : `${title} ${version} could not be built with go: ${text.trim().split('\n').at(-1)}`;
    if (isRefused) writeFileSync(refusal, reason);
    throw new MissingRequirement(reason);
  }
  return file;
}
