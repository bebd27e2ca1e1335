/** A segment set as MongoDB holds it. */
import { type Partition, partitionId } from '../../columns/partition.ts';
import type { Positions } from '../../columns/positions.ts';
import type { ColdPlan, ColdRange, Rebuild, Segment, SetState } from '../../columns/segment-set.ts';

interface StoredPositions {
  readonly floor: number;
  readonly sequences: readonly (readonly [writer: number, last: number])[];
}

/** What a compare-and-set writes. */
export interface SetContent {
  readonly version: number;
  readonly erasures: number;
  readonly covered: StoredPositions | null;
  readonly segments: readonly Segment[];
  readonly rebuild: (Omit<Rebuild, 'target'> & { readonly target: StoredPositions }) | null;
  readonly cold: (Omit<ColdRange, 'within'> & { readonly within: StoredPositions }) | null;
  readonly plan: (Omit<ColdPlan, 'within'> & { readonly within: StoredPositions }) | null;
  /** The first instant that segments which are not cold reach back to; null without any. */
  readonly oldest: number | null;
  /** How many segments are damaged and cannot be made anew. */
  readonly damaged: number;
}

/** The document. One that only counts fresh events has version 0 and none of the rest. */
export interface SetDocument extends Partial<SetContent> {
  readonly _id: string;
  readonly organization_id: string;
  readonly website_id: string | null;
  readonly version: number;
  /** Roughly how many events were stored since the last build. */
  readonly fresh: number;
}

/** The state of a partition that has no document. */
export function emptyState(partition: Partition): SetState {
  const nothing = { covered: null, segments: [], rebuild: null, cold: null, plan: null };
  return { partition, version: 0, erasures: 0, ...nothing };
}

export function toSetState(document: SetDocument): SetState {
  const { organization_id: organizationId, website_id: websiteId, version } = document;
  const { erasures = 0, covered = null, segments = [], rebuild = null, cold = null, plan = null } = document;
  return {
    partition: { organizationId, websiteId },
    version,
    erasures,
    covered: covered === null ? null : toPositions(covered),
    segments,
    rebuild: rebuild === null ? null : { ...rebuild, target: toPositions(rebuild.target) },
    cold: cold === null ? null : { ...cold, within: toPositions(cold.within) },
    plan: plan === null ? null : { ...plan, within: toPositions(plan.within) },
  };
}

export function toSetContent(state: SetState): SetContent {
  const { version, erasures, covered, segments, rebuild, cold, plan } = state;
  return {
    version,
    erasures,
    covered: covered === null ? null : toStored(covered),
    segments,
    rebuild: rebuild === null ? null : { ...rebuild, target: toStored(rebuild.target) },
    cold: cold === null ? null : { ...cold, within: toStored(cold.within) },
    plan: plan === null ? null : { ...plan, within: toStored(plan.within) },
    oldest: segments.reduce<number | null>(
      (oldest, segment) => (segment.cold ? oldest : Math.min(oldest ?? segment.from, segment.from)),
      null,
    ),
    damaged: segments.filter(({ damage }) => damage !== undefined).length,
  };
}

/** The fields that tell which partition it is, and how many events are fresh at first. */
export function firstFields(partition: Partition): Omit<SetDocument, keyof SetContent | 'fresh'> {
  return {
    _id: partitionId(partition),
    organization_id: partition.organizationId,
    website_id: partition.websiteId,
  };
}

function toPositions({ floor, sequences }: StoredPositions): Positions {
  return { floor, sequences: new Map(sequences) };
}

function toStored({ floor, sequences }: Positions): StoredPositions {
  return { floor, sequences: [...sequences] };
}
