/** SQLite for the query bench: one file, loaded here, read by two processes so that a batch uses as many processors as others do. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream, existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { cpuMicroseconds, residentMegabytes } from './process-usage.ts';
import { type Answers, type QueryEngine, runSpread } from './query-engine.ts';
import type { BatchDataset, Window } from './query-workload.ts';
import { FILLED_COLUMNS } from './query-workload.ts';

const READERS = 2;
const READER_PROGRAM = fileURLToPath(new URL('./query-sqlite-reader.js', import.meta.url));
const PROGRESS_EVERY = 1_000_000;

/** What a reader is asked; `from` and `to` in epoch milliseconds. */
export interface ReaderQuestion extends Window {
  readonly dataset: BatchDataset;
  readonly websiteId: string;
}

export interface SqliteOptions {
  /** For the file; it is made when the folder does not hold it. */
  readonly folder: string;
  /** The events, see query-events.ts. */
  readonly textFile: string;
  readonly window: Window;
  readonly onProgress: (text: string) => void;
}

/** Starts the readers over a file with the events. */
export async function startSqlite(options: SqliteOptions): Promise<QueryEngine> {
  const file = path.join(options.folder, 'events.sqlite');
  if (!existsSync(file)) {
    mkdirSync(options.folder, { recursive: true });
    rmSync(`${file}.part`, { force: true });
    await loadEvents(`${file}.part`, options);
    renameSync(`${file}.part`, file);
  }
  const readers = Array.from({ length: READERS }, () => fork(READER_PROGRAM, [file]));
  const pids = readers.map((reader) => Number(reader.pid));
  return {
    name: 'sqlite',
    ask: (websiteId): Promise<Answers> =>
      runSpread(readers, (reader, dataset) => askReader(reader, { dataset, websiteId, ...options.window })),
    cpuMicroseconds: () => pids.reduce((sum, pid) => sum + cpuMicroseconds(pid), 0),
    megabytes: () => pids.reduce((sum, pid) => sum + residentMegabytes(pid), 0),
    async stop() {
      await Promise.all(
        readers.map(async (reader) => {
          if (reader.exitCode !== null || reader.signalCode !== null) return;
          const ended = once(reader, 'exit');
          reader.disconnect();
          await ended;
        }),
      );
    },
  };
}

async function askReader(reader: ChildProcess, question: ReaderQuestion): Promise<string[][]> {
  const settled = new AbortController();
  const { signal } = settled;
  const answered = once(reader, 'message', { signal });
  const ended = once(reader, 'exit', { signal }).then(() => [{ fault: 'a reader ended' }]);
  reader.send(question);
  const [answer] = (await Promise.race([answered, ended])) as [{ rows?: string[][]; fault?: string }];
  ended.catch(() => undefined);
  settled.abort();
  if (!answer.rows) throw new Error(`SQLite: ${answer.fault}`);
  return answer.rows;
}

/** Inserts in one transaction without waiting for the disk, then the index that the queries need and the statistics. */
async function loadEvents(file: string, { textFile, onProgress }: SqliteOptions): Promise<void> {
  const database = new Database(file);
  try {
    for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -262144'])
      database.pragma(pragma);
    database.exec(`CREATE TABLE events (${FILLED_COLUMNS.map((name) => `"${name}"`).join(', ')})`);
    const insert = database.prepare(
      `INSERT INTO events VALUES (${FILLED_COLUMNS.map((name) => CONVERSIONS[name] ?? '?').join(', ')})`,
    );
    database.exec('BEGIN');
    let events = 0;
    for await (const line of createInterface({
      input: createReadStream(textFile, { highWaterMark: 1 << 20 }),
    })) {
      insert.run(line.split('\t').map((value) => (value === '' ? null : value)));
      if (++events % PROGRESS_EVERY === 0) onProgress(`SQLite: ${events} events`);
    }
    database.exec('COMMIT');
    onProgress('SQLite: index on (website_id, timestamp), ANALYZE');
    database.exec('CREATE INDEX events_by_website ON events (website_id, "timestamp")');
    database.exec('ANALYZE');
  } finally {
    database.close();
  }
}

/** Instants become epoch milliseconds, the flag a number. */
const CONVERSIONS: Readonly<Record<string, string>> = {
  timestamp: `CAST(round(unixepoch(?, 'subsec') * 1000) AS INTEGER)`,
  is_bot: `? = 'true'`,
};
