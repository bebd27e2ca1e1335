/** ClickHouse for the query bench: its engine in a process of Python (chdb), since no package registry has its server. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { BenchProcesses } from './bench-processes.ts';
import { KEPT_PROGRAMS } from './go-program.ts';
import { cpuMicroseconds, residentMegabytes } from './process-usage.ts';
import { type Answers, type QueryEngine, runSpread } from './query-engine.ts';
import { clickhouseBatch } from './query-sql.ts';
import { FILLED_COLUMNS, type Window } from './query-workload.ts';
import { MissingRequirement } from './target.ts';

const FOLDER = 'test/bench/clickhouse';
/** Seconds that pip may take. */
const INSTALL_SECONDS = 600;
/** Few different values: stored as such. */
const FEW_VALUES = [
  ...['event_name', 'referrer_group', 'country', 'region', 'browser_name', 'browser_version', 'os_name'],
  ...[
    'os_version',
    'device_type',
    'timezone',
    'language',
    'screen_resolution',
    'viewport_size',
    'metric_name',
  ],
];
const NUMBERS = ['time_on_page', 'scroll_depth', 'interaction_count', 'load_time', 'ttfb', 'metric_value'];

export interface ClickhouseOptions {
  readonly processes: BenchProcesses;
  /** Root of the project. */
  readonly root: string;
  /** For its data; loaded when it is not there. */
  readonly folder: string;
  /** The events, see query-events.ts. */
  readonly textFile: string;
  readonly window: Window;
  readonly onProgress: (text: string) => void;
}

/** Starts it, with the events in it. @throws MissingRequirement when it cannot be installed */
export async function startClickhouse(options: ClickhouseOptions): Promise<QueryEngine> {
  const python = await installClickhouse(options);
  const [data, loaded] = [path.join(options.folder, 'data'), path.join(options.folder, 'loaded')];
  if (!existsSync(loaded)) rmSync(options.folder, { recursive: true, force: true });
  mkdirSync(options.folder, { recursive: true });
  const child = spawn(python, [path.join(options.root, FOLDER, 'reader.py'), data], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const run = async (sql: string): Promise<string[][]> => {
    child.stdin.write(`${JSON.stringify({ sql })}\n`);
    const { value } = await answers.next();
    if (value === undefined) throw new Error('ClickHouse ended');
    const { rows, fault } = JSON.parse(value) as { rows?: string[][]; fault?: string };
    if (rows === undefined) throw new Error(`ClickHouse: ${fault}`);
    return rows;
  };
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  try {
    if (!existsSync(loaded)) {
      await loadEvents(run, options);
      writeFileSync(loaded, '');
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name: 'clickhouse',
    // One statement after the other: each uses every processor by itself.
    ask: (websiteId): Promise<Answers> => {
      const batch = clickhouseBatch(websiteId, options.window);
      return runSpread([run], (session, dataset) =>
        session(`${batch[dataset]} SETTINGS prefer_column_name_to_alias = 1`),
      );
    },
    cpuMicroseconds: () => cpuMicroseconds(Number(child.pid)),
    megabytes: () => residentMegabytes(Number(child.pid)),
    stop,
  };
}

/** The Python that has it, installed before into a folder of its own. */
async function installClickhouse({ processes, root }: ClickhouseOptions): Promise<string> {
  const requirements = path.join(root, FOLDER, 'requirements.txt');
  const folder = path.join(KEPT_PROGRAMS, readFileSync(requirements, 'utf8').trim().replace('==', '-'));
  const [python, complete] = [path.join(folder, 'bin/python'), path.join(folder, 'complete')];
  if (existsSync(complete)) return python;
  if (spawnSync('python3', ['--version'], { stdio: 'ignore' }).error !== undefined) {
    throw new MissingRequirement('ClickHouse comes as a package of Python (chdb), which is not installed.');
  }
  console.error(`installing ClickHouse (chdb) into ${folder} (once) …`);
  try {
    rmSync(folder, { recursive: true, force: true });
    const place = { processor: null };
    await processes.run('python3', ['-m', 'venv', folder], place);
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-input', '--only-binary=:all:', '-r', requirements];
    await processes.run('timeout', [String(INSTALL_SECONDS), python, ...pip], place);
    writeFileSync(complete, '');
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new MissingRequirement(
      `ClickHouse (chdb of pip) could not be installed: ${text.trim().split('\n').at(-1)}`,
    );
  }
  return python;
}

async function loadEvents(
  run: (sql: string) => Promise<unknown>,
  { textFile, onProgress }: ClickhouseOptions,
): Promise<void> {
  const columns = FILLED_COLUMNS.map((name) => `"${name}" ${typeOf(name)}`).join(', ');
  await run('CREATE DATABASE bench');
  await run(`CREATE TABLE bench.events (${columns}) ENGINE = MergeTree ORDER BY (website_id, "timestamp")`);
  onProgress('ClickHouse: INSERT from the file');
  const file = textFile.replaceAll("'", "\\'");
  await run(
    `INSERT INTO bench.events SELECT * FROM file('${file}', 'TSV', '${columns.replaceAll("'", "\\'")}')
     SETTINGS input_format_tsv_empty_as_default = 1, date_time_input_format = 'best_effort'`,
  );
  await run('OPTIMIZE TABLE bench.events FINAL');
}

function typeOf(column: string): string {
  if (column === 'timestamp') return "DateTime64(6, 'UTC')";
  if (column === 'is_bot') return 'Bool';
  if (column === 'website_id') return 'LowCardinality(String)';
  if (NUMBERS.includes(column)) return 'Nullable(Float64)';
  return FEW_VALUES.includes(column) ? 'LowCardinality(Nullable(String))' : 'Nullable(String)';
}
