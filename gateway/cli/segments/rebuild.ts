/** `tidegate segments rebuild`: makes segments anew, under the lease of each partition, beside running servers. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { systemClock } from '../../../services/shared/ports/clock.ts';
import { SegmentBuilder } from '../../../services/shared/storage/columns/build/segment-builder.ts';
import { BuildProgress } from '../../../services/shared/storage/columns/build-process/build-progress.ts';
import type { Partition } from '../../../services/shared/storage/columns/partition.ts';
import { printJson } from '../print-json.ts';
import { Refusal } from '../refusal.ts';
import {
  addSelection,
  nameOf,
  type SegmentsCommandContext,
  type SegmentsOptions,
  type SegmentsPorts,
  selectedPartitions,
  textOf,
  withSegments,
} from './selection.ts';

const TELL_EVERY_MS = 2_000;

/** How long a count of events may take that only tells how long a rebuild will. */
const COUNT_MS = 5_000;

/** How often a partition that another process builds is tried again, and how long, in milliseconds. */
const BUSY_MS = 1_000;
const LONGEST_BUSY_MS = 600_000;

interface RebuiltPartition extends Partition {
  readonly segments: number;
  readonly events: number;
  readonly bytes: number;
  readonly seconds: number;
}

/** Adds `rebuild` to the command. */
export function registerRebuild(segments: Command, context: SegmentsCommandContext): void {
  addSelection(segments.command('rebuild'))
    .description(
      'Make segments anew from the events, one partition after the other; queries read the former ones until then.',
    )
    .action((options: SegmentsOptions) => run(options, context));
}

async function run(options: SegmentsOptions, context: SegmentsCommandContext): Promise<void> {
  const { print, tell } = context;
  const partitions = await withSegments(context, async (ports) => {
    const selected = await selectedPartitions(ports.sets, options);
    const rebuilt: RebuiltPartition[] = [];
    for (const [index, partition] of selected.entries()) {
      const place = selected.length === 1 ? '' : ` (${count(index + 1)} of ${count(selected.length)})`;
      rebuilt.push(
        await rebuild(ports, partition, (text) => tell(`${nameOf(partition)}${place}: ${text}\n`)),
      );
    }
    return rebuilt;
  });
  if (options.json) return printJson(print, { partitions });
  if (partitions.length === 0) return print(`There are no segments${textOf(options)}.\n`);
  for (const { segments, events, bytes, seconds, ...partition } of partitions) {
    const made = `${count(segments)} segments, ${count(events)} events, ${count(bytes)} bytes`;
    print(`${nameOf(partition)}: ${made} in ${count(seconds)} s\n`);
  }
}

async function rebuild(
  { maker, ...ports }: SegmentsPorts,
  partition: Partition,
  tell: (text: string) => void,
): Promise<RebuiltPartition> {
  const progress = new BuildProgress(systemClock);
  const arrivals = progress.counting(ports.arrivals);
  const builder = new SegmentBuilder({ ...ports, arrivals, maker });
  const began = performance.now();
  const all = await ports.arrivals.count(partition, COUNT_MS);
  const telling = setInterval(() => {
    const { events } = progress.status(0);
    const rate = Math.round((events * 1_000) / (performance.now() - began));
    tell(
      `${count(events)}${all === null ? '' : ` of about ${count(all)}`} events read, ${count(rate)} events/s`,
    );
  }, TELL_EVERY_MS);
  try {
    let isBuilt = await builder.rebuildPartition(partition);
    if (!isBuilt) tell('another process builds it; waiting for its end');
    while (!isBuilt) {
      if (performance.now() - began > LONGEST_BUSY_MS) throw busy(partition);
      await pause(BUSY_MS);
      isBuilt = await builder.buildPartition(partition);
    }
  } finally {
    clearInterval(telling);
  }
  const { segments } = await ports.sets.readState(partition);
  return {
    ...partition,
    segments: segments.length,
    events: segments.reduce((sum, { rows }) => sum + rows, 0),
    bytes: segments.reduce((sum, { bytes }) => sum + bytes, 0),
    seconds: Math.round((performance.now() - began) / 100) / 10,
  };
}

function busy(partition: Partition): Refusal {
  const minutes = LONGEST_BUSY_MS / 60_000;
  return new Refusal(
    'SERVICE_UNAVAILABLE',
    `${nameOf(partition)}: another process has been building it for ${minutes} minutes; the rebuild is noted, and is done by the next build`,
  );
}

function count(number: number): string {
  return number.toLocaleString('en');
}
