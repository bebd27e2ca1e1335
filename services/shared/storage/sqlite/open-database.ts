/** Opens the SQLite file of documents: durability settings, file mode, tables made from the collection list, schema version. */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { COLLECTIONS } from '../collections.ts';

export type SqliteDatabase = Database.Database;
export type SqliteStatement = Database.Statement<(string | number)[]>;

/** Version of the tables; a file of a newer one is refused, that of an older one gets the tables and indexes it lacks. */
export const SCHEMA_VERSION = 6;

/** How long a statement waits for another process's write, in milliseconds. It blocks the event loop meanwhile. */
const BUSY_TIMEOUT_MS = 2_000;

/** A column or document field as the expression that indexes and look-ups share. */
export function fieldExpression(field: string): string {
  if (field === 'id') return 'id';
  if (field === 'organizationId') return 'organization_id';
  return `json_extract(document, '$.${field}')`;
}

/** The name of a collection's index in the file. */
export function indexName(table: string, index: string): string {
  return `${table}_${index}`;
}

/**
 * The open database. The file is made when absent, readable by its owner only.
 * @throws Error that names the file and what to do: newer schema, not a database, not writable.
 */
export function openDatabase(path: string): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    chmodSync(path, 0o600);
    database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
    // Readers never wait for the writer, and a commit is on disk when it returns.
    database.prepare('PRAGMA journal_mode = WAL').get();
    database.exec('PRAGMA synchronous = FULL');
    migrate(database, path);
    return database;
  } catch (cause) {
    database?.close();
    if (cause instanceof SchemaVersionError) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `The document store ${path} cannot be opened (${reason}). Check that the file is a Tidegate document store and that ` +
        'this user may write it and its directory; if it is damaged, restore it from a backup.',
      { cause },
    );
  }
}

/**
 * A file that is there, for this process alone until it closes it: no other may read or write meanwhile.
 * @throws Error that says so while another process has it open
 */
export function openExclusively(path: string): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  try {
    database = new Database(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
    database.prepare('PRAGMA locking_mode = EXCLUSIVE').get();
    // The first reading takes the lock.
    readVersion(database);
    return database;
  } catch (cause) {
    database?.close();
    const reason = cause instanceof Error ? cause.message : String(cause);
    const advice = /locked|busy/i.test(reason)
      ? 'Another process has it open: stop every server over it.'
      : '';
    throw new Error(
      `The document store ${path} cannot be opened for this command alone (${reason}). ${advice}`.trim(),
      {
        cause,
      },
    );
  }
}

/** The schema version of a file, which is not changed; 0 where nothing was made in it. @throws Error that names the file */
export function readSchemaVersion(path: string): number {
  let database: SqliteDatabase | undefined;
  try {
    database = new Database(path, { timeout: BUSY_TIMEOUT_MS, readonly: true, fileMustExist: true });
    return readVersion(database);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`The document store ${path} cannot be read (${reason}).`, { cause });
  } finally {
    database?.close();
  }
}

/** The file was written by a newer version. */
export class SchemaVersionError extends Error {
  constructor(path: string, version: number) {
    super(
      `The document store ${path} has schema version ${version}; this version of Tidegate knows up to ${SCHEMA_VERSION}. ` +
        'Start the newer version that wrote it, or restore a backup made before the upgrade.',
    );
    this.name = 'SchemaVersionError';
  }
}

function migrate(database: SqliteDatabase, path: string): void {
  if (readVersion(database) === SCHEMA_VERSION) return;
  // Another process may be at the same point: whoever has the write lock decides, the other finds it done.
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = readVersion(database);
    if (version > SCHEMA_VERSION) throw new SchemaVersionError(path, version);
    if (version < SCHEMA_VERSION) {
      database.exec(schemaSql());
      database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** The schema version of an open file; 0 where nothing was made in it. */
export function readVersion(database: SqliteDatabase): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}

/** Makes what is not there yet: a new file gets everything, an older one what it lacks, and loses triggers of old. */
function schemaSql(): string {
  return [
    'CREATE TABLE IF NOT EXISTS change_counter (singleton INTEGER PRIMARY KEY CHECK (singleton = 1), changes INTEGER NOT NULL) STRICT',
    'INSERT OR IGNORE INTO change_counter VALUES (1, 0)',
    ...Object.values(COLLECTIONS).flatMap(tableSql),
  ]
    .map((statement) => `${statement};`)
    .join('\n');
}

function tableSql(declaration: {
  readonly name: string;
  readonly unique: Readonly<Record<string, readonly string[]>>;
  readonly indexes: Readonly<Record<string, readonly string[]>>;
  readonly unremembered?: true;
}): string[] {
  const { name: table, unique, indexes } = declaration;
  const trigger = (event: string) => `${table}_counts_${event.toLowerCase()}`;
  const triggerSql = (event: string) =>
    declaration.unremembered
      ? `DROP TRIGGER IF EXISTS ${trigger(event)}`
      : `CREATE TRIGGER IF NOT EXISTS ${trigger(event)} AFTER ${event} ON ${table}
         BEGIN UPDATE change_counter SET changes = changes + 1; END`;
  const indexSql = (kind: string, index: string, fields: readonly string[]) =>
    `CREATE ${kind} IF NOT EXISTS ${indexName(table, index)} ON ${table} (${fields.map(fieldExpression).join(', ')})`;
  return [
    `CREATE TABLE IF NOT EXISTS ${table} (
       id TEXT NOT NULL PRIMARY KEY,
       organization_id TEXT NOT NULL,
       version INTEGER NOT NULL,
       document TEXT NOT NULL CHECK (json_valid(document))
     ) STRICT`,
    // Lists of a tenant by id ascending.
    `CREATE INDEX IF NOT EXISTS ${table}_by_organization ON ${table} (organization_id, id)`,
    ...Object.entries(unique).map(([index, fields]) => indexSql('UNIQUE INDEX', index, fields)),
    ...Object.entries(indexes).map(([index, fields]) => indexSql('INDEX', index, fields)),
    ...['INSERT', 'UPDATE', 'DELETE'].map(triggerSql),
  ];
}
