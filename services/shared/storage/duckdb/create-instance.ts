/** Opens DuckDB, with the settings that every use of it shares. */
import { DuckDBInstance } from '@duckdb/node-api';

/** Settings of the engine, by its own names for them. */
export type InstanceSettings = Readonly<Record<string, string>>;

const SHARED_SETTINGS: InstanceSettings = {
  autoload_known_extensions: 'false',
  autoinstall_known_extensions: 'false',
  allow_community_extensions: 'false',
  // A thread gives freed memory back also while nothing runs, as config/node.env says. It is one for the process, and ends as any engine
  // is closed, until another is opened: in the embedded server the engine of events is the only one.
  allocator_background_threads: 'true',
};

/** An engine over the database at `path`, default: in memory. @throws Error of the engine when it cannot be opened */
export function createInstance(settings: InstanceSettings, path = ':memory:'): Promise<DuckDBInstance> {
  return DuckDBInstance.create(path, { ...SHARED_SETTINGS, ...settings });
}
