/** `tidegate segments`: the columnar files of events that installations on MongoDB keep beside the documents. */
import type { Command } from 'commander';
import { type ListedSet, SegmentSets } from '../../services/shared/storage/mongodb/segments/segment-sets.ts';
import { withMongodb } from './installation/with-mongodb.ts';
import { printJson } from './print-json.ts';
import { registerRebuild } from './segments/rebuild.ts';
import {
  addSelection,
  isSelected,
  requireMongodb,
  type SegmentsCommandContext,
  type SegmentsOptions,
  textOf,
} from './segments/selection.ts';
import { registerVerify } from './segments/verify.ts';
import { textTable } from './text-table.ts';

/** What is kept of one partition; instants in epoch milliseconds. */
interface ListedPartition {
  readonly organizationId: string;
  /** Null: the events of the organization that belong to no website. */
  readonly websiteId: string | null;
  /** Whether queries can read it: false until its first build has ended. */
  readonly isBuilt: boolean;
  readonly segments: number;
  readonly events: number;
  /** Of them in cold segments, the only record of theirs. */
  readonly coldEvents: number;
  readonly bytes: number;
  /** Null without events. */
  readonly bytesPerEvent: number | null;
  /** The first and the last instant of its events; null without events. */
  readonly from: number | null;
  readonly to: number | null;
  /** Roughly how many events were stored since its last build. */
  readonly freshEvents: number;
  /** The rebuild that is under way or was interrupted, and the instant before which it has every event. */
  readonly rebuild: {
    readonly until: number | null;
    readonly segments: number;
    readonly bytes: number;
  } | null;
}

/** Adds `segments` to the program. */
export function registerSegmentsCommand(program: Command, context: SegmentsCommandContext): void {
  const { settings, print } = context;
  const segments = program
    .command('segments')
    .description(
      'Look at the segments of events, Parquet files that queries read in place of documents on MongoDB, check them, or make them anew.',
    );
  addSelection(segments.command('list'))
    .description(
      'Show the segments of each website, and of the events of each organization without a website.',
    )
    .action(async (options: SegmentsOptions) => {
      const partitions = await withMongodb(requireMongodb(settings()), (connection) =>
        listPartitions(new SegmentSets(connection.getClient().db(connection.name)), options),
      );
      const totals = totalsOf(partitions);
      if (options.json) printJson(print, { partitions, totals });
      else if (partitions.length === 0) print(`There are no segments${textOf(options)}.\n`);
      else print(table(partitions, totals));
    });
  registerVerify(segments, context);
  registerRebuild(segments, context);
}

async function listPartitions(sets: SegmentSets, options: SegmentsOptions): Promise<ListedPartition[]> {
  const found: ListedPartition[] = [];
  for await (const listed of sets.list(options.organization)) {
    if (isSelected(listed.state.partition, options)) found.push(toPartition(listed));
  }
  return found.sort(
    (a, b) => compare(a.organizationId, b.organizationId) || compare(a.websiteId, b.websiteId),
  );
}

/** Null, for events without a website, comes first. */
function compare(a: string | null, b: string | null): number {
  if (a === b) return 0;
  return (a ?? '') < (b ?? '') ? -1 : 1;
}

function toPartition({ state, fresh }: ListedSet): ListedPartition {
  const { partition, covered, segments, rebuild } = state;
  const events = sum(segments.map(({ rows }) => rows));
  const bytes = sum(segments.map((segment) => segment.bytes));
  return {
    ...partition,
    isBuilt: covered !== null,
    segments: segments.length,
    events,
    coldEvents: sum(segments.map(({ rows, cold }) => (cold === undefined ? 0 : rows))),
    bytes,
    bytesPerEvent: perEvent(bytes, events),
    from: segments.reduce<number | null>((first, { from }) => Math.min(first ?? from, from), null),
    to: segments.reduce<number | null>((last, { to }) => Math.max(last ?? to, to), null),
    freshEvents: fresh,
    rebuild: rebuild && {
      until: rebuild.until,
      segments: rebuild.segments.length,
      bytes: sum(rebuild.segments.map((segment) => segment.bytes)),
    },
  };
}

function totalsOf(partitions: readonly ListedPartition[]) {
  const events = sum(partitions.map((partition) => partition.events));
  const bytes = sum(partitions.map((partition) => partition.bytes));
  return {
    partitions: partitions.length,
    segments: sum(partitions.map((partition) => partition.segments)),
    events,
    coldEvents: sum(partitions.map(({ coldEvents }) => coldEvents)),
    bytes,
    bytesPerEvent: perEvent(bytes, events),
    freshEvents: sum(partitions.map((partition) => partition.freshEvents)),
    rebuilds: partitions.filter(({ rebuild }) => rebuild !== null).length,
  };
}

const HEADER = [
  'ORGANIZATION',
  'WEBSITE',
  'SEGMENTS',
  'EVENTS',
  'COLD',
  'BYTES',
  'BYTES/EVENT',
  'FIRST',
  'LAST',
  'FRESH',
  'REBUILD',
];

function table(partitions: readonly ListedPartition[], totals: ReturnType<typeof totalsOf>): string {
  const rows = partitions.map((partition) => [
    partition.organizationId,
    partition.websiteId ?? '-',
    partition.isBuilt ? count(partition.segments) : 'not built',
    count(partition.events),
    count(partition.coldEvents),
    count(partition.bytes),
    partition.bytesPerEvent === null ? '-' : count(partition.bytesPerEvent),
    instant(partition.from),
    instant(partition.to),
    count(partition.freshEvents),
    rebuildText(partition.rebuild),
  ]);
  const total = [
    'total',
    count(totals.partitions),
    count(totals.segments),
    count(totals.events),
    count(totals.coldEvents),
    count(totals.bytes),
    totals.bytesPerEvent === null ? '-' : count(totals.bytesPerEvent),
    '',
    '',
    count(totals.freshEvents),
    count(totals.rebuilds),
  ];
  return textTable(HEADER, [...rows, total]);
}

function rebuildText(rebuild: ListedPartition['rebuild']): string {
  if (rebuild === null) return '-';
  return rebuild.until === null ? 'at its beginning' : `up to ${instant(rebuild.until)}`;
}

function instant(at: number | null): string {
  return at === null ? '-' : new Date(at).toISOString();
}

/** To a tenth of a byte. */
function perEvent(bytes: number, events: number): number | null {
  return events === 0 ? null : Math.round((bytes / events) * 10) / 10;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

function count(number: number): string {
  return number.toLocaleString('en');
}
