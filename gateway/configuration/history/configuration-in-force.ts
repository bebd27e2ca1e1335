/** What a gateway is to run: its files, or the configuration that is pinned. */
import type { Configuration } from '../configuration.ts';
import { ConfigurationError } from '../faults.ts';
import { type ConfigurationSource, loadFrom } from '../load-configuration.ts';
import { findConfiguration, type HistoryStore } from './configuration-history.ts';
import { loadSnapshot } from './load-snapshot.ts';
import { readPin, removePin } from './pin.ts';

/** Files that were read: what they say, or their faults. */
export type ReadFiles =
  | { readonly configuration: Configuration; readonly fault: null }
  | { readonly configuration: null; readonly fault: ConfigurationError };

/** What is to be in force. */
export interface InForce {
  readonly configuration: Configuration;
  /** Who pinned it; null: it is what the files say. */
  readonly pinnedBy: string | null;
  /** The pin that the files have ended, being others now: the number of what was pinned. */
  readonly ended: number | null;
  /** Faults of files that wait for the end of a pin; they are in force nowhere. */
  readonly waiting: ConfigurationError | null;
}

/** Never rejects because of what the files hold. */
export async function readFiles(source: ConfigurationSource): Promise<ReadFiles> {
  try {
    return { configuration: await loadFrom(source), fault: null };
  } catch (fault) {
    if (fault instanceof ConfigurationError) return { configuration: null, fault };
    throw fault;
  }
}

/**
 * Without a pin that is what the files say. With one it is what was pinned, until files that pass the check mean something
 * else than they did then: those end the pin. @throws ConfigurationError of the files, or of what is pinned
 */
export async function configurationInForce(
  files: ReadFiles,
  source: ConfigurationSource,
  store: HistoryStore,
): Promise<InForce> {
  const pin = await readPin(store);
  if (pin === null) {
    if (files.fault) throw files.fault;
    return { configuration: files.configuration, pinnedBy: null, ended: null, waiting: null };
  }
  if (files.configuration && files.configuration.hash !== pin.filesHash) {
    return { configuration: files.configuration, pinnedBy: null, ended: pin.number, waiting: null };
  }
  const record = await findConfiguration(store, pin.number);
  if (record === null) {
    const text = `configuration ${pin.number} is pinned, and the history does not have it: run "tidegate unpin"`;
    throw new ConfigurationError([{ file: source.directory, path: '', allowed: [], text }]);
  }
  const configuration = await loadSnapshot(record, source);
  return { configuration, pinnedBy: pin.by, ended: null, waiting: files.fault };
}

/** Once what ended it is in force. Whoever pinned another configuration since then keeps it. */
export async function endPin(store: HistoryStore, number: number): Promise<void> {
  if ((await readPin(store))?.number === number) await removePin(store);
}
