/** Installs what a bench compares with from a lock file of its own, so that nothing of it is a dependency of the project. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BenchProcesses } from './bench-processes.ts';
import { MissingRequirement } from './target.ts';

/** Installs the packages of `folder`, a path from the root, unless they are there. @throws MissingRequirement when that fails. */
export async function installFolder(what: {
  readonly processes: BenchProcesses;
  readonly root: string;
  readonly folder: string;
  /** What it is, for people. */
  readonly title: string;
}): Promise<void> {
  const cwd = path.join(what.root, what.folder);
  if (existsSync(path.join(cwd, 'node_modules/.package-lock.json'))) return;
  console.error(`installing ${what.title} into ${what.folder} (once) …`);
  try {
    await what.processes.run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
      processor: null,
      cwd,
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MissingRequirement(
      `${what.title} could not be installed; run "npm ci --ignore-scripts" in ${what.folder}, or leave it out with --targets.\n${reason}`,
    );
  }
}
