/** Brings a database to the schema that this version reads and writes: indexes, and a version number that records it. */
import type { Connection } from 'mongoose';
import { COLLECTIONS, COLLECTIONS_VERSION } from '../../model/collections.ts';
import { EVERYWHERE } from '../../model/user.ts';
import { requireWholeCopy } from './copy/copy-state.ts';
import { DOCUMENT_INDEXES } from './document-indexes.ts';
import { EVENT_INDEXES } from './event-indexes.ts';
import { createIndex, type IndexDeclaration, missingIndexes } from './indexes.ts';
import { SEGMENT_INDEXES } from './segments/segment-indexes.ts';

/** The version that the list of collections had before databases had one. */
const VERSIONS_BEFORE = 8;

/** The version of the database's content; it rises with that of the list of collections. */
export const MONGODB_SCHEMA_VERSION = COLLECTIONS_VERSION - VERSIONS_BEFORE;

/** From this version on, an email may have several accounts. */
const ACCOUNTS_MENDED_IN = 2;

/** One document, of `_id` "version". */
export const SCHEMA_COLLECTION = 'tidegate_schema';

const INDEXES: readonly IndexDeclaration[] = [...DOCUMENT_INDEXES, ...EVENT_INDEXES, ...SEGMENT_INDEXES];

/** What was done or, with `dryRun`, would be. */
export interface MigrationReport {
  /** Null: the database is new. */
  readonly fromVersion: number | null;
  readonly toVersion: number;
  /** As `collection.name`, in the order in which they are created. */
  readonly indexes: readonly string[];
}

export interface MigrationOptions {
  /** Only reports what would be done. */
  readonly dryRun?: boolean;
  /** The copy of an embedded installation calls it: the copy may be incomplete. */
  readonly forCopy?: boolean;
  /** Called before each step. */
  readonly told?: (step: string) => void;
}

/**
 * Idempotent; may run while services of this version run, and again after an interruption: the version is written last.
 * @throws Error when a newer version of Tidegate wrote the database, when what is in it is not Tidegate's, or a copy into it is not whole
 */
export async function migrate(
  connection: Connection,
  { dryRun = false, forCopy = false, told = () => undefined }: MigrationOptions = {},
): Promise<MigrationReport> {
  const fromVersion = await requireMigratable(connection, { forCopy });
  const missing = await missingIndexes(connection, INDEXES);
  for (const index of dryRun ? [] : missing) {
    told(`making the index ${index.collection}.${index.name}: ${index.comment}`);
    await createIndex(connection, index);
  }
  if (!dryRun && fromVersion !== MONGODB_SCHEMA_VERSION) {
    if (fromVersion === null || fromVersion < ACCOUNTS_MENDED_IN) {
      if (fromVersion !== null) told('letting an email have an account in each organization that invites it');
      await mendAccounts(connection);
    }
    told(`writing the schema version ${MONGODB_SCHEMA_VERSION}`);
    await versions(connection).updateOne(
      { _id: 'version' },
      { $set: { version: MONGODB_SCHEMA_VERSION } },
      { upsert: true },
    );
  }
  const indexes = missing.map(({ collection, name }) => `${collection}.${name}`);
  return { fromVersion, toVersion: MONGODB_SCHEMA_VERSION, indexes };
}

/**
 * Reads alone: the version that the database has, null for a new one.
 * @throws Error as `migrate` does before it changes anything
 */
export async function requireMigratable(
  connection: Connection,
  { forCopy = false }: Pick<MigrationOptions, 'forCopy'> = {},
): Promise<number | null> {
  const version = await readVersion(connection);
  requireKnown(version);
  if (!forCopy) await requireWholeCopy(connection);
  if (!forCopy && version === null) await requireOwn(connection);
  return version;
}

/**
 * For processes that do not migrate.
 * @throws Error that says what to run when the database does not have the schema of this version
 */
export async function requireMigrated(connection: Connection): Promise<void> {
  const version = await readVersion(connection);
  requireKnown(version);
  await requireWholeCopy(connection);
  if (version === MONGODB_SCHEMA_VERSION) return;
  throw new Error(
    `the database has ${version === null ? 'no schema version' : `schema version ${version}`}, this version of Tidegate needs ${MONGODB_SCHEMA_VERSION}: run tidegate migrate, or start the resources service first`,
  );
}

function requireKnown(version: number | null): void {
  if (version === null || version <= MONGODB_SCHEMA_VERSION) return;
  throw new Error(
    `the database has schema version ${version}; this version of Tidegate knows up to ${MONGODB_SCHEMA_VERSION}. Start the newer version that wrote it`,
  );
}

/** Documents without a version belong to another product, which unique indexes and retention would harm. */
async function requireOwn(connection: Connection): Promise<void> {
  const filled: string[] = [];
  for (const name of new Set(INDEXES.map(({ collection }) => collection))) {
    if ((await connection.collection(name).findOne({}, { projection: { _id: 1 } })) !== null)
      filled.push(name);
  }
  // A process that migrates at the same time may have written both since the version was read.
  if (filled.length === 0 || (await readVersion(connection)) !== null) return;
  throw new Error(
    `the database ${connection.name} has documents in ${filled.join(', ')} and no schema version of Tidegate, so they are something else's: name another database in MONGODB_URI. After a restore, bring ${SCHEMA_COLLECTION} back too`,
  );
}

async function readVersion(connection: Connection): Promise<number | null> {
  const found = await versions(connection).findOne({ _id: 'version' });
  return found === null ? null : found.version;
}

function versions(connection: Connection) {
  return connection.collection<{ _id: string; version: number }>(SCHEMA_COLLECTION);
}

/** Let an email have one user. */
const FORMER_INDEX = 'email';

/** Does nothing the second time. It follows the creation of indexes, so that two accounts can never both be proven. */
async function mendAccounts(connection: Connection): Promise<void> {
  const users = connection.collection(COLLECTIONS.users.name);
  await users.updateMany({ home: { $exists: false } }, { $set: { home: EVERYWHERE } });
  const indexes = await users.indexes();
  if (indexes.some(({ name }) => name === FORMER_INDEX)) await users.dropIndex(FORMER_INDEX);
}
