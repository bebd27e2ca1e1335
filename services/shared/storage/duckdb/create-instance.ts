/** Opens DuckDB, with the settings that every use of it shares. */
import { DuckDBInstance } from '@duckdb/node-api';

/** Settings of the engine, by its own names for them. */
export type InstanceSettings = Readonly<Record<string, string>>;

const SHARED_SETTINGS: InstanceSettings = {
  autoload_known_extensions: 'false',
  autoinstall_known_extensions: 'false',
  allow_community_extensions: 'false',
  // A thread gives freed memory back also while nothing runs, as config/node.env says.
  allocator_background_threads: 'true',
};

/** An engine over the database at `path`, default: in memory. @throws Error of the engine when it cannot be opened */
export function createInstance(settings: InstanceSettings, path = ':memory:'): Promise<DuckDBInstance> {
  return DuckDBInstance.create(path, { ...SHARED_SETTINGS, ...settings });
}

/** An engine without content, opened when another was closed, one after the other: see {@link closeInstance}. */
let keeper: Promise<DuckDBInstance | null> = Promise.resolve(null);

/**
 * Closes an engine beside which others may stay open. The thread of the allocator is one for the process, and ends as any engine is
 * closed, until one is opened: so one without content is opened.
 */
export async function closeInstance(instance: DuckDBInstance): Promise<void> {
  instance.closeSync();
  keeper = keeper.then(async (before) => {
    before?.closeSync();
    // Without it memory goes back later: no reason for whoever closes an engine to fail.
    return createInstance({ threads: '1' }).catch(() => null);
  });
  await keeper;
}
