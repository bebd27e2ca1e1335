/** Parquet files: every value comes back, whatever columns are called, and nothing stays on the disk. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { ParquetColumn, ParquetRow } from '../../../../../services/shared/ports/parquet-files.ts';
import { DuckDbParquetFiles } from '../../../../../services/shared/storage/duckdb/parquet-files.ts';
import { HOSTILE_TEXTS } from '../../../../support/hostile-texts.ts';
import { readParquet } from '../../../../support/read-parquet.ts';
import { createTempDirectory, type TempDirectory } from '../../../../support/temp-directory.ts';

const NEVER = new AbortController().signal;

async function* inBatches(...batches: readonly ParquetRow[][]) {
  yield* batches;
}

async function collect(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const piece of pieces) parts.push(piece);
  return Buffer.concat(parts);
}

describe('Parquet files', () => {
  let directory: TempDirectory;
  let files: DuckDbParquetFiles;
  let root: string;
  beforeEach(() => {
    directory = createTempDirectory();
    root = directory.file('files');
    files = new DuckDbParquetFiles(root);
  });
  afterEach(async () => {
    await files.close();
    directory.remove();
  });

  const left = () => readdirSync(join(root, '0'));

  it('hold every value in its type, in order, over several batches', async () => {
    const columns: ParquetColumn[] = [
      { name: 'text', type: 'VARCHAR' },
      { name: 'count', type: 'BIGINT' },
      { name: 'number', type: 'DOUBLE' },
      { name: 'flag', type: 'BOOLEAN' },
      { name: 'at', type: 'TIMESTAMP' },
    ];
    const at = Date.parse('2025-03-01T10:00:00.123Z');
    const texts = HOSTILE_TEXTS.map((text, index): ParquetRow => [text, index, index / 8, true, at + index]);
    const pieces = await files.make(columns, inBatches(texts, [], [[null, null, null, null, null]]), NEVER);
    const { columns: types, rows } = await readParquet(await collect(pieces));
    expect(types).to.deep.equal({
      text: 'VARCHAR',
      count: 'BIGINT',
      number: 'DOUBLE',
      flag: 'BOOLEAN',
      at: 'TIMESTAMP',
    });
    expect(rows.map(({ text }) => text)).to.deep.equal([...HOSTILE_TEXTS, null]);
    expect(rows[1]).to.include({ count: '1', number: 0.125, flag: true, at: '2025-03-01 10:00:00.124' });
    expect(rows.at(-1)).to.deep.equal({ text: null, count: null, number: null, flag: null, at: null });
  });

  it('take any text as the name of a column, two alike but for case too', async () => {
    const names = ['properties.a"b', "'; DROP TABLE part; --", 'Name', 'name', 'ünï 😀'];
    const columns = names.map((name): ParquetColumn => ({ name, type: 'VARCHAR' }));
    const pieces = await files.make(columns, inBatches([names]), NEVER);
    const { columns: types, rows } = await readParquet(await collect(pieces));
    const shown = ['properties.a"b', "'; DROP TABLE part; --", 'Name', 'name_2', 'ünï 😀'];
    expect(Object.keys(types)).to.deep.equal(shown);
    expect(Object.values(rows[0] ?? {})).to.deep.equal(names);
  });

  it('leave nothing on the disk: read, left half way, or failed', async () => {
    const columns: ParquetColumn[] = [{ name: 'text', type: 'VARCHAR' }];
    const rows = Array.from({ length: 5_000 }, (_, index): ParquetRow => [`${index} ${Math.random()}`]);
    await collect(await files.make(columns, inBatches(rows), NEVER));
    for await (const _piece of await files.make(columns, inBatches(rows), NEVER)) break;
    async function* failing() {
      yield rows;
      throw new Error('no more rows');
    }
    let failed: unknown;
    await files.make(columns, failing(), NEVER).catch((fault: unknown) => {
      failed = fault;
    });
    expect(failed).to.have.property('message', 'no more rows');
    expect(left()).to.deep.equal([]);
  });

  it('end with their caller, while waiting and while being made', async () => {
    const columns: ParquetColumn[] = [{ name: 'text', type: 'VARCHAR' }];
    const ended = new AbortController();
    let pulled = 0;
    async function* endless(): AsyncGenerator<ParquetRow[]> {
      for (;;) {
        pulled += 1;
        if (pulled === 3) ended.abort(new Error('left'));
        yield [['row']];
      }
    }
    const made = files.make(columns, endless(), ended.signal).catch((fault: Error) => fault.message);
    const waiting = files.make(columns, endless(), ended.signal).catch((fault: Error) => fault.message);
    expect(await Promise.all([made, waiting])).to.deep.equal(['left', 'left']);
    expect(pulled).to.equal(3);
    expect(left()).to.deep.equal([]);
  });

  it('close quietly when their folder is gone', async () => {
    await files.make([{ name: 'a', type: 'BIGINT' }], inBatches([[1]]), NEVER);
    rmSync(root, { recursive: true });
    await files.close();
  });

  it('remove what a killed process left, and never what a living one makes', async () => {
    await files.make([{ name: 'a', type: 'BIGINT' }], inBatches([[1]]), NEVER);
    await files.close();
    mkdirSync(join(root, '0', 'left'), { recursive: true });
    writeFileSync(join(root, '0', 'left', 'rows.parquet'), 'half');
    const [next, other] = [new DuckDbParquetFiles(root), new DuckDbParquetFiles(root)];
    try {
      const columns: ParquetColumn[] = [{ name: 'a', type: 'BIGINT' }];
      const both = [next, other].map(async (each) =>
        readParquet(await collect(await each.make(columns, inBatches([[7]]), NEVER))),
      );
      for (const { rows } of await Promise.all(both)) expect(rows).to.deep.equal([{ a: '7' }]);
      expect(left()).to.deep.equal([]);
      expect(readdirSync(root).filter((name) => /^\d+$/.test(name))).to.have.members(['0', '1']);
    } finally {
      await next.close();
      await other.close();
    }
  });
});
