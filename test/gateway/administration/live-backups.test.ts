/** Holds the copies that a running server writes to their rules: one at a time, given up when nobody asks, consistent with erasures. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { dataPathsOf } from '../../../config/data-directory.ts';
import { type LiveBackupOptions, LiveBackups } from '../../../gateway/administration/live-backups.ts';
import {
  createDuckDbEventStore,
  type DuckDbEventStore,
} from '../../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { openEventDump } from '../../../services/shared/storage/duckdb/dump-events.ts';
import {
  createSqliteDocumentStore,
  type SqliteDocumentStore,
} from '../../../services/shared/storage/sqlite/sqlite-document-store.ts';
import { eventRecord } from '../../support/event-record.ts';
import { rejection } from '../../support/rejection.ts';
import { createTempDirectory, type TempDirectory } from '../../support/temp-directory.ts';
import { until } from '../../support/until.ts';

describe('copies of a running server', () => {
  let directory: TempDirectory;
  let events: DuckDbEventStore;
  let documents: SqliteDocumentStore;
  let backups: LiveBackups;
  beforeEach(async () => {
    directory = createTempDirectory();
    const paths = dataPathsOf(directory.path);
    events = await createDuckDbEventStore({ path: paths.events });
    documents = createSqliteDocumentStore({ path: paths.documents, clock: { now: () => Date.now() } });
    writeFileSync(paths.secrets, 'secrets', { mode: 0o600 });
    await events.append([eventRecord({ event_id: 'a' }), eventRecord({ event_id: 'b' })]);
    backups = liveBackups();
  });
  afterEach(async () => {
    await backups.close();
    await events.close();
    await documents.close();
    directory.remove();
  });

  function liveBackups(options: Partial<LiveBackupOptions> = {}): LiveBackups {
    const paths = dataPathsOf(directory.path);
    return new LiveBackups({ paths, secretsFile: paths.secrets, copier: events, ...options });
  }
  /** The events' copier, which waits for `hold` once the instant of the events is taken and the documents are copied. */
  const held = (hold: () => Promise<void>): LiveBackupOptions['copier'] => ({
    copyDirectory: events.copyDirectory,
    copy: (options) => events.copy({ ...options, begun: () => options.begun().then(hold) }),
  });
  const drafts = () => readdirSync(events.copyDirectory);
  async function written(id: string) {
    await until('it is written', async () => (await backups.backupState(id)).written !== null);
    return (await backups.backupState(id)).written;
  }

  it('writes one at a time, and forgets it when its command has taken it', async () => {
    const { id } = await backups.beginBackup();
    expect(await rejection(backups.beginBackup())).to.include({ kind: 'CONFLICT' });
    expect(await written(id)).to.deep.include({ events: 2, secrets: 'secrets' });
    await backups.endBackup(id);
    expect(drafts()).to.deep.equal([]);
    expect(await rejection(backups.backupState(id))).to.include({ kind: 'NOT_FOUND' });
    await backups.endBackup((await backups.beginBackup()).id);
  });

  it('gives one up for which nobody asks', async () => {
    backups = liveBackups({ abandonedMs: 50 });
    await backups.beginBackup();
    await until('it is given up', async () => {
      const begun = await backups.beginBackup().catch(() => null);
      return begun !== null;
    });
  });

  it('ends with the server, and leaves nothing', async () => {
    let end = () => {};
    const hold = new Promise<void>((resolve) => {
      end = resolve;
    });
    backups = liveBackups({ copier: held(() => hold) });
    await backups.beginBackup();
    await until('it is being written', () => drafts().length === 1);
    const closed = backups.close();
    end();
    await closed;
    expect(drafts()).to.deep.equal([]);
    expect(await rejection(backups.beginBackup())).to.include({ kind: 'SERVICE_UNAVAILABLE' });
  });

  it('keeps what is erased, and leaves out what comes, after its instant', async () => {
    let erasure: Promise<number> | undefined;
    const order: string[] = [];
    const hold = async () => {
      const { organization_id: organizationId } = eventRecord({});
      erasure = events.erase({ organizationId, websiteId: null, anonymousId: null });
      void erasure.then(() => order.push('erased'));
      await events.append([eventRecord({ event_id: 'c' })]);
      // Long enough for an erasure that does not wait.
      await pause(300);
      order.push('both instants taken');
    };
    backups = liveBackups({ copier: held(hold) });
    const { id } = await backups.beginBackup();
    const copy = await written(id);
    expect(copy?.events).to.equal(2);
    const dump = await openEventDump(join(directory.path, copy?.directory ?? '', 'events.duckdb'));
    dump.close();
    expect(dump.events).to.equal(2);
    expect(await erasure, 'erased once the copy was written').to.equal(3);
    expect(order).to.deep.equal(['both instants taken', 'erased']);
  });
});
