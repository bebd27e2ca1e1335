/** Groups of any size are stored alike: small ones go to the engine as rows, large ones as lists. */
import { expect } from 'chai';
import type { EventRecord } from '../../../../../services/shared/model/event-record.ts';
import { EventWriter } from '../../../../../services/shared/storage/duckdb/event-writer.ts';
import { openInstance } from '../../../../../services/shared/storage/duckdb/open-instance.ts';
import { EVENT_COLUMNS } from '../../../../../services/shared/storage/event-columns.ts';
import { eventRecord } from '../../../../support/event-record.ts';
import { createTempDirectory } from '../../../../support/temp-directory.ts';

const TEXTS = ['a "quoted" \\ text', '{"a":[1,{"b":null}]}', 'null', '', 'line\nbreak\u2028', '🙂', '12'];
const NUMBERS = {
  DOUBLE: [0.1, 0, 1e9, 1e-9],
  BIGINT: [0, 1e9],
  TIMESTAMP: [Date.UTC(2026, 6, 15, 12, 0, 0, 1)],
};

/** Events that between them have every column, most of which are null in each. */
function events(count: number): EventRecord[] {
  return Array.from({ length: count }, (_, i) => {
    const { name, type } = EVENT_COLUMNS[i % EVENT_COLUMNS.length] ?? expect.fail('no column');
    const value =
      type === 'VARCHAR'
        ? TEXTS[i % TEXTS.length]
        : type === 'BOOLEAN'
          ? i % 2 === 0
          : NUMBERS[type][i % NUMBERS[type].length];
    return eventRecord({ event_id: `event-${i}`, organization_id: 'org_a', [name]: value });
  });
}

describe('groups of events', () => {
  const directory = createTempDirectory();
  after(() => directory.remove());

  for (const count of [1, 2, 100, 101, 500]) {
    it(`of ${count} are stored as they are`, async () => {
      const { instance, connection } = await openInstance({
        path: directory.file(`${count}.duckdb`),
        memoryLimit: '256MB',
        threads: 1,
      });
      const writer = await EventWriter.create(connection);
      const written = events(count);
      await writer.insert(written, 1n);
      // The columns of the second group are known by now, and its form may be the other one.
      await writer.insert(written.slice(0, 3), 2n);
      const columns = EVENT_COLUMNS.map(({ name, type }) =>
        type === 'TIMESTAMP'
          ? `epoch_ms("${name}")::DOUBLE AS "${name}"`
          : type === 'BIGINT'
            ? `"${name}"::DOUBLE AS "${name}"`
            : `"${name}"`,
      ).join(', ');
      const stored = async (at: bigint) => {
        const sql = `SELECT ${columns} FROM events WHERE received_at = make_timestamp($1::BIGINT) ORDER BY rowid`;
        return (await connection.runAndReadAll(sql, [at])).getRowObjects();
      };
      expect(await stored(1n)).to.deep.equal(written);
      expect(await stored(2n)).to.deep.equal(written.slice(0, 3));
      writer.close();
      connection.closeSync();
      instance.closeSync();
    });
  }
});
