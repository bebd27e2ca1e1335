/** The SQL that finds an event's bucket: right at every edge, for even and uneven buckets, and small. */
import { expect } from 'chai';
import { bucketIndexSql } from '../../../../../services/query/stages/duckdb/bucket-sql.ts';
import { bucketsOf, GRANULARITIES, type TimeRange } from '../../../../../services/query/time/buckets.ts';
import { createZone } from '../../../../../services/query/time/zone.ts';
import type { SqlValue } from '../../../../../services/shared/ports/event-store.ts';
import { GOLDEN_NOW } from '../../../../support/query/golden-log.ts';
import {
  type StartedQueryService,
  startQueryService,
} from '../../../../support/query/start-query-service.ts';
import { everythingOf } from '../../../../support/readable-events.ts';

/** Long ranges that start and end within a bucket; one around a zone's first standard time, when hours had odd widths. */
const RANGES: readonly [string, string, string][] = [
  ['UTC', '2015-02-03T04:05:06.789Z', '2025-01-17T23:59:59.999Z'],
  ['America/New_York', '2015-02-03T04:05:06.789Z', '2025-01-17T23:59:59.999Z'],
  ['Africa/Casablanca', '2016-01-31T22:59:59.999Z', '2025-11-30T00:00:00.001Z'],
  ['Pacific/Apia', '2005-01-01T10:00:00.000Z', '2015-01-01T10:00:00.001Z'],
  ['America/New_York', '1883-11-01T00:00:00.001Z', '1883-11-29T00:00:00.000Z'],
];

/** Of granularities that are no more than so long; 10 years of minutes would be millions of buckets. */
const LONGEST_DAYS: Readonly<Partial<Record<(typeof GRANULARITIES)[number], number>>> = {
  hourly: 28,
  minute: 1,
};

describe('the SQL of buckets', () => {
  let service: StartedQueryService;
  before(async () => {
    service = await startQueryService({ log: [], now: GOLDEN_NOW });
  });
  after(() => service.close());

  it('is the same text for other ranges, so that a prepared statement suits them', () => {
    const textOf = (zone: string, from: string, granularity: (typeof GRANULARITIES)[number]) => {
      let bound = 0;
      const start = Date.parse(from);
      const range = { from: start, to: start + 27 * 86_400_000 };
      return bucketIndexSql(bucketsOf(createZone(zone), range, granularity), () => `$p${++bound}`);
    };
    for (const granularity of ['daily', 'hourly'] as const) {
      const text = textOf('UTC', '2024-06-01T00:00:00Z', granularity);
      expect(textOf('UTC', '2025-07-03T00:00:00Z', granularity)).to.equal(text);
      expect(textOf('Europe/Berlin', '2024-06-30T22:00:00Z', granularity)).to.equal(text);
    }
  });

  for (const [name, from, to] of RANGES) {
    for (const granularity of GRANULARITIES) {
      it(`finds the bucket of the first and last instant of each (${granularity}, ${name} from ${from})`, async () => {
        const start = Date.parse(from);
        const end = start + (LONGEST_DAYS[granularity] ?? Number.POSITIVE_INFINITY) * 86_400_000;
        const range: TimeRange = { from: start, to: Math.min(end, Date.parse(to)) };
        const buckets = bucketsOf(createZone(name), range, granularity);
        const params: Record<string, SqlValue> = {};
        const bind = (value: SqlValue) => {
          const placeholder = `p${Object.keys(params).length}`;
          params[placeholder] = value;
          return `$${placeholder}`;
        };
        const index = bucketIndexSql(buckets, bind);
        // Changes of width are no branches each.
        expect(index.split('CASE').length - 1).to.be.at.most(8);
        const instants = buckets.flatMap((bucket) => [bucket.from, bucket.to - 1]);
        params.instants = instants;
        const sql = `SELECT ms, ${index} AS bucket FROM (SELECT unnest($instants) AS ms)`;
        const rows = await service.events.run(
          { engine: 'duckdb', sql, params },
          { reach: everythingOf('org_a') },
        );
        const expected = buckets.flatMap((_, at) => [at, at]);
        expect(rows.map((row) => row.ms)).to.deep.equal(instants);
        expect(rows.map((row) => row.bucket)).to.deep.equal(expected);
      });
    }
  }
});
