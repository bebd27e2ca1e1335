/** By what the traffic of the whole installation is counted over time, as one text of labels and back. */
import type { ActivitySubject } from './activity.ts';
import { INSTALLATION } from './configuration-record.ts';

/** Whose counts they are. */
export const PLATFORM_TRAFFIC: ActivitySubject = {
  organizationId: INSTALLATION,
  websiteId: null,
  series: 'platform',
};

/**
 * What is counted, each with what its labels name. `status`: answers with it. `within`: answers by how long they took, named as
 * by {@link durationLabel}. `limit`: refusals by it. `step` and `drop`: events that passed it, or were dropped for it. `service`: a
 * backend and one of `requests`, `failures` and `retries`. `endpoint`: an endpoint and what became of its requests. `took`: an endpoint
 * and as `within`. `organization`: its id, and `requests` or `limited`.
 */
export const PLATFORM_COUNTS = [
  'status',
  'within',
  'limit',
  'step',
  'drop',
  'service',
  'endpoint',
  'took',
  'organization',
] as const;
export type PlatformCount = (typeof PLATFORM_COUNTS)[number];

export function platformLabels(what: PlatformCount, ...names: readonly string[]): string {
  // A limit of a group has a colon, which names of counts have not.
  return [what, ...names.map((name) => name.replaceAll(/[^\w ()-]/g, ' '))].join('|');
}

/** The parts of a text that {@link platformLabels} made. */
export function parsePlatformLabels(text: string): {
  readonly what: string;
  readonly name: string;
  readonly of: string;
} {
  const [what = '', name = '', of = ''] = text.split('|');
  return { what, name, of };
}

const LONGER = 'longer';

/** Names a bucket of durations by its upper bound in seconds: whole microseconds, so that other bounds add up beside it. */
export function durationLabel(upToSeconds: number): string {
  return Number.isFinite(upToSeconds) ? `${Math.round(upToSeconds * 1e6)}` : LONGER;
}

/** The upper bound in milliseconds. */
export function parseDurationLabel(label: string): number {
  return label === LONGER ? Number.POSITIVE_INFINITY : Number(label) / 1_000;
}
