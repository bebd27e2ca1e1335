/** The servers that the benches of ingest, queries and flags measure start on the configuration of today and answer. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'chai';
import { PACKAGE_ROOT } from '../../config/settings.ts';
import { createTempDirectory } from '../support/temp-directory.ts';
import { createBenchProcesses } from './bench-processes.ts';
import { startFlagTarget } from './flag-target.ts';
import { measureCopy } from './ingest-postgres.ts';
import { ROUTES, startIngestTarget } from './ingest-target.ts';
import { hasPostgres } from './postgres-cluster.ts';
import { generateEvents } from './query-events.ts';
import { differenceOf } from './query-report.ts';
import { startSqlite } from './query-sqlite.ts';
import { startTidegate } from './query-tidegate.ts';
import { WEBSITES, windowBefore } from './query-workload.ts';

describe('the embedded servers of the benches', function () {
  this.timeout(240_000);
  const directory = createTempDirectory();
  const processes = createBenchProcesses();
  const place = { processes, root: PACKAGE_ROOT, processor: null, nodeArguments: [] };

  const reached: string[] = [];

  after(async () => {
    await processes.stopAll();
    for (const folder of reached) rmSync(folder, { recursive: true, force: true });
    directory.remove();
  });

  it('of bench:ingest takes an event through the gateway, and straight to the service', async () => {
    const target = await startIngestTarget({ ...place, folder: directory.file('ingest') });
    for (const route of ROUTES) {
      const answer = await fetch(`${target.urls[route]}/track?website_id=web_bench`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...(await target.headers(route)) },
        body: JSON.stringify({ name: 'checkout_completed' }),
      });
      expect(answer.status, `${route}: ${await answer.text()}`).to.equal(200);
    }
  });

  // PostgreSQL is none of this product, and a machine need not have it.
  it('of bench:query answers as SQLite does over generated events', async () => {
    const folder = directory.file('query');
    const [window, textFile] = [windowBefore(Date.now()), path.join(folder, 'events.tsv')];
    const eventsFile = path.join(folder, 'data', 'events.duckdb');
    const onProgress = () => {};
    await generateEvents({ events: 10_000, arrivalOrder: false, window, eventsFile, textFile, onProgress });
    const tidegate = await startTidegate({ ...place, folder, window, answersMb: 0 });
    const sqlite = await startSqlite({ folder: path.join(folder, 'sqlite'), textFile, window, onProgress });
    try {
      for (const { websiteId } of WEBSITES) {
        const [answers, expected] = [await tidegate.ask(websiteId), await sqlite.ask(websiteId)];
        // No rows at all are a difference too.
        expect(differenceOf(answers, expected), websiteId).to.equal(null);
      }
    } finally {
      await sqlite.stop();
    }
  });

  it('of npm run bench, PostgreSQL beside them keeps every row of every COPY', async function () {
    // A machine need not have it either.
    if (!hasPostgres()) this.skip();
    // Root's tests have a folder that the user postgres does not reach.
    const folder = mkdtempSync('/tmp/tidegate-copy-');
    chmodSync(folder, 0o755);
    reached.push(folder);
    const machine = { nginx: '', targetProcessor: null, loadProcessor: null };
    const shapes = [{ callers: 2, events: 10 }];
    const tell = () => {};
    const [sample] = await measureCopy({ processes, folder, machine, shapes, runs: 1, seconds: 1, tell });
    expect(sample?.failures).to.equal(0);
    expect(sample?.eventsPerSecond).to.be.above(0);
  });

  it('of bench:flags evaluates every flag', async () => {
    const target = await startFlagTarget();
    try {
      await target.askAll('user-1');
    } finally {
      await target.close();
    }
  });
});
