/** Custom SQL of a small random grammar, and parameters of odd types in every clause, in as many queries as a run has time for. */
import { expect } from 'chai';
import fc from 'fast-check';
import { createTestClock } from '../test-clock.ts';
import { ODD_VALUES, randomQuery } from './custom-sql-grammar.ts';
import { CUSTOM_LOG } from './custom-sql-log.ts';
import { type StartedQueryService, startQueryService } from './start-query-service.ts';

const NOW = Date.UTC(2025, 1, 1);

export interface Extent {
  /** Random queries, always the same ones. */
  readonly queries: number;
  /**
   * Each query of a clause is tried with one of so many values, the next one with the next ones: together those of a clause try
   * all. 1: each query with every value.
   */
  readonly oneOf: number;
}

/** Where a parameter may stand, and queries that have one there. */
const CLAUSES: Readonly<Record<string, readonly string[]>> = {
  SELECT: [
    'SELECT $p',
    'SELECT $p AS x, path FROM events',
    'SELECT * FROM (SELECT $p AS x) t',
    'SELECT DISTINCT $p FROM events',
  ],
  FROM: ['SELECT * FROM UNNEST($p)', 'SELECT * FROM (VALUES ($p), (1)) t(x)', 'SELECT unnest($p)'],
  JOIN: [
    'SELECT 1 FROM events a JOIN events b ON $p',
    'SELECT 1 FROM events a LEFT JOIN events b ON a.path = $p',
  ],
  WHERE: [
    'SELECT path FROM events WHERE $p',
    'SELECT path FROM events WHERE path = ANY($p)',
    'SELECT path FROM events WHERE path IN ($p)',
    'SELECT path FROM events WHERE timestamp > $p',
    'SELECT path FROM events WHERE path LIKE $p',
    'SELECT path FROM events WHERE $p BETWEEN $p AND $p',
  ],
  'GROUP BY': [
    'SELECT count(*) FROM events GROUP BY $p',
    'SELECT path FROM events GROUP BY path, $p',
    'SELECT count(*) FROM events GROUP BY ROLLUP ($p)',
    'SELECT count(*) FROM events GROUP BY GROUPING SETS (($p), ())',
    'SELECT $p, count(*) FROM events GROUP BY ALL',
    'SELECT $p AS x, count(*) FROM events GROUP BY x',
  ],
  HAVING: [
    'SELECT path FROM events GROUP BY path HAVING $p',
    'SELECT path FROM events GROUP BY path HAVING count(*) > $p',
  ],
  QUALIFY: [
    'SELECT path FROM events QUALIFY row_number() OVER (ORDER BY $p) = 1',
    'SELECT path FROM events QUALIFY $p',
  ],
  'ORDER BY': [
    'SELECT path FROM events ORDER BY $p',
    'SELECT path FROM events ORDER BY path, $p DESC NULLS LAST',
    'SELECT DISTINCT path FROM events ORDER BY $p',
    'SELECT path FROM events UNION SELECT path FROM errors ORDER BY $p',
    'SELECT path FROM events ORDER BY CASE WHEN $p THEN path ELSE country END',
    'SELECT string_agg(path, $p ORDER BY $p) FROM events',
    'SELECT rank() OVER (PARTITION BY $p ORDER BY $p) FROM events',
    'SELECT sum(load_time) OVER (ORDER BY timestamp ROWS BETWEEN $p PRECEDING AND CURRENT ROW) FROM events',
    'SELECT (SELECT path FROM events ORDER BY $p LIMIT 1)',
    'SELECT $p AS x, count(*) FROM events GROUP BY x ORDER BY ALL',
    'SELECT path FROM events ORDER BY $p COLLATE nocase',
    'SELECT path FROM events ORDER BY CAST($p AS INTEGER)',
    'SELECT path FROM events ORDER BY -$p',
    'SELECT path FROM events ORDER BY ($p)',
  ],
  LIMIT: [
    'SELECT path FROM events LIMIT $p',
    'SELECT path FROM events LIMIT $p + 1',
    'SELECT path FROM events LIMIT $p %',
    'SELECT path FROM events LIMIT (SELECT $p)',
  ],
  OFFSET: [
    'SELECT path FROM events OFFSET $p',
    'SELECT path FROM events LIMIT 1 OFFSET $p',
    'SELECT path FROM events LIMIT $p OFFSET $p',
  ],
  'DISTINCT ON': [
    'SELECT DISTINCT ON ($p) path FROM events',
    'SELECT DISTINCT ON (path, $p) path FROM events ORDER BY $p',
  ],
  WITH: [
    'WITH x AS (SELECT $p AS y) SELECT y FROM x ORDER BY y',
    'WITH x AS (SELECT path FROM events ORDER BY $p) SELECT * FROM x',
    'WITH x AS MATERIALIZED (SELECT path FROM events LIMIT $p) SELECT * FROM x',
  ],
  functions: [
    'SELECT date_trunc($p, timestamp) FROM events',
    'SELECT quantile_cont(load_time, $p) FROM events',
    'SELECT list_filter($p, x -> x = $p)',
    'SELECT strftime(timestamp, $p) FROM events',
    'SELECT regexp_matches(path, $p) FROM events',
    'SELECT properties->>$p FROM events',
    'SELECT json_extract(properties, $p) FROM events',
    'SELECT time_bucket($p, timestamp) FROM events',
    'SELECT ntile($p) OVER () FROM events',
    'SELECT lag(path, $p, $p) OVER (ORDER BY timestamp) FROM events',
    'SELECT CAST($p AS DATE)',
    'SELECT make_date($p, $p, $p)',
    'SELECT chr($p)',
    'SELECT timestamp AT TIME ZONE $p FROM events',
    'SELECT list_sort($p, $p)',
    'SELECT array_slice($p, $p, $p)',
    'SELECT list_reverse_sort([1], $p, $p)',
    'SELECT nth_value(path, $p) OVER (ORDER BY timestamp) FROM events',
    'SELECT approx_quantile(load_time, $p) FROM events',
    'SELECT struct_extract({a: 1}, $p)',
    'SELECT map_extract(map([$p], [$p]), $p)',
    'SELECT {a: $p}[$p]',
    'SELECT string_split(path, $p) FROM events',
    'SELECT arg_max(path, load_time, $p) FROM events',
    'SELECT regexp_extract(path, $p, $p) FROM events',
    'SELECT regexp_replace(path, $p, $p, $p) FROM events',
    'SELECT mod(1, $p), 1 // $p, 1 % $p, 1 << $p',
    'SELECT factorial($p)',
    'SELECT to_days($p), to_hours($p), INTERVAL ($p) DAY',
    'SELECT timestamp + $p FROM events',
    'SELECT concat_ws($p, $p)',
    'SELECT damerau_levenshtein($p, $p), hamming($p, $p)',
    'SELECT round(1.5, $p)',
    'SELECT url_decode($p), hex($p), md5($p)',
    'SELECT strptime($p, $p)',
    'SELECT json_valid($p), json($p)',
    'SELECT to_json($p), json_array($p), json_object($p, $p)',
    'SELECT histogram($p)',
    'SELECT mad($p), kurtosis($p), entropy($p)',
    'SELECT list_reduce($p, (a, b) -> a + b)',
    'SELECT random() + $p',
    'SELECT EXTRACT($p FROM timestamp) FROM events',
    'SELECT date_part($p, timestamp) FROM events',
    'SELECT date_part([$p], timestamp) FROM events',
    'SELECT path COLLATE nocase FROM events',
    'SELECT $p::DECIMAL(4,2)',
    'SELECT $p::JSON',
    'SELECT $p::UUID',
    'SELECT $p::INTEGER[]',
    'SELECT $p::STRUCT(a INTEGER)',
    'SELECT $p::INTERVAL',
    'SELECT typeof($p)',
    'SELECT TRY($p::INTEGER)',
    'SELECT unicode($p), ascii($p)',
    'SELECT list_aggregate($p, $p)',
    'SELECT list_sum($p)',
    'SELECT flatten([$p])',
    'SELECT constant_or_null($p, $p)',
    'SELECT greatest($p, 1), least($p, path) FROM events',
    'SELECT repeat(path, $p) FROM events',
    'SELECT lpad(path, $p, $p) FROM events',
    'SELECT group_concat(path, $p) FROM events',
    'SELECT make_time($p, $p, $p), make_timestamp($p)',
    'SELECT epoch_ms($p), to_timestamp($p)',
    'SELECT age($p)',
    'SELECT position($p IN path) FROM events',
    'SELECT path SIMILAR TO $p FROM events',
    'SELECT path LIKE $p ESCAPE $p FROM events',
    'SELECT path GLOB $p FROM events',
  ],
};

/** Declares the suite. */
export function describeCustomSqlFuzz({ queries: count, oneOf }: Extent): void {
  describe('custom SQL of a random grammar', function () {
    this.timeout(600_000);
    let service: StartedQueryService;
    before(async () => {
      service = await startQueryService({
        log: CUSTOM_LOG,
        now: NOW,
        customSqlClock: createTestClock(NOW),
        customSql: { maxRows: 1_000, maxInputRows: 100 },
      });
    });
    after(() => service.close());

    /** What was answered neither 200 nor QUERY_ERROR. */
    async function faultsOf(body: { readonly sql: string; readonly params: unknown }): Promise<unknown[]> {
      const answer = await service.custom(body);
      const isFine = answer.status === 200 || answer.body.code === 'QUERY_ERROR';
      return isFine ? [] : [[body, answer.status, answer.body]];
    }

    for (const [clause, queries] of Object.entries(CLAUSES)) {
      it(`answers 200 or QUERY_ERROR to a parameter of any type in ${clause}`, async () => {
        const bad: unknown[] = [];
        // No fewer than a clause has queries, so that it has every value.
        const every = Math.min(oneOf, queries.length);
        for (const [index, sql] of queries.entries()) {
          const values = Object.values(ODD_VALUES).filter((_, place) => (place + index) % every === 0);
          for (const p of values) bad.push(...(await faultsOf({ sql, params: { p } })));
        }
        expect(bad).to.deep.equal([]);
      });
    }

    for (const clause of ['ORDER BY', 'GROUP BY', 'DISTINCT ON']) {
      it(`names ${clause} and what may stand there, where a parameter stands alone`, async () => {
        const [sql] = CLAUSES[clause] ?? [];
        const answer = await service.custom({ sql, params: { p: 'path' } });
        expect(answer.body).to.include({ code: 'QUERY_ERROR' });
        expect(answer.body.error).to.match(new RegExp(`^${clause}: a parameter cannot stand alone here`));
      });
    }

    it('uses no engine again that broke on a query', async () => {
      const broken = await service.custom({ sql: 'SELECT array_slice($p, $p, $p)', params: { p: 1 } });
      expect(broken.body).to.include({ code: 'QUERY_ERROR' });
      expect((await service.custom({ sql: 'SELECT count(*) AS n FROM events' })).status).to.equal(200);
    });

    it(`answers 200 or QUERY_ERROR to ${count} random queries`, async () => {
      const bad: unknown[] = [];
      for (const body of fc.sample(randomQuery, { numRuns: count, seed: 13 })) {
        bad.push(...(await faultsOf(body)));
      }
      expect(bad).to.deep.equal([]);
    });
  });
}
