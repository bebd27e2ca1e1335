/** What every ingest route does with a request, as a list of steps in their order, each counted. */
import type { AppendOutcome } from '../../shared/ports/event-store.ts';
import { type ProfileInput, writeProfile } from '../identify/write-profile.ts';
import type { IngestCounts, TrackingParts } from '../ports.ts';
import { makeRecord } from '../record/make-record.ts';
import { putWebsites } from '../record/put-websites.ts';
import { type EventReader, validateEvents } from '../record/validate-events.ts';
import type { WireEvent } from '../record/wire-event.ts';
import { writeEvents } from '../record/write-events.ts';
import type { IngestStep } from './ingest-counts.ts';
import { dropReasonOf } from './ingest-refusal.ts';
import { type SenderInput, validateSender } from './validate-sender.ts';

/** What came, and how the route reads it. */
export interface IngestRequest<T> extends SenderInput {
  readonly body: unknown;
  readonly reader: EventReader<T>;
}

/** Stores the events of a request, all or none; those events. @throws ApiError with every fault of every event at once */
export async function ingestEvents(
  request: IngestRequest<WireEvent>,
  parts: TrackingParts,
): Promise<readonly WireEvent[]> {
  const { step, now } = begin(request, parts);
  const sender = await step('validateSender', () => validateSender(request, parts.sites));
  const events = await step('validateEvents', () => validateEvents(request.body, request.reader, now));
  const placed = await step('putWebsites', () => putWebsites(parts.documents, sender, events, request));
  const records = await step('putRecords', () => {
    const client = parts.readClient({ headers: request.headers, isKeyless: sender.kind === 'keyless' });
    const context = { now, visitorSecret: parts.visitorSecret, client };
    return placed.map(({ event, target }) => makeRecord(event, target, context));
  });
  const stored = (outcome: AppendOutcome) => records.length - outcome.repeated;
  const outcome = await step('writeEvents', () => writeEvents(parts.events, records), stored);
  dropRepeats(outcome, parts.counts);
  // All events of a request belong to one organization.
  const organizationId = placed[0]?.target.organizationId;
  if (organizationId !== undefined) parts.usage.addEvents(organizationId, stored(outcome));
  return events;
}

/**
 * Counts what was not stored again. That an event is a repeat is known for certain only when its commit begins, so the
 * store leaves it out there (docs/decisions/0009) and says how many it were; they are answered like the others.
 */
function dropRepeats({ repeated }: AppendOutcome, counts: IngestCounts): void {
  if (repeated > 0) counts.add('repeated', repeated);
}

/** Stores what a request says of a person. @throws ApiError as {@link ingestEvents} */
export async function ingestProfile(
  request: IngestRequest<ProfileInput>,
  parts: TrackingParts,
): Promise<void> {
  const { step, now } = begin(request, parts);
  const sender = await step('validateSender', () => validateSender(request, parts.sites));
  const profiles = await step('validateEvents', () => validateEvents(request.body, request.reader, now));
  const placed = await step('putWebsites', () => putWebsites(parts.documents, sender, profiles, request));
  await step('writeProfiles', async () => {
    const isKeyed = sender.kind === 'keyed';
    for (const { event, target } of placed) await writeProfile(parts.documents, target, event, isKeyed);
  });
}

/** Judges the events of a request as {@link ingestEvents} does, and stores nothing: the answer to HEAD. */
export async function judgeEvents(request: IngestRequest<WireEvent>, parts: TrackingParts): Promise<void> {
  const sender = await validateSender(request, parts.sites);
  const events = validateEvents(request.body, request.reader, parts.clock.now());
  await putWebsites(parts.documents, sender, events, request);
}

/** Runs one step; its events (or as many as `passed` says) are counted as passed, or as dropped for the reason of what it throws. */
type RunStep = <T>(
  name: IngestStep,
  work: () => T | Promise<T>,
  passed?: (result: T) => number,
) => Promise<T>;

function begin({ body }: IngestRequest<unknown>, { clock, counts }: TrackingParts) {
  const received = Array.isArray(body) ? body.length : 1;
  counts.add('received', received);
  return { now: clock.now(), step: createRunStep(counts, received) };
}

function createRunStep(counts: IngestCounts, received: number): RunStep {
  return async (name, work, passed) => {
    try {
      const result = await work();
      counts.add(name, passed?.(result) ?? received);
      return result;
    } catch (thrown) {
      counts.add(dropReasonOf(thrown), received);
      throw thrown;
    }
  };
}
