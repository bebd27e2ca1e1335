/** Measurements of builds of segments: 0 where the events lie in a file. */
import type { Metrics } from '../../../services/shared/ports/metrics.ts';
import {
  type BuildStatus,
  summaryOf,
} from '../../../services/shared/storage/columns/build-process/build-progress.ts';

/** Each is read at a scrape; a builder that was started again begins at 0. */
export function measureBuilds(metrics: Metrics, builds: () => BuildStatus): void {
  const watchAs = (name: string, help: string, read: (status: BuildStatus) => number) =>
    metrics.watch(`tidegate_${name}`, help, () => read(builds()));
  const watch: typeof watchAs = (name, help, read) => watchAs(`segment_builds_${name}`, help, read);
  watch('running', 'Builds of segments in progress.', ({ running }) => running.length);
  watch('waiting', 'Partitions of events that wait for a build.', ({ waiting }) => waiting);
  watch(
    'share',
    'How much of what is built for the first time, or made anew, is read, from 0 to 1; 1 when nothing is.',
    (status) => summaryOf(status).share ?? 1,
  );
  watch('ended', 'Builds that ended well since the builder started.', ({ built }) => built);
  watch('failed', 'Attempts to build that failed since the builder started.', ({ failed }) => failed);
  watch('events', 'Events that builds have read since the builder started.', ({ events }) => events);
  watch('seconds', 'How long builds took since the builder started.', ({ buildMs }) => buildMs / 1_000);
  const ofCold = (name: string, help: string, read: (status: BuildStatus) => number) =>
    watchAs(`segments_${name}`, help, read);
  ofCold(
    'cold_events',
    'Events whose documents left since the builder started.',
    ({ coldEvents }) => coldEvents,
  );
  ofCold('cold_bytes', 'Bytes of the segments of these events.', ({ coldBytes }) => coldBytes);
  ofCold(
    'damaged_partitions',
    'Partitions with segments that only a backup restores.',
    ({ damaged }) => damaged,
  );
}
