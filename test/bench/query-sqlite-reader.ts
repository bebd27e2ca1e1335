/** One process of the query bench that reads SQLite: takes a question by message, answers its rows as texts. */
import Database from 'libsql';
import { SQLITE_BATCH } from './query-sql.ts';
import type { ReaderQuestion } from './query-sqlite.ts';
import { BATCH, type BatchDataset } from './query-workload.ts';

const file = process.argv[2];
if (file === undefined) throw new Error('the file to read is missing');
const database = new Database(file, { readonly: true });
for (const pragma of ['cache_size = -524288', 'mmap_size = 8000000000', 'temp_store = MEMORY'])
  database.pragma(pragma);
const statements = new Map(
  BATCH.map((name: BatchDataset) => [name, database.prepare(SQLITE_BATCH[name]).raw()]),
);

process.on('message', ({ dataset, websiteId, from, to }: ReaderQuestion) => {
  try {
    const rows = (statements.get(dataset)?.all(websiteId, from, to) ?? []) as (string | number | null)[][];
    process.send?.({ rows: rows.map((row) => row.map(String)) });
  } catch (error) {
    process.send?.({ fault: String(error) });
  }
});
process.on('disconnect', () => process.exit());
