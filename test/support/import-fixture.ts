/** `tidegate import` as its tests run it: over the stores, and over the operator socket of a running server. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataPathsOf } from '../../config/data-directory.ts';
import { createAdministration } from '../../gateway/administration/operations.ts';
import { ADMINISTRATION_ROUTES } from '../../gateway/administration/routes.ts';
import { type OperatorServer, startOperatorServer } from '../../gateway/administration/server.ts';
import { exportBatch } from '../../services/query/export/export-batch.ts';
import { SHIPPED_CATALOGUE } from '../../services/shared/access/scope-catalogue.ts';
import type { AuditRecord } from '../../services/shared/model/audit-record.ts';
import { systemClock } from '../../services/shared/ports/clock.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import type { RawRow } from '../../services/shared/ports/event-store.ts';
import { createIds } from '../../services/shared/ports/ids.ts';
import { createDuckDbEventStore } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { createSqliteDocumentStore } from '../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { createUsageCounter } from '../../services/shared/usage/usage-counter.ts';
import { importBatch } from '../../services/tracking/import/import-batch.ts';
import { createLogWatch, type LogWatch } from './log-watch.ts';
import type { ReadableEvents } from './readable-events.ts';
import { type CliOutcome, runCli } from './run-cli.ts';
import { createTestCleanups } from './start-cleanups.ts';
import { testSalts } from './test-salts.ts';
import { createTestSealer } from './test-sealer.ts';

/** What the command goes through. */
export const WAYS = ['the stores', 'the operator socket of a running server'] as const;

export interface ImportFixture {
  readonly file: string;
  readonly dataDir: string;
  /** Imports the file. */
  readonly run: (...args: string[]) => Promise<CliOutcome>;
  /** Runs any command on the same data. */
  readonly tidegate: (...args: string[]) => Promise<CliOutcome>;
  /** Ends the server, where one runs. */
  readonly stop: () => Promise<void>;
  /** Columns of the stored events. */
  readonly stored: (columns: string) => Promise<readonly RawRow[]>;
  /** Replaces the lines of the file. */
  readonly write: (lines: readonly unknown[]) => void;
  /** Audit records of imports. */
  readonly imports: (organizationId: string) => Promise<AuditRecord[]>;
  /** Batches that the server still takes before it fails; absent: all. */
  batchesLeft: number | undefined;
  /** Batches of exports that the server gives before it answers no more; absent: all. */
  exportsLeft: number | undefined;
}

/** When every event of {@link importedEvent} happened. */
export const AT = '2025-06-15T00:00:00Z';

/** A line of the file. */
export function importedEvent(i: number) {
  return { name: 'signup', eventId: `e${i}`, anonymousId: `v${i}`, timestamp: AT };
}

/** Organizations org_one and org_two with a website each, made anew for every test of the suite. */
export function useImports(way: (typeof WAYS)[number]): ImportFixture {
  let dataDir: string;
  let file: string;
  let events: ReadableEvents | undefined;
  let server: OperatorServer | undefined;
  let documents: DocumentStore;
  let closeAll: () => Promise<void>;
  let log: LogWatch;

  beforeEach(async () => {
    log = createLogWatch();
    fixture.batchesLeft = undefined;
    fixture.exportsLeft = undefined;
    dataDir = mkdtempSync(join(tmpdir(), 'tidegate-import-'));
    file = join(dataDir, 'events.ndjson');
    const paths = dataPathsOf(dataDir);
    documents = createSqliteDocumentStore({ path: paths.documents, clock: systemClock });
    for (const id of ['org_one', 'org_two']) {
      await documents.organizations.insert({ id, organizationId: id, name: id, plan: 'free', limits: {} });
    }
    for (const [id, organizationId] of [
      ['web_one', 'org_one'],
      ['web_two', 'org_two'],
    ] as const) {
      const website = { id, organizationId, name: id, domain: `${id}.example`, isPublic: false };
      await documents.websites.insert({ ...website, settings: {} });
    }
    closeAll = () => documents.close();
    if (way === 'the stores') return;
    const store = await createDuckDbEventStore({ path: paths.events, memoryLimit: '256MB', threads: 1 });
    events = store;
    const usage = createUsageCounter({ documents, clock: systemClock, logger: log.logger });
    const scopes = () => SHIPPED_CATALOGUE;
    const ports = { documents, ids: createIds(), clock: systemClock, randomBytes, scopes };
    server = await startOperatorServer({
      routes: ADMINISTRATION_ROUTES,
      administration: createAdministration(ports, {
        keyPrefix: 'tg',
        plans: async () => ['free'],
        sealer: async () => createTestSealer(),
        cleanups: async () => createTestCleanups(documents, systemClock).cleanups,
        async exportBatch(asked) {
          if (fixture.exportsLeft !== undefined && fixture.exportsLeft-- <= 0) {
            await new Promise(() => undefined);
          }
          return exportBatch(asked, { events: store, documents });
        },
        async importBatch(batch) {
          if (fixture.batchesLeft !== undefined && fixture.batchesLeft-- <= 0) {
            throw new Error('the server ended');
          }
          return importBatch(batch, {
            events: store,
            documents,
            clock: systemClock,
            salts: testSalts(documents, systemClock),
            usage,
          });
        },
      }),
      socketPath: paths.operatorSocket,
      logger: log.logger,
    });
  });
  async function stop(): Promise<void> {
    await server?.close();
    server = undefined;
    await events?.close();
    events = undefined;
  }
  afterEach(async () => {
    await stop();
    await closeAll();
    log.assertClean();
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 10 });
  });

  const tidegate = (...args: string[]): Promise<CliOutcome> =>
    runCli(args, { DATA_DIR: dataDir, PATH: process.env.PATH ?? '' });
  const run = (...args: string[]): Promise<CliOutcome> => tidegate('import', file, ...args);

  async function stored(columns: string): Promise<readonly RawRow[]> {
    const sql = `SELECT ${columns} FROM events ORDER BY ALL`;
    const store =
      events ??
      (await createDuckDbEventStore({
        path: dataPathsOf(dataDir).events,
        memoryLimit: '256MB',
        threads: 1,
      }));
    const rows = await store.run({ engine: 'duckdb', sql, params: {} });
    if (!events) await store.close();
    return rows;
  }

  const write = (lines: readonly unknown[]) =>
    writeFileSync(
      file,
      lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
    );

  const imports = async (organizationId: string) => {
    const records = await documents.auditRecords.list(organizationId, { limit: 100 });
    return records.filter(({ action }) => action === 'events.import');
  };

  const fixture: ImportFixture = {
    get file() {
      return file;
    },
    get dataDir() {
      return dataDir;
    },
    run,
    tidegate,
    stop,
    stored,
    write,
    imports,
    batchesLeft: undefined,
    exportsLeft: undefined,
  };
  return fixture;
}
