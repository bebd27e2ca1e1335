/** Runs promtool, which reads rules as Prometheus does. */
import { spawnSync } from 'node:child_process';

/** Skips the suite with its reason printed when there is none. */
export function requirePromtool(suite: { skip(): never }): void {
  if (spawnSync('promtool', ['--version']).error === undefined) return;
  process.stderr.write(
    "      skipped: it needs promtool (of Debian's package prometheus), then npm run test:all runs it\n",
  );
  suite.skip();
}

/** What it says. */
export function promtool(...args: readonly string[]): {
  readonly code: number | null;
  readonly output: string;
} {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
}
