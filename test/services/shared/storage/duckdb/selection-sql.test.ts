/** Selections as conditions of DuckDB: exactly the events that the port names, whatever texts they hold. */
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import type { EventSelection } from '../../../../../services/shared/ports/event-store.ts';
import { selectionSql } from '../../../../../services/shared/storage/duckdb/selection-sql.ts';

const ALL: EventSelection = { organizationId: 'org_a', websiteId: null, anonymousId: null };

/** Name, organization, website, visitor, profile, instant. */
const EVENTS = [
  ['plain', 'org_a', 'web_a', 'anon', 'prof', 1_000],
  ['nobody', 'org_a', null, null, null, 2_000],
  ['quote', 'org_a', 'web_b', "o'x", "p''", 3_000],
  ['before 1970', 'org_a', 'web_b', 'other', null, -1_000],
  ['stranger', 'org_b', 'web_a', 'anon', 'prof', 1_000],
] as const;

describe('a selection in DuckDB', () => {
  async function named(selection: Partial<EventSelection>): Promise<unknown[]> {
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    try {
      const rows = EVENTS.map(
        (_, i) =>
          `($${i * 6 + 1}, $${i * 6 + 2}, $${i * 6 + 3}, $${i * 6 + 4}, $${i * 6 + 5}, epoch_ms($${i * 6 + 6}::BIGINT))`,
      );
      await connection.run(
        'CREATE TABLE events (event_name VARCHAR, organization_id VARCHAR, website_id VARCHAR, anonymous_id VARCHAR, profile_id VARCHAR, "timestamp" TIMESTAMP)',
      );
      await connection.run(`INSERT INTO events VALUES ${rows.join(', ')}`, EVENTS.flat());
      const reader = await connection.runAndReadAll(
        `SELECT event_name FROM events WHERE ${selectionSql({ ...ALL, ...selection })} ORDER BY "timestamp" DESC`,
      );
      return reader.getRows().flat();
    } finally {
      connection.closeSync();
      instance.closeSync();
    }
  }

  it('is all of an organization, or of one website', async () => {
    expect(await named({})).to.deep.equal(['quote', 'nobody', 'plain', 'before 1970']);
    expect(await named({ websiteId: 'web_b' })).to.deep.equal(['quote', 'before 1970']);
  });

  it('is one visitor, one of some visitors, a person, or nobody', async () => {
    expect(await named({ anonymousId: 'anon' })).to.deep.equal(['plain']);
    expect(await named({ visitors: ["o'x", 'other', 'unknown'] })).to.deep.equal(['quote', 'before 1970']);
    expect(await named({ visitors: [] })).to.deep.equal([]);
    expect(await named({ profileId: "p''" })).to.deep.equal(['quote']);
    expect(await named({ profileId: null })).to.deep.equal(['nobody', 'before 1970']);
  });

  it('ends before an instant', async () => {
    expect(await named({ before: 2_000 })).to.deep.equal(['plain', 'before 1970']);
    expect(await named({ before: -1_000 })).to.deep.equal([]);
    expect(() => selectionSql({ ...ALL, before: 0.5 })).to.throw(TypeError, '0.5 is no instant');
  });

  it('lets no text end the condition', async () => {
    expect(await named({ anonymousId: "anon' OR 'a' = 'a" })).to.deep.equal([]);
    expect(await named({ anonymousId: 'anon\0' })).to.deep.equal([]);
    expect(await named({ visitors: ['\0', "o'x"] })).to.deep.equal(['quote']);
  });
});
