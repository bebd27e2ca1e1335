/** A million events moved from the embedded stores to MongoDB by `tidegate copy`, killed twice on the way: contents and the answer of every dataset are equal afterwards. */
import { randomInt } from 'node:crypto';
import { cpSync } from 'node:fs';
import { expect } from 'chai';
import { dataPathsOf } from '../../config/data-directory.ts';
import type { Closers } from '../../gateway/process/all-or-nothing.ts';
import { openEvents } from '../../gateway/process/stores/open-events.ts';
import type { OpenEvents } from '../../gateway/process/stores/stores.ts';
import type { DatasetAnswer } from '../../services/query/answer-call.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { EventStore } from '../../services/shared/ports/event-store.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { killCopyAfter, runCopy } from '../support/interrupted-copy.ts';
import { createLogWatch } from '../support/log-watch.ts';
import { requireMongodb, startMongodb, type TestMongodb } from '../support/mongodb/mongodb-server.ts';
import { asked, datasetNames } from '../support/query/asked-datasets.ts';
import {
  type Answer,
  type StartedQueryService,
  startQueryService,
} from '../support/query/start-query-service.ts';
import { seedInstallation } from '../support/seed-installation.ts';
import { createTempDirectory, type TempDirectory } from '../support/temp-directory.ts';

const EVENTS = Number(process.env.SOAK_EVENTS ?? 1_000_000);
/** Of the independent server, which holds a million events in memory: only the copy is killed, never the server. */
const HEAP_GB = 8;
const NAMES = datasetNames();
/** Of the sample events: all three websites over their last days. */
const STRETCHES = [
  ['web_sample_1', '2025-06-29', '2025-06-30'],
  ['web_sample_2', '2025-06-29', '2025-06-30'],
  ['web_sample_3', '2025-06-24', '2025-06-30'],
] as const;
const NOW = Date.parse('2025-06-30T12:00:00.000Z');

describe(`a copy of ${EVENTS.toLocaleString('en')} events`, function () {
  this.timeout(3 * 3_600_000);
  let server: TestMongodb;
  let directory: TempDirectory;
  let environment: { DATA_DIR: string; MONGODB_URI: string };

  before(async function () {
    requireMongodb(this);
    server = await startMongodb({ heapGb: HEAP_GB });
    directory = createTempDirectory();
    environment = { DATA_DIR: directory.file('data'), MONGODB_URI: server.newUri() };
    await seedInstallation(environment.DATA_DIR, EVENTS);
  });
  after(async () => {
    await server?.close();
    directory?.remove();
  });

  it('is whole after two interruptions, in steady memory', async () => {
    const first = await killCopyAfter(randomInt(1, Math.ceil(EVENTS / 3)), environment);
    const second = await killCopyAfter(randomInt(first + 1, Math.ceil(EVENTS * 0.8)), environment);
    const { code, out, error, peakBytes } = await runCopy(environment);
    process.stdout.write(
      `      killed after ${first} and ${second} events; then:\n${error}${out}      at most ${Math.round(peakBytes / 1e6)} MB\n`,
    );
    expect(code, error).to.equal(0);
    const { data } = JSON.parse(out);
    expect(data.eventsOfEarlierRuns).to.equal(second);
    expect(data.events).to.be.at.least(EVENTS);
    expect(peakBytes).to.be.below(1_000_000_000);
  });

  it('answers every dataset as the files do', async () => {
    const files = directory.file('opened');
    cpSync(environment.DATA_DIR, files, { recursive: true });
    const embedded = await service(() => createDuckDbEventStore({ path: dataPathsOf(files).events }));
    const closers: Closers = [];
    const distributed = await service(async () => (await openShared(closers)).events);
    let rows = 0;
    try {
      for (const [done, name] of NAMES.entries()) {
        const started = performance.now();
        await Promise.all(
          STRETCHES.map(async ([websiteId, startDate, endDate]) => {
            const body = { parameters: [asked(name)], startDate, endDate, limit: 1000 };
            const path = `/v1/query?website_id=${websiteId}`;
            const one = await embedded.call(path, { method: 'POST', body });
            const other = await distributed.call(path, { method: 'POST', body });
            const answer = answered(one);
            expect(answered(other), `${name} of ${websiteId}`).to.deep.equal(answer);
            rows += answer.length;
          }),
        );
        const seconds = ((performance.now() - started) / 1_000).toFixed(1);
        process.stdout.write(`      ${done + 1} of ${NAMES.length}, ${name}: equal, ${seconds} s\n`);
      }
      expect(rows).to.be.above(NAMES.length);
    } finally {
      await embedded.close();
      await distributed.close();
      for (const close of closers.reverse()) await close();
    }
  });

  /** As a query service of its own has it. */
  function openShared(closers: Closers): Promise<OpenEvents> {
    const columns = { diskMb: 1_000, memoryMb: 1_000, buildMemoryMb: 512, coldAfterDays: null };
    const { logger } = createLogWatch();
    return openEvents(
      {
        mongodbUri: environment.MONGODB_URI,
        columns,
        eventStore: { engineMb: 1_000, eventIdWindow: 1, answersMb: 0 },
      },
      { path: directory.file('distributed/events.duckdb'), clock: systemClock, logger },
      closers,
    );
  }

  /** Rows of the one dataset that was asked for. */
  function answered({ status, body }: Answer): readonly unknown[] {
    expect(status, JSON.stringify(body)).to.equal(200);
    const [first] = body.data as DatasetAnswer[];
    expect(first?.success, first?.error).to.equal(true);
    return first?.data ?? [];
  }

  async function service(openEvents: () => Promise<EventStore>): Promise<StartedQueryService> {
    const started = await startQueryService({ log: [], now: NOW, openEvents });
    for (const id of new Set(STRETCHES.map(([websiteId]) => websiteId))) {
      const website = { id, organizationId: 'org_a', name: id, domain: `${id}.example`, isPublic: false };
      await started.documents.websites.insert({ ...website, settings: {} });
    }
    return started;
  }
});
