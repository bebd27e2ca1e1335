/**
 * Opens the SQLite file of documents: durability settings, file mode, tables created from the collection list, schema
 * version.
 */
import { chmodSync, closeSync, mkdirSync, openSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'libsql';
import { COLLECTIONS, COLLECTIONS_VERSION, DECLARATIONS } from '../../model/collections.ts';
import { type CollectionDeclaration, listIndexName } from '../../model/define-collection.ts';
import { EVERYWHERE } from '../../model/user.ts';
import { wellFormed } from '../../text/clean-text.ts';

export type SqliteDatabase = Database.Database;
export type SqliteStatement = Database.Statement<(string | number)[]>;

/** Version of the tables. A file of a newer version is refused; an older one gets the tables and indexes that it lacks. */
export const SCHEMA_VERSION = COLLECTIONS_VERSION;

/** How long a statement waits for another process's write, in milliseconds. It blocks the event loop meanwhile. */
export const BUSY_TIMEOUT_MS = 2_000;

/** A column or document field, as the same expression in indexes and look-ups. */
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
 * The open database. The file is created when absent, readable only by its owner.
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
    // Deleted data is overwritten in the file. The connection that deletes also empties the log.
    database.prepare('PRAGMA secure_delete = ON').get();
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
 * An existing file, for this process alone until it is closed: no other may read or write meanwhile.
 * @throws Error that says so while another process has it open
 */
export function openExclusively(path: string): SqliteDatabase {
  let database: SqliteDatabase | undefined;
  try {
    database = new Database(path, { timeout: BUSY_TIMEOUT_MS, fileMustExist: true });
    database.prepare('PRAGMA locking_mode = EXCLUSIVE').get();
    // The first read takes the lock.
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

/** The schema version of a file, without changing it; 0 when it has no schema. @throws Error that names the file */
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

/** A newer version wrote the file. */
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
  // Another process may be here at the same time: the one with the write lock does the work, the other finds it done.
  database.exec('BEGIN IMMEDIATE');
  try {
    const version = readVersion(database);
    if (version > SCHEMA_VERSION) throw new SchemaVersionError(path, version);
    if (version < SCHEMA_VERSION) {
      database.exec(schemaSql());
      if (version > 0 && version < SINCE_WELL_FORMED)
        for (const [, { name }] of DECLARATIONS) mendTexts(database, name);
      database.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    }
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

/** Before this version, texts with lone surrogates were stored as they came. */
const SINCE_WELL_FORMED = 22;
/** A lone surrogate in JSON, or text that looks like one. */
const SUSPICIOUS = "document GLOB '*\\u[dD][89a-fA-F]*'";

/** Replaces lone surrogates in the documents of a table: what they are decoded to, this process could not read. */
function mendTexts(database: SqliteDatabase, table: string): void {
  const mend = database.prepare(`UPDATE ${table} SET document = ? WHERE id = ?`);
  const rows = database.prepare(`SELECT id, document FROM ${table} WHERE ${SUSPICIOUS}`).all();
  for (const { id, document } of rows as { id: string; document: string }[]) {
    mend.run(JSON.stringify(wellFormed(JSON.parse(document))), id);
  }
}

/** The schema version of an open file; 0 when it has no schema. */
export function readVersion(database: SqliteDatabase): number {
  const row = database.prepare('PRAGMA user_version').get() as { user_version: number };
  return row.user_version;
}

/** Statements that change what older files have differently; on a newer file they change nothing. */
const MENDED = [
  // An address had one account, and every organization trusted it.
  `DROP INDEX IF EXISTS ${indexName(COLLECTIONS.users.name, 'email')}`,
  `UPDATE ${COLLECTIONS.users.name} SET document = json_set(document, '$.home', '${EVERYWHERE}') WHERE ${fieldExpression('home')} IS NULL`,
];

/** Creates what is missing: a new file gets everything; an older one gets what it lacks and loses its old triggers. */
function schemaSql(): string {
  return [
    'CREATE TABLE IF NOT EXISTS change_counter (singleton INTEGER PRIMARY KEY CHECK (singleton = 1), changes INTEGER NOT NULL) STRICT',
    'INSERT OR IGNORE INTO change_counter VALUES (1, 0)',
    ...DECLARATIONS.flatMap(([, declaration]) => tableSql(declaration)),
    ...MENDED,
  ]
    .map((statement) => `${statement};`)
    .join('\n');
}

function tableSql({
  name: table,
  unique = {},
  indexes = {},
  lists = [],
  told,
}: CollectionDeclaration): string[] {
  const trigger = (event: string) => `${table}_counts_${event.toLowerCase()}`;
  const triggerSql = (event: string) =>
    told === undefined
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
    ...lists.map((fields) => indexSql('INDEX', listIndexName(fields), ['organizationId', ...fields, 'id'])),
    ...['INSERT', 'UPDATE', 'DELETE'].map(triggerSql),
  ];
}
