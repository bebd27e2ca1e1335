/** What the commands of segments share: which partitions are meant, and what they work with. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Command } from 'commander';
import { takeCacheFolder } from '../../../services/shared/storage/columns/cache-folder.ts';
import type { Partition } from '../../../services/shared/storage/columns/partition.ts';
import { SegmentMaker } from '../../../services/shared/storage/duckdb/segments/segment-maker.ts';
import {
  buildPortsOver,
  type MongodbBuildPorts,
} from '../../../services/shared/storage/mongodb/segments/open-build-ports.ts';
import type { SegmentSets } from '../../../services/shared/storage/mongodb/segments/segment-sets.ts';
import { withMongodb } from '../installation/with-mongodb.ts';
import { Refusal } from '../refusal.ts';

export interface SegmentsCommandContext {
  settings(): {
    readonly mongodbUri: string | null;
    readonly dataDir: string;
    readonly columns: { readonly buildMemoryMb: number };
  };
  /** Writes to standard output. */
  print(text: string): void;
  /** Writes to standard error. */
  tell(text: string): void;
  /** Told that the command did its work and found faults. */
  found(): void;
}

export interface SegmentsOptions {
  readonly organization?: string;
  readonly website?: string;
  readonly json?: true;
}

export type SegmentsPorts = Omit<MongodbBuildPorts, 'close'> & { readonly maker: SegmentMaker };

export function addSelection(command: Command): Command {
  return command
    .option('--organization <id>', 'only those of this organization')
    .option('--website <id>', 'only those of this website')
    .option('--json', 'print JSON');
}

export function isSelected({ websiteId }: Partition, { website }: SegmentsOptions): boolean {
  return website === undefined || websiteId === website;
}

/** Those that have segments, or events to make some of. */
export async function selectedPartitions(sets: SegmentSets, options: SegmentsOptions): Promise<Partition[]> {
  const found: Partition[] = [];
  for await (const { state } of sets.list(options.organization))
    if (isSelected(state.partition, options)) found.push(state.partition);
  return found;
}

/** What a selection is narrowed to. */
export function textOf({ organization, website }: SegmentsOptions): string {
  const parts = [
    ...(website === undefined ? [] : [`of the website ${website}`]),
    ...(organization === undefined ? [] : [`of the organization ${organization}`]),
  ];
  return parts.map((part) => ` ${part}`).join('');
}

/** A partition as a person reads it. */
export function nameOf({ organizationId, websiteId }: Partition): string {
  return websiteId === null
    ? `organization ${organizationId}, events without a website`
    : `organization ${organizationId}, website ${websiteId}`;
}

/** @throws Refusal for an embedded installation */
export function requireMongodb({ mongodbUri }: { readonly mongodbUri: string | null }): string {
  if (mongodbUri !== null) return mongodbUri;
  throw new Refusal(
    'VALIDATION_ERROR',
    'MONGODB_URI is not set: segments exist only where events are stored in MongoDB',
  );
}

/** Opens the database, and an engine with a folder of its own below DATA_DIR. @throws Refusal when no server answers */
export async function withSegments<R>(
  { settings }: Pick<SegmentsCommandContext, 'settings'>,
  work: (ports: SegmentsPorts) => Promise<R>,
): Promise<R> {
  const { mongodbUri, dataDir, columns } = settings();
  return withMongodb(requireMongodb({ mongodbUri }), async (connection) => {
    const folder = await takeCacheFolder(join(dataDir, 'columns', 'builds'));
    try {
      const directory = join(folder.path, 'files');
      // A killed process may have left some.
      await rm(directory, { recursive: true, force: true });
      const maker = await SegmentMaker.open({ directory, memoryMb: columns.buildMemoryMb });
      try {
        return await work({ ...buildPortsOver(connection), maker });
      } finally {
        await maker.close();
      }
    } finally {
      folder.release();
    }
  });
}
