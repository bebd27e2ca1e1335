/** Attacks on custom SQL: none reads a row of others, none writes, none outlives its time or passes its memory, and ingest goes on. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createSandboxEngine } from '../../../../services/shared/storage/duckdb/sandbox-engine.ts';
import { HOGS, OTHER_ROWS, REFUSED } from '../../../support/query/custom-sql-attacks.ts';
import { eventRecord } from '../../../support/query/event.ts';
import { type StartedQueryService, startQueryService } from '../../../support/query/start-query-service.ts';

const SECRET = 'BELONGS-TO-SOMEBODY-ELSE';
const TIMEOUT_MS = 1_000;
const MEMORY_MB = 512;
const CLAUSES =
  /^(?:The query has \d|Query|SELECT|FROM|WHERE|WITH|JOIN|GROUP BY|HAVING|ORDER BY|LIMIT|OFFSET|QUALIFY|DISTINCT ON)\b/;

function log() {
  const at = (i: number) => new Date(Date.UTC(2025, 0, 1) + i * 60_000).toISOString();
  const own = Array.from({ length: 4_000 }, (_, i) =>
    eventRecord({ at: at(i), path: `/page-${i % 97}`, event_id: `event-${i}`, session_id: `s${i >> 2}` }),
  );
  const foreign = (['web_b', 'web_c', null] as const).map((website_id) =>
    eventRecord({
      at: at(1),
      website_id,
      organization_id: website_id === 'web_c' ? 'org_b' : 'org_a',
      path: `/${SECRET}`,
      session_id: SECRET,
      event_id: SECRET,
    }),
  );
  return [...own, ...foreign];
}

/** Memory of a process in megabytes; 0 when it is gone. */
function residentMb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

describe('attacks on custom SQL', () => {
  /** Has the shipped limit on time: what is to be refused or answered must not depend on speed. */
  let service: StartedQueryService;
  /** Has a short one, for what is to be ended. */
  let hurried: StartedQueryService;
  let largestMb = 0;
  let watch: NodeJS.Timeout;
  let ingesting = true;
  let ingest: Promise<number>;
  const fill = (sql: string) =>
    sql
      .replaceAll('{FILE}', join(service.directory, 'secret.csv'))
      .replaceAll('{OUT}', join(service.directory, 'written'))
      .replaceAll('{STORE}', join(service.directory, 'events.duckdb'));

  before(async () => {
    const start = (timeoutMs: number) =>
      startQueryService({
        log: log(),
        now: Date.UTC(2025, 1, 1),
        customSql: { timeoutMs, memoryMb: MEMORY_MB },
      });
    service = await start(30_000);
    hurried = await start(TIMEOUT_MS);
    writeFileSync(join(service.directory, 'secret.csv'), `a,b\n${SECRET},1\n`);
    watch = setInterval(() => {
      for (const { customSql } of [service, hurried]) {
        for (const pid of customSql.processIds()) largestMb = Math.max(largestMb, residentMb(pid));
      }
    }, 10);
    ingest = ingestMeanwhile();
  });
  after(async () => {
    ingesting = false;
    clearInterval(watch);
    await service.close();
    await hurried.close();
  });

  /** Commits, one after the other, until the suite ends; rejects with the first that fails. */
  async function ingestMeanwhile(): Promise<number> {
    let commits = 0;
    while (ingesting) {
      await hurried.events.append([
        eventRecord({ at: '2025-01-20T00:00:00Z', organization_id: 'org_b', website_id: 'web_c' }),
      ]);
      commits++;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return commits;
  }

  for (const [aim, attacks] of Object.entries(REFUSED)) {
    describe(`for ${aim}`, () => {
      for (const [at, attack] of attacks.entries()) {
        it(`refuses ${at + 1}: ${attack.replaceAll(/\s+/g, ' ').slice(0, 90)}`, async () => {
          const answer = await service.custom({ sql: fill(attack) });
          expect(answer.status, JSON.stringify(answer.body)).to.equal(400);
          expect(JSON.stringify(answer.body)).to.not.include(SECRET);
          if (attack === '') return;
          expect(answer.body.code).to.equal('QUERY_ERROR');
          expect(answer.body.error).to.match(CLAUSES);
        });
      }
    });
  }

  describe('for rows of others', () => {
    for (const attack of OTHER_ROWS) {
      it(`answers with own rows alone: ${attack}`, async () => {
        const answer = await service.custom({ sql: attack });
        expect(answer.status, JSON.stringify(answer.body).slice(0, 500)).to.equal(200);
        expect(JSON.stringify(answer.body)).to.not.match(/BELONGS|web_b|web_c/);
      });
    }

    it('takes values of parameters and dates for values', async () => {
      const evil = "' OR website_id <> 'web_a";
      const sql = 'SELECT * FROM events WHERE website_id = $evil';
      const answer = await service.custom({ sql, params: { evil } });
      expect(answer.body.data).to.deep.equal([]);
      const dated = await service.custom({ sql: 'SELECT 1', startDate: evil });
      expect(dated.body.code).to.equal('VALIDATION_ERROR');
      const filters = [{ field: 'path', op: 'eq', value: evil }];
      const structured = { table: 'events', selects: [{ aggregate: 'count' }], filters };
      expect((await service.custom({ query: structured })).body.data).to.deep.equal([{ count: 0 }]);
    });

    it('refuses identifiers of the structured form that are no columns', async () => {
      for (const field of ['path"', 'path) FROM tidegate_rows--', "properties.a'", 'properties.a"b', '*']) {
        const query = { table: 'events', selects: [{ field, aggregate: 'uniq' }], groupBy: [field] };
        expect((await service.custom({ query })).body.code).to.equal('VALIDATION_ERROR');
      }
      const query = { table: "read_csv('a')", selects: [{ aggregate: 'count' }] };
      expect((await service.custom({ query })).body.code).to.equal('VALIDATION_ERROR');
    });
  });

  describe('for the machine', () => {
    for (const [at, attack] of HOGS.entries()) {
      it(`ends ${at + 1} within its time and memory: ${attack.slice(0, 80)}`, async () => {
        // Now a process is there: to start one is not part of a query's time. A query that ran out of time ended its own.
        while ((await hurried.custom({ sql: 'SELECT 1' })).status !== 200);
        const startedAt = performance.now();
        const answer = await hurried.custom({ sql: attack });
        const tookMs = performance.now() - startedAt;
        expect([200, 400, 504], JSON.stringify(answer.body).slice(0, 300)).to.include(answer.status);
        if (answer.status === 400) expect(answer.body.code).to.equal('QUERY_ERROR');
        if (answer.status === 504) expect(answer.body.code).to.equal('TIMEOUT');
        // To end a process that holds all of its memory takes a busy machine a while.
        expect(tookMs).to.be.below(TIMEOUT_MS + 10_000);
      });
    }

    it('answers the next query as if nothing had been', async () => {
      const ask = () => hurried.custom({ sql: 'SELECT count(*) AS n FROM events' });
      let answer = await ask();
      // The limit is short, and the machine may be busy.
      while (answer.status === 504) answer = await ask();
      expect(answer.body.data, JSON.stringify(answer.body)).to.deep.equal([{ n: 4_000 }]);
    });
  });

  describe('altogether', () => {
    it('are more than 120', () => {
      const count = Object.values(REFUSED).flat().length + OTHER_ROWS.length + HOGS.length;
      expect(count).to.be.at.least(120);
    });

    it('have lifted no process over its bound of memory', function () {
      if (process.platform !== 'linux') this.skip();
      expect(largestMb).to.be.within(20, MEMORY_MB);
    });

    it('have written nothing', () => {
      expect(existsSync(join(service.directory, 'written'))).to.equal(false);
    });

    it('have made no commit of ingest fail', async () => {
      ingesting = false;
      expect(await ingest).to.be.greaterThan(0);
    });
  });
});

describe('the engine of custom SQL without its guard', () => {
  it('still reaches no file, no network, no extension and no setting', async () => {
    const engine = await createSandboxEngine({ memoryMb: 128, threads: 1 });
    const bounds = { maxRows: 10, maxBytes: 10_000 };
    for (const sql of [
      "SELECT * FROM read_text('/etc/passwd')",
      "SELECT * FROM '/etc/passwd'",
      "SELECT * FROM glob('/*')",
      "SELECT * FROM read_csv('http://127.0.0.1:1/a.csv')",
      "COPY (SELECT 1) TO '/tmp/tidegate-written'",
      "ATTACH '/tmp/tidegate-written'",
      "SET memory_limit = '10GB'",
      'SET enable_external_access = true',
      'INSTALL httpfs',
      'LOAD httpfs',
    ]) {
      const fault = await engine.run(sql, {}, bounds).then(
        () => null,
        (thrown: Error) => thrown,
      );
      expect(fault, sql).to.be.instanceOf(Error);
    }
    expect(existsSync('/tmp/tidegate-written')).to.equal(false);
  });
});
