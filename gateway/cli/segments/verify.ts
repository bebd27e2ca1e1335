/** `tidegate segments verify`: reads every file of segments back, and names what is wrong. */
import type { Command } from 'commander';
import {
  type SegmentFault,
  verifyPartition,
} from '../../../services/shared/storage/columns/build/verify-segments.ts';
import type { Partition } from '../../../services/shared/storage/columns/partition.ts';
import { printJson } from '../print-json.ts';
import {
  addSelection,
  nameOf,
  type SegmentsCommandContext,
  type SegmentsOptions,
  selectedPartitions,
  textOf,
  withSegments,
} from './selection.ts';

const TELL_EVERY_MS = 2_000;

/** A fault as `--json` has it; instants in epoch milliseconds. */
interface ToldFault extends Partition {
  readonly segment: string;
  readonly from: number;
  readonly to: number;
  readonly events: number;
  /** Whether it is the only record of its events. */
  readonly isCold: boolean;
  readonly reason: string;
}

/** Adds `verify` to the command. */
export function registerVerify(segments: Command, context: SegmentsCommandContext): void {
  addSelection(segments.command('verify'))
    .description(
      'Read every file of segments back and compare its checksum, rows and columns; exit code 1 when one is wrong.',
    )
    .action((options: SegmentsOptions) => run(options, context));
}

async function run(options: SegmentsOptions, context: SegmentsCommandContext): Promise<void> {
  const { print, tell, found } = context;
  const totals = { partitions: 0, segments: 0, events: 0, bytes: 0 };
  const faults: ToldFault[] = [];
  await withSegments(context, async (ports) => {
    const partitions = await selectedPartitions(ports.sets, options);
    let next = performance.now() + TELL_EVERY_MS;
    for (const partition of partitions) {
      const verified = await verifyPartition(ports, partition);
      totals.partitions++;
      totals.segments += verified.segments;
      totals.events += verified.events;
      totals.bytes += verified.bytes;
      faults.push(...verified.faults.map((fault) => toldFault(partition, fault)));
      if (performance.now() < next) continue;
      next = performance.now() + TELL_EVERY_MS;
      tell(
        `${count(totals.partitions)} of ${count(partitions.length)} partitions, ${count(totals.bytes)} bytes read\n`,
      );
    }
  });
  if (faults.length > 0) found();
  if (options.json) return printJson(print, { ...totals, faults });
  if (totals.partitions === 0) return print(`There are no segments${textOf(options)}.\n`);
  for (const fault of faults) print(`${lineOf(fault)}\n`);
  const read = `${count(totals.segments)} segments of ${count(totals.partitions)} partitions, ${count(totals.events)} events, ${count(totals.bytes)} bytes`;
  print(
    faults.length === 0
      ? `All are as they were written: ${read}.\n`
      : `${count(faults.length)} faults in ${read}.\n`,
  );
}

function toldFault(partition: Partition, { segment, reason }: SegmentFault): ToldFault {
  const { id, from, to, rows, cold } = segment;
  return { ...partition, segment: id, from, to, events: rows, isCold: cold !== undefined, reason };
}

function lineOf({ segment, from, to, events, isCold, reason, ...partition }: ToldFault): string {
  const remedy = isCold ? 'it is cold: restore it from a backup' : 'tidegate segments rebuild makes it anew';
  const range = `${new Date(from).toISOString()} to ${new Date(to).toISOString()}`;
  return `${nameOf(partition)}, ${range}, ${count(events)} events: the segment ${segment} ${reason}; ${remedy}`;
}

function count(number: number): string {
  return number.toLocaleString('en');
}
