/** How far the copy of an embedded installation into this database has come; no service starts before it is complete. */
import type { Connection } from 'mongoose';

/** One document, of `_id` "copy". */
export const COPY_COLLECTION = 'tidegate_copy';

/**
 * `clearing`: what an earlier copy left is removed; `checking`: everything is copied and is compared; `complete`: both
 * are equal.
 */
export type CopyPhase = 'clearing' | 'documents' | 'events' | 'checking' | 'complete';

export interface CopyState {
  readonly phase: CopyPhase;
  /** Identifies the installation in its present state. */
  readonly source: string;
  /** Row of the last copied event; -1 for none. */
  readonly afterRow: number;
  /** Events that are copied. */
  readonly events: number;
  /** Instants as ISO 8601. */
  readonly startedAt: string;
  readonly completedAt: string | null;
}

/** Null: nothing was ever copied into this database. */
export async function readCopyState(connection: Connection): Promise<CopyState | null> {
  const found = await states(connection).findOne({ _id: 'copy' }, { readPreference: 'primary' });
  if (found === null) return null;
  const { _id, ...state } = found;
  return state;
}

/** Replaces the whole state. */
export async function writeCopyState(connection: Connection, state: CopyState): Promise<void> {
  await states(connection).replaceOne({ _id: 'copy' }, { ...state }, { upsert: true });
}

/** @throws Error that says what to run while a copy into this database is incomplete */
export async function requireWholeCopy(connection: Connection): Promise<void> {
  const state = await readCopyState(connection);
  if (state === null || state.phase === 'complete') return;
  throw new Error(
    `the copy of an embedded installation into this database, begun ${state.startedAt}, is not whole: run tidegate copy --from embedded --to mongodb again, it goes on where it was`,
  );
}

function states(connection: Connection) {
  return connection.collection<CopyState & { _id: string }>(COPY_COLLECTION);
}
