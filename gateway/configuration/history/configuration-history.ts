/** The history of configurations in the document store: the last ones that were in force or refused, with their texts as written. */
import { createHash } from 'node:crypto';
import {
  type ConfigurationRecord,
  configurationRecordId,
  INSTALLATION,
} from '../../../services/shared/model/configuration-record.ts';
import { type DocumentStore, DuplicateError } from '../../../services/shared/ports/document-store.ts';
import { readPin } from './pin.ts';

/** How many records are kept, besides what is pinned, what was last in force, and what was so last from the files. */
export const KEPT_CONFIGURATIONS = 20;

/** Files with more bytes than this in all are told by their hash alone: they are far larger than people write. */
const MOST_BYTES = 2_000_000;
/** Faults kept of a refused configuration; one slip may cause hundreds. */
const MOST_FAULTS = 50;

/** The part of the store that holds it. */
export type HistoryStore = Pick<DocumentStore, 'configurations' | 'configurationPins'>;

/** What a gateway read, and what came of it. */
export interface ReadConfiguration {
  readonly outcome: ConfigurationRecord['outcome'];
  /** The number of the record that it was read from; null: from the files. */
  readonly restored: number | null;
  readonly reason: string;
  readonly hash: string | null;
  readonly texts: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

/** Every record, the newest first. */
export async function configurationHistory(store: HistoryStore): Promise<ConfigurationRecord[]> {
  return (await store.configurations.all(INSTALLATION)).reverse();
}

/** Null: there is none with this number. */
export function findConfiguration(store: HistoryStore, number: number): Promise<ConfigurationRecord | null> {
  return store.configurations.get(INSTALLATION, configurationRecordId(number));
}

/** What the files meant when they were last in force, or null. */
export async function lastFilesHash(store: HistoryStore): Promise<string | null> {
  const ofFiles = (await configurationHistory(store)).find(
    ({ outcome, source }) => outcome === 'applied' && source === 'files',
  );
  return ofFiles?.hash ?? null;
}

/**
 * Adds a record, unless it says what the newest one says: each process of an installation reads the same. Several may do so
 * at once. Then removes what is kept no longer.
 */
export async function recordConfiguration(store: HistoryStore, read: ReadConfiguration): Promise<void> {
  const sha256 = digestOf(read.texts);
  for (;;) {
    const [newest] = await configurationHistory(store);
    if (newest && saysTheSame(newest, read, sha256)) return;
    const number = (newest?.number ?? 0) + 1;
    try {
      await store.configurations.insert({
        id: configurationRecordId(number),
        organizationId: INSTALLATION,
        number,
        outcome: read.outcome,
        source: read.restored === null ? 'files' : 'history',
        ...(read.restored !== null && { restored: read.restored }),
        reason: read.reason,
        hash: read.hash,
        sha256,
        faults: bounded(read.faults),
        files: filesOf(read.texts),
      });
      break;
    } catch (fault) {
      // Another process has taken the number: it may have read the same.
      if (!(fault instanceof DuplicateError)) throw fault;
    }
  }
  await removeOldest(store);
}

/** Nobody must take a part of them for all. */
function bounded(faults: readonly string[]): string[] {
  const further = faults.length - MOST_FAULTS;
  const kept = faults.slice(0, MOST_FAULTS);
  return further > 0 ? [...kept, further === 1 ? '1 further fault' : `${further} further faults`] : kept;
}

function saysTheSame(
  { outcome, source, restored, sha256 }: ConfigurationRecord,
  read: ReadConfiguration,
  digest: string,
): boolean {
  const sameSource = source === 'files' ? read.restored === null : restored === read.restored;
  return outcome === read.outcome && sameSource && sha256 === digest;
}

async function removeOldest(store: HistoryStore): Promise<void> {
  const records = await configurationHistory(store);
  const inForce = records.filter(({ outcome }) => outcome === 'applied');
  const kept = new Set([
    ...records.slice(0, KEPT_CONFIGURATIONS).map(({ number }) => number),
    inForce[0]?.number,
    inForce.find(({ source }) => source === 'files')?.number,
    (await readPin(store))?.number,
  ]);
  for (const { number, id } of records) {
    if (!kept.has(number)) await store.configurations.remove(INSTALLATION, id);
  }
}

function filesOf(texts: ReadonlyMap<string, string>): ConfigurationRecord['files'] {
  const files = [...texts].map(([file, text]) => ({ file, text }));
  const bytes = files.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return bytes > MOST_BYTES ? null : files;
}

function digestOf(texts: ReadonlyMap<string, string>): string {
  const sorted = [...texts].sort(([one], [other]) => (one < other ? -1 : 1));
  return createHash('sha256').update(JSON.stringify(sorted)).digest('hex');
}
