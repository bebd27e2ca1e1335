/** How long a large configuration takes: `tidegate check` of it as a command, and its reload in a running gateway. */
import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import type { Closers } from '../../gateway/process/all-or-nothing.ts';
import { startConfigurationReload } from '../../gateway/process/reload/configuration-reload.ts';
import { PER_TEAM, teamFile, writeLargeConfiguration } from '../support/large-configuration.ts';
import { startGateway } from '../support/start-gateway.ts';
import { createTempDirectory } from '../support/temp-directory.ts';

const ROUNDS = 5;
const COMMAND = join(PACKAGE_ROOT, 'dist/gateway/cli/main.js');
const BACKEND = 'http://backend.invalid:4000';

async function timed(act: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await act();
  return Math.round(performance.now() - start);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

/** Runs `act`; the longest time that the event loop of this process stood still meanwhile, in milliseconds. */
async function longestStall(act: () => Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const beat = setInterval(() => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1);
  await act();
  // What the last step of the reload held up is told by the next beat.
  await new Promise((resolve) => setTimeout(resolve, 20));
  clearInterval(beat);
  return Math.round(longest);
}

async function measure(routes: number): Promise<Record<string, number>> {
  const folder = createTempDirectory();
  const directory = folder.file('config');
  writeLargeConfiguration(directory, routes, BACKEND);
  const checks: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    checks.push(await timed(() => promisify(execFile)(process.execPath, [COMMAND, 'check', directory])));
  }
  const gateway = await startGateway({ upstream: 'http://127.0.0.1:1', configDir: directory });
  const closers: Closers = [];
  try {
    const { reload } = await startConfigurationReload(gateway.reloadParts, closers);
    const file = teamFile(directory, 0);
    const text = readFileSync(file, 'utf8');
    const reloads: number[] = [];
    const stalls: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      writeFileSync(file, text.replaceAll('/team0/r0', `/team0/round${round}`));
      const stall = await longestStall(async () => {
        reloads.push(
          await timed(async () => {
            const result = await reload('bench');
            if (result.outcome === 'refused') throw result.fault;
          }),
        );
      });
      stalls.push(stall);
    }
    return {
      routes,
      'check, the command, median ms': median(checks),
      'reload, median ms': median(reloads),
      'longest stall of the event loop in a reload, median ms': median(stalls),
    };
  } finally {
    for (const close of closers) await close();
    await gateway.close();
    folder.remove();
  }
}

const sizes = process.argv.slice(2).map(Number);
const rows: Record<string, number>[] = [];
for (const routes of sizes.length > 0 ? sizes : [PER_TEAM, 1_000, 5_000]) rows.push(await measure(routes));
console.table(rows);
