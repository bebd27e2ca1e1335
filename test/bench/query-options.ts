/** The options of the query bench, checked: all faults at once. */
import { parseArgs } from 'node:util';
import { UsageError } from './bench-options.ts';
import { ENGINE_NAMES, type EngineName, USUAL_ENGINES } from './query-engine.ts';

export interface QueryOptions {
  readonly events: number;
  /** Measured rounds, in each of which every engine is asked for every website. */
  readonly runs: number;
  /** Length of each measurement while events come in; 0: none. */
  readonly seconds: number;
  readonly engines: readonly EngineName[];
  readonly arrivalOrder: boolean;
  /** Folder that keeps the loaded engines for further runs; null: a temporary one. */
  readonly dataFolder: string | null;
  /** Folder for a CPU profile of Tidegate; null: none. */
  readonly profileFolder: string | null;
  readonly json: boolean;
  readonly help: boolean;
}

export const QUERY_USAGE = `Usage: npm run bench:query -- [options]
  --events N       generated events, 10000..50000000 (default 1000000)
  --runs N         measured rounds, 1..50 (default 7)
  --seconds N      length of each measurement while events come in, 0..60 (default 10; 0: none)
  --engines LIST   of ${ENGINE_NAMES.join(', ')} (default ${USUAL_ENGINES.join(',')}); tidegate is always among them
  --arrival-order  store the events as they come in, instead of by website and time
  --data DIR       keep the loaded engines in DIR, and use them again when it holds them
  --profile DIR    write a CPU profile of Tidegate to DIR; its figures are not comparable
  --json           print one JSON document instead of the tables
  --help           print this`;

/** @throws UsageError that names every fault */
export function readQueryOptions(args: readonly string[]): QueryOptions {
  const { values } = parse(args);
  const faults: string[] = [];
  const whole = (name: 'events' | 'runs' | 'seconds', least: number, most: number): number => {
    const value = /^\d{1,9}$/.test(values[name]) ? Number(values[name]) : Number.NaN;
    if (!(value >= least && value <= most)) {
      faults.push(`--${name}: "${values[name]}" is not a whole number from ${least} to ${most}`);
    }
    return value;
  };
  const named = values.engines.split(',');
  const unknown = named.filter((name) => !ENGINE_NAMES.some((engine) => engine === name));
  for (const name of unknown) faults.push(`--engines: "${name}" is none of ${ENGINE_NAMES.join(', ')}`);
  const options: QueryOptions = {
    events: whole('events', 10_000, 50_000_000),
    runs: whole('runs', 1, 50),
    seconds: whole('seconds', 0, 60),
    engines: ENGINE_NAMES.filter((engine) => engine === 'tidegate' || named.includes(engine)),
    arrivalOrder: values['arrival-order'],
    dataFolder: values.data ?? null,
    profileFolder: values.profile ?? null,
    json: values.json,
    help: values.help,
  };
  if (faults.length > 0) throw new UsageError(faults.join('\n'));
  return options;
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        events: { type: 'string', default: '1000000' },
        runs: { type: 'string', default: '7' },
        seconds: { type: 'string', default: '10' },
        engines: { type: 'string', default: USUAL_ENGINES.join(',') },
        'arrival-order': { type: 'boolean', default: false },
        data: { type: 'string' },
        profile: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
