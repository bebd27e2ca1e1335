/** What stands in for the table of events in a statement: files and tables, with names that may hold anything. */
import { expect } from 'chai';
import { overSource } from '../../../../../../services/shared/storage/duckdb/columns/events-source.ts';

const PARTITION = { organizationId: "org'a", websiteId: 'web_a' };

describe('the source of a statement', () => {
  it('comes first, before the expressions of the statement itself', () => {
    const nothing = { files: [], tables: [], partition: null };
    expect(overSource('SELECT 1 FROM events', nothing)).to.match(
      /^WITH events AS .* WHERE false\) SELECT 1 FROM events$/,
    );
    expect(overSource('WITH e AS (SELECT 1) SELECT * FROM e', nothing)).to.match(
      /^WITH events AS NOT MATERIALIZED \(.*\), e AS \(SELECT 1\) SELECT \* FROM e$/,
    );
  });

  it('names files and tables, and reads no column that the files of one partition share', () => {
    const source = {
      files: ["/tmp/it's.parquet", '/b.parquet'],
      tables: ['tail_1.events'],
      partition: PARTITION,
    };
    const sql = overSource('FROM events', source);
    expect(sql).to.include("read_parquet(['/tmp/it''s.parquet', '/b.parquet']");
    expect(sql).to.include(`'org''a' AS "organization_id"`);
    expect(sql).to.include(`'web_a' AS "website_id"`);
    expect(sql.match(/UNION ALL/g)).to.have.length(1);
    const ownEvents = { ...source, partition: { ...PARTITION, websiteId: null } };
    expect(overSource('FROM events', ownEvents)).to.include('NULL::VARCHAR AS "website_id"');
    expect(overSource('FROM events', { ...source, partition: null })).not.to.include("org''a");
  });
});
