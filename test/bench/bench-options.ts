/** The options of the gateway bench, checked: all faults at once. */
import { parseArgs } from 'node:util';
import { TARGET_NAMES, type TargetName, USUAL_TARGETS } from './target.ts';

export interface BenchOptions {
  /** Length of one measured run, in seconds. */
  readonly seconds: number;
  /** Measured runs of each target with each method. */
  readonly runs: number;
  /** Connections that the load keeps open. */
  readonly connections: number;
  readonly targets: readonly TargetName[];
  /** Folder into which every target writes a CPU profile at its end; null: none. */
  readonly profileFolder: string | null;
  readonly json: boolean;
}

export const USAGE = `Usage: npm run bench:gateway -- [options]
  --seconds N      length of one measured run, 1..60 (default 2)
  --runs N         measured runs of each target with each method, 1..50 (default 7)
  --connections N  open connections of the load, 1..1024 (default 64)
  --targets LIST   of ${TARGET_NAMES.join(', ')} (default ${USUAL_TARGETS.join(',')})
  --profile DIR    write a CPU profile of each target to DIR; its figures are not comparable
  --json           print one JSON document instead of the tables
  --help           print this`;

/** Options that the bench does not understand; the text lists every fault. */
export class UsageError extends Error {}

/** The options of a command line, or null when it asks for help. @throws UsageError */
export function parseBenchOptions(args: readonly string[]): BenchOptions | null {
  const faults: string[] = [];
  const values = readValues(args);
  if (values.help) return null;

  function whole(name: 'seconds' | 'runs' | 'connections', fallback: number, max: number): number {
    const text = values[name];
    if (text === undefined) return fallback;
    const value = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    if (value < 1 || value > max) faults.push(`--${name}: "${text}" is not a whole number from 1 to ${max}`);
    return value;
  }
  const options: BenchOptions = {
    seconds: whole('seconds', 2, 60),
    runs: whole('runs', 7, 50),
    connections: whole('connections', 64, 1024),
    targets: targetsOf(values.targets, faults),
    profileFolder: values.profile ?? null,
    json: values.json ?? false,
  };
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return options;
}

function readValues(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        seconds: { type: 'string' },
        runs: { type: 'string' },
        connections: { type: 'string' },
        targets: { type: 'string' },
        profile: { type: 'string' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function targetsOf(list: string | undefined, faults: string[]): TargetName[] {
  if (list === undefined) return [...USUAL_TARGETS];
  const names = list.split(',');
  for (const name of names) {
    if (!TARGET_NAMES.some((target) => target === name)) {
      faults.push(`--targets: "${name}" is none of ${TARGET_NAMES.join(', ')}`);
    }
  }
  return TARGET_NAMES.filter((target) => names.includes(target));
}
