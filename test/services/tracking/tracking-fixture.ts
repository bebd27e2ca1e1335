/** The tracking service over real stores in a directory of their own, as its tests call it. */

import { expect } from 'chai';
import type { Caller } from '../../../services/shared/access/caller.ts';
import { PrometheusMetrics } from '../../../services/shared/metrics/prometheus-metrics.ts';
import type { Website } from '../../../services/shared/model/website.ts';
import type { DocumentStore, NewDocument } from '../../../services/shared/ports/document-store.ts';
import type { RawRow } from '../../../services/shared/ports/event-store.ts';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
} from '../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import type { DuckDbEventStoreOptions } from '../../../services/shared/storage/duckdb/duckdb-event-store-options.ts';
import { MemoryBus } from '../../../services/shared/storage/memory/memory-bus.ts';
import { publishWrites } from '../../../services/shared/storage/publish-writes.ts';
import { createSqliteDocumentStore } from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import {
  type ActivityCounter,
  createActivityCounter,
} from '../../../services/shared/usage/activity-counter.ts';
import { createUsageCounter, type UsageCounter } from '../../../services/shared/usage/usage-counter.ts';
import { createKeylessBudget, type KeylessBudget } from '../../../services/tracking/budget/keyless-budget.ts';
import { createTrackingService } from '../../../services/tracking/create-tracking-service.ts';
import { newWebsite } from '../../contract/document-store.contract.ts';
import { createTestIdentity, type TestIdentity, testCaller } from '../../support/identity.ts';
import { createIngestCounters, type IngestCounters } from '../../support/ingest-counters.ts';
import { createLogWatch } from '../../support/log-watch.ts';
import { serve } from '../../support/serve.ts';
import { createTempDirectory } from '../../support/temp-directory.ts';
import { createTestClock, type TestClock } from '../../support/test-clock.ts';
import { testSalts } from '../../support/test-salts.ts';

/** An answer of the service. */
export interface Answer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: {
    readonly [field: string]: unknown;
    readonly details?: readonly {
      readonly field: string;
      readonly message: string;
      readonly suggestion?: string;
    }[];
  };
}

export interface TrackingFixture {
  readonly clock: TestClock;
  readonly identity: TestIdentity;
  readonly events: DuckDbEventStore;
  readonly documents: DocumentStore;
  readonly counts: IngestCounters;
  readonly usage: UsageCounter;
  readonly activity: ActivityCounter;
  readonly budget: KeylessBudget;
  /** Whether the service thinks that its disk is low. */
  readonly disk: { isFull: boolean };
  readonly url: string;
  /** POST /track with `body` as JSON (text goes as it is) as a global key of `org_a`, or as `from`. */
  track(body: unknown, from?: TrackOptions): Promise<Answer>;
  /** The same to another path. */
  post(path: string, body: unknown, from?: TrackOptions): Promise<Answer>;
  /** The stored events of a name, the earliest first. */
  stored(name: string): Promise<readonly RawRow[]>;
  /** How many events are stored. */
  count(): Promise<unknown>;
  /** Stores a website of `org_a`. */
  website(id: string, overrides?: Partial<NewDocument<Website>>): Promise<Website>;
  close(): Promise<void>;
}

export interface TrackOptions {
  readonly caller?: Partial<Caller>;
  /** Appended to the path, such as `?website_id=web_1`. */
  readonly search?: string;
  readonly headers?: Record<string, string>;
}

/** Starts everything; `close` ends and removes it. */
export async function createTrackingFixture(
  store: Partial<DuckDbEventStoreOptions> = {},
): Promise<TrackingFixture> {
  const directory = createTempDirectory();
  const clock = createTestClock();
  const identity = await createTestIdentity('tracking', clock);
  const events = await createDuckDbEventStore({
    path: directory.file('events.duckdb'),
    clock,
    memoryLimit: '256MB',
    threads: 1,
    ...store,
  });
  const bus = new MemoryBus();
  const documents = publishWrites(
    createSqliteDocumentStore({ path: directory.file('documents.sqlite'), clock }),
    bus,
  );
  const counts = createIngestCounters();
  const log = createLogWatch();
  const usage = createUsageCounter({ documents, clock, logger: log.logger });
  const activity = createActivityCounter('ingest', { documents, clock, logger: log.logger });
  const budget = createKeylessBudget({ documents, clock, logger: log.logger });
  const disk = { isFull: false };
  const app = createTrackingService(
    {
      disk: { isLow: () => disk.isFull },
      budget,
      events,
      documents,
      bus,
      clock,
      clicks: { record: () => expect.fail('no test here follows a link'), lose: () => undefined },
      counts,
      usage,
      activity,
      salts: testSalts(documents, clock),
      trackerScript: Buffer.from('tracker();'),
    },
    {
      verifyIdentity: identity.verifyIdentity,
      logger: log.logger,
      metrics: new PrometheusMetrics(),
    },
  );
  const served = await serve(app);
  const post: TrackingFixture['post'] = async (path, body, from = {}) => {
    const response = await fetch(`${served.url}${path}${from.search ?? ''}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-request-id': 'request-1',
        ...(await identity.headersFor(testCaller(from.caller), `POST ${path}`)),
        ...from.headers,
      },
      body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
    return toAnswer(response);
  };

  return {
    clock,
    identity,
    events,
    documents,
    counts,
    usage,
    activity,
    budget,
    disk,
    url: served.url,
    post,
    track: (body, from) => post('/track', body, from),
    stored: (name) =>
      events.run({
        engine: 'duckdb',
        sql: 'SELECT * EXCLUDE (received_at) FROM events WHERE event_name = $name ORDER BY timestamp, event_id',
        params: { name },
      }),
    count: async () => {
      const rows = await events.run({
        engine: 'duckdb',
        sql: 'SELECT count(*) AS n FROM events',
        params: {},
      });
      return rows[0]?.n;
    },
    website: (id, overrides) => documents.websites.insert(newWebsite(id, overrides)),
    close: async () => {
      await served.close();
      await budget.close();
      await events.close();
      await documents.close();
      directory.remove();
      log.assertClean();
    },
  };
}

/** The answer with its JSON body. */
export async function toAnswer(response: Response): Promise<Answer> {
  const { status, statusText, headers } = response;
  return { status, statusText, headers, body: (await response.json()) as Answer['body'] };
}

/** Asserts the error body of an ingest route. */
export function expectError(answer: Answer, status: number, code: string): void {
  expect(answer.status).to.equal(status);
  expect(answer.statusText).to.equal(code);
  expect(answer.headers.get('content-type')).to.match(/^application\/json/);
  expect(answer.body).to.include({ success: false, status: 'error', code, requestId: 'request-1' });
  expect(answer.body.error).to.be.a('string').and.equal(answer.body.message);
  expect(answer.body.details).to.be.an('array');
}
