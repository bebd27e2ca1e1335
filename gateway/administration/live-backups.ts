/** Copies of an embedded installation that its running server writes: one at a time, for a command that polls the progress. */
import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { z } from 'zod';
import type { DataPaths } from '../../config/data-directory.ts';
import { notFound } from '../../services/resources/write-matching.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { EventCopier } from '../../services/shared/storage/duckdb/duckdb-event-store.ts';
import { copyOpenDocuments } from '../../services/shared/storage/sqlite/copy-open-documents.ts';

/** Where the parts of a copy are. */
const writtenCopySchema = z.object({
  /** The folder of the files, relative to DATA_DIR; the command empties it. */
  directory: z.string(),
  /** Their names. */
  files: z.array(z.string()),
  events: z.number(),
  /** The text of the secrets file: it is never written where the stores write. */
  secrets: z.string(),
});

export const backupStateSchema = z.object({
  id: z.string(),
  /** Rows of events processed so far, and in total. */
  rows: z.number(),
  ofRows: z.number(),
  /** Null until everything is written. */
  written: writtenCopySchema.nullable(),
});
export type BackupState = z.infer<typeof backupStateSchema>;
type WrittenCopy = z.infer<typeof writtenCopySchema>;

/** Part of the administration of a running server. */
export interface Backups {
  /** Begins a copy. Every event that was acknowledged before this is called will be in it. @throws ApiError CONFLICT, VALIDATION_ERROR, SERVICE_UNAVAILABLE */
  beginBackup(): Promise<BackupState>;
  /** The progress of a copy. A copy that nobody polls is aborted. @throws ApiError NOT_FOUND, or the reason the copy ended */
  backupState(id: string): Promise<BackupState>;
  /** Ends the copy if it still runs, and deletes its remains. */
  endBackup(id: string): Promise<void>;
}

export interface LiveBackupOptions {
  readonly paths: DataPaths;
  /** The path of this server's secrets file. */
  readonly secretsFile: string;
  readonly copier: EventCopier;
  /** A copy that nobody polled for this long is aborted, in milliseconds; default {@link ABANDONED_MS}. */
  readonly abandonedMs?: number;
}

const ABANDONED_MS = 30_000;

/** Disk space that a copy leaves to the server, in bytes. */
const SPARED_BYTES = 64_000_000;

interface Backup {
  readonly id: string;
  readonly directory: string;
  readonly stopping: AbortController;
  /** Aborts the copy. */
  readonly abandoned: NodeJS.Timeout;
  rows: number;
  ofRows: number;
  written: WrittenCopy | null;
  fault: ApiError | null;
  /** Resolves when nothing is written any more; never rejects. */
  ended: Promise<void>;
}

/** {@link Backups} of this process's stores. */
export class LiveBackups implements Backups {
  readonly #options: LiveBackupOptions;
  #current: Backup | null = null;
  #isClosed = false;

  constructor(options: LiveBackupOptions) {
    this.#options = options;
  }

  async beginBackup(): Promise<BackupState> {
    if (this.#isClosed) throw new ApiError('SERVICE_UNAVAILABLE', { text: 'The server is shutting down.' });
    if (this.#current) {
      const text = `Another backup is being written; a backup whose command ended is aborted after ${ABANDONED_MS / 1_000} seconds.`;
      throw new ApiError('CONFLICT', { text });
    }
    const id = randomUUID();
    const backup: Backup = {
      id,
      directory: join(this.#options.copier.copyDirectory, `backup-${id}`),
      stopping: new AbortController(),
      abandoned: setTimeout(() => void this.endBackup(id), this.#options.abandonedMs ?? ABANDONED_MS).unref(),
      ...{ rows: 0, ofRows: 0, written: null, fault: null, ended: Promise.resolve() },
    };
    this.#current = backup;
    backup.ended = this.#write(backup).then(
      (written) => {
        backup.written = written;
      },
      (fault: unknown) => {
        backup.fault = publicFault(fault);
      },
    );
    return stateOf(backup);
  }

  async backupState(id: string): Promise<BackupState> {
    const backup = this.#current;
    if (backup?.id !== id) throw notFound('backup', id);
    backup.abandoned.refresh();
    if (backup.fault === null) return stateOf(backup);
    await this.endBackup(id);
    throw backup.fault;
  }

  async endBackup(id: string): Promise<void> {
    const backup = this.#current;
    if (backup?.id !== id) return;
    clearTimeout(backup.abandoned);
    backup.stopping.abort(new ApiError('SERVICE_UNAVAILABLE', { text: 'The backup was aborted.' }));
    await backup.ended;
    await rm(backup.directory, { recursive: true, force: true });
    if (this.#current === backup) this.#current = null;
  }

  /** Aborts the copy being written; call it before the stores are closed. */
  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#current) await this.endBackup(this.#current.id);
  }

  /**
   * Events first: the documents they belong to were written before them. Nothing is erased while both snapshots are
   * taken, so whatever the documents no longer have is gone from the events too, or on the list of pending erasures.
   */
  async #write(backup: Backup): Promise<WrittenCopy> {
    const { paths, copier } = this.#options;
    const { directory } = backup;
    await this.#requireRoom();
    await mkdir(directory, { mode: 0o700 });
    let secrets = '';
    const events = await copier.copy({
      target: join(directory, basename(paths.events)),
      signal: backup.stopping.signal,
      begun: async () => {
        secrets = await this.#copyDocuments(join(directory, basename(paths.documents)));
      },
      onProgress(rows, ofRows) {
        backup.rows = rows;
        backup.ofRows = ofRows;
      },
    });
    const files = (await readdir(directory)).sort();
    for (const file of files) await chmod(join(directory, file), 0o600);
    return { directory: relative(dirname(paths.events), directory), files, events, secrets };
  }

  /** The secrets that decrypt these documents. */
  async #copyDocuments(target: string): Promise<string> {
    const { paths, secretsFile } = this.#options;
    const before = await readFile(secretsFile, 'utf8');
    await copyOpenDocuments(paths.documents, target);
    const after = await readFile(secretsFile, 'utf8');
    if (before === after) return after;
    throw new ApiError('CONFLICT', {
      text: 'The secrets file changed in the meantime: run the command again.',
    });
  }

  /** A full disk would stop ingest. @throws ApiError CONFLICT when the copy would leave too little space */
  async #requireRoom(): Promise<void> {
    const { paths } = this.#options;
    const files = [paths.documents, paths.events].flatMap((path) => [path, `${path}.wal`, `${path}-wal`]);
    const sizes = await Promise.all(
      files.map((file) =>
        stat(file).then(
          (found) => found.size,
          () => 0,
        ),
      ),
    );
    const needed = sizes.reduce((sum, size) => sum + size, SPARED_BYTES);
    const { bavail, bsize } = await statfs(dirname(paths.events));
    if (bavail * bsize >= needed) return;
    const megabytes = (bytes: number) => `${Math.ceil(bytes / 1e6).toLocaleString('en')} MB`;
    throw new ApiError('CONFLICT', {
      text: `The disk of DATA_DIR has ${megabytes(bavail * bsize)} left; a backup needs up to ${megabytes(needed)} there while it is written.`,
    });
  }
}

/** The operator gets the full reason: it concerns the disk or the stores. */
function publicFault(fault: unknown): ApiError {
  if (fault instanceof ApiError) return fault;
  const reason = fault instanceof Error ? fault.message : String(fault);
  return new ApiError('SERVICE_UNAVAILABLE', { text: `The backup was not written: ${reason}`, cause: fault });
}

function stateOf({ id, rows, ofRows, written }: Backup): BackupState {
  return { id, rows, ofRows, written };
}
