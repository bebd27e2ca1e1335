/** What visitors do one after another, over a large website: each answer within bounds, and nothing left running for callers who went. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { expect } from 'chai';
import { createDuckDbEventStore } from '../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { DAY_MS, FILLED_COLUMNS, GENERATE_SQL, WINDOW_DAYS } from '../../bench/query-workload.ts';
import { type StartedQueryService, startQueryService } from './start-query-service.ts';

const page = (value: string) => ({ type: 'page', match: { op: 'starts_with', value } });
/** Pages that most visitors see, so that many go on at each step. */
const STEPS = Array.from({ length: 20 }, (_, index) => page(`/articles/${index % 4}`));

/** The widest questions there are. */
const QUESTIONS: Readonly<Record<string, object>> = {
  'a funnel of 20 steps': { name: 'funnel', steps: STEPS },
  'a funnel of 20 steps in any order': { name: 'funnel', steps: STEPS, ordered: false },
  'a journey of 20 steps': { name: 'journey', start: page('/articles/0'), steps: 20 },
  'a journey of 20 steps back': {
    name: 'journey',
    start: page('/articles/0'),
    steps: 20,
    direction: 'backward',
  },
  'retention by day': { name: 'retention', unit: 'day' },
  'pages in detail': { name: 'page_details' },
};
const SMALL = { parameters: ['summary_metrics'], startDate: '2026-01-01', endDate: '2026-01-01' };

const FROM = Date.UTC(2026, 0, 1);
const NOW = FROM + WINDOW_DAYS * DAY_MS;
/** Callers who leave at once. */
const LEAVING = 12;
/** How long a small question may wait once they left, in milliseconds. */
const AFTERWARDS_MS = 2_000;
/** What the answers may add to the memory of the process, in bytes; the engine alone may have 1 GB. */
const MOST_MEMORY = 1_600_000_000;

/** Declares the tests over `events` of one website in thirty days; each answer has `boundMs` milliseconds. */
export function largeWebsiteTests(events: number, boundMs: number): void {
  let folder: string;
  let service: StartedQueryService;
  let memoryBefore: number;

  before(async function () {
    this.timeout(600_000);
    folder = mkdtempSync(join(tmpdir(), 'tidegate-large-'));
    const path = join(folder, 'events', 'events.duckdb');
    await fill(path, events);
    memoryBefore = process.memoryUsage().rss;
    const openEvents = () => createDuckDbEventStore({ path, threads: 1 });
    service = await startQueryService({ log: [], now: NOW, openEvents });
  });
  after(async () => {
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const asked = (question: object) => ({
    parameters: [question],
    startDate: '2026-01-01',
    endDate: '2026-01-30',
  });

  for (const [name, question] of Object.entries(QUESTIONS)) {
    it(`answers ${name} within bounds`, async () => {
      const begun = performance.now();
      const { status, body } = await service.query(asked(question));
      expect(status).to.equal(200);
      const [dataset] = body.data as { success: boolean; data: unknown[]; error?: string }[];
      expect(dataset, dataset?.error).to.include({ success: true });
      expect(dataset?.data).to.not.be.empty;
      expect(performance.now() - begun).to.be.below(boundMs);
      expect(process.memoryUsage().rss - memoryBefore).to.be.below(MOST_MEMORY);
    }).timeout(boundMs * 2);
  }

  it(`leaves nothing running for ${LEAVING} callers who went`, async () => {
    const leaving = new AbortController();
    const path = '/v1/query?website_id=web_a';
    const calls = Array.from({ length: LEAVING }, (_, index) => {
      const names = Object.keys(QUESTIONS);
      const body = asked(QUESTIONS[names[index % names.length] ?? ''] ?? {});
      return service.call(path, { method: 'POST', body, signal: leaving.signal }).catch(() => null);
    });
    setTimeout(() => leaving.abort(), 100);
    const left = await Promise.all(calls);
    expect(
      left.filter((answer) => answer === null),
      'calls that were under way',
    ).to.not.be.empty;
    const begun = performance.now();
    expect((await service.query(SMALL)).status).to.equal(200);
    expect(performance.now() - begun).to.be.below(AFTERWARDS_MS);
  }).timeout(60_000);
}

/** The store makes its tables; the events of the bench go into them. */
async function fill(path: string, events: number): Promise<void> {
  mkdirSync(join(path, '..'), { recursive: true });
  await (await createDuckDbEventStore({ path })).close();
  const instance = await DuckDBInstance.create(path, { memory_limit: '4GB' });
  try {
    const connection = await instance.connect();
    const columns = FILLED_COLUMNS.map((name) => `"${name}"`).join(', ');
    await connection.run(`INSERT INTO events (${columns}) ${GENERATE_SQL} ORDER BY "timestamp"`, {
      website: 'web_a',
      organization: 'org_a',
      events: BigInt(events),
      from: BigInt(FROM),
    });
    await connection.run('CHECKPOINT');
    connection.closeSync();
  } finally {
    instance.closeSync();
  }
}
