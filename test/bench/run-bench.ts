/** Runs a bench as a program: its processes and folder go when it ends, and its exit code says how it ended. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UsageError } from './bench-options.ts';
import { type BenchProcesses, createBenchProcesses } from './bench-processes.ts';
import { MissingRequirement } from './target.ts';

const EXIT_FAILED = 1;
const EXIT_UNUSABLE = 2;

/** `bench` takes the arguments of the command line; `usage` is shown after a fault in them. */
export async function runBench(
  usage: string,
  bench: (args: readonly string[], processes: BenchProcesses, folder: string) => Promise<void>,
): Promise<void> {
  const processes = createBenchProcesses();
  const folder = mkdtempSync(path.join(tmpdir(), 'tidegate-bench-'));
  process.once('SIGINT', () => void processes.stopAll()).once('SIGTERM', () => void processes.stopAll());
  try {
    await bench(process.argv.slice(2), processes, folder);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    if (error instanceof UsageError) console.error(`\n${usage}`);
    const isUnusable = error instanceof UsageError || error instanceof MissingRequirement;
    process.exitCode = isUnusable ? EXIT_UNUSABLE : EXIT_FAILED;
  } finally {
    await processes.stopAll();
    rmSync(folder, { recursive: true, force: true });
  }
}
