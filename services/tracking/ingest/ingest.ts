/** What every ingest route does with a request, as a list of ordered steps, each counted. */
import type { AppendOutcome } from '../../shared/ports/event-store.ts';
import { type ProfileInput, writeProfile } from '../identify/write-profile.ts';
import type { TrackingParts } from '../ports.ts';
import { makeRecord } from '../record/make-record.ts';
import { hashesVisitor } from '../record/put-visitor.ts';
import { putWebsites, type Target } from '../record/put-websites.ts';
import { type EventReader, validateEvents } from '../record/validate-events.ts';
import type { WireEvent } from '../record/wire-event.ts';
import { writeEvents } from '../record/write-events.ts';
import { NO_KEY } from '../salts/daily-salts.ts';
import type { IngestCounts, IngestStep } from './ingest-counts.ts';
import { dropReasonOf } from './ingest-refusal.ts';
import { asksForPrivacy, honorsPrivacySignals } from './privacy-signals.ts';
import { type Sender, type SenderInput, validateSender } from './validate-sender.ts';

/** The request, and how the route reads it. */
export interface IngestRequest<T> extends SenderInput {
  readonly body: unknown;
  readonly reader: EventReader<T>;
  /** Whether pages use the route, so that privacy signals of their browsers apply. */
  readonly fromPages: boolean;
  /** Bytes received: those of the body and of the query string. */
  readonly receivedBytes: number;
}

/** Stores the events of a request, all or none, and returns them. @throws ApiError with every fault of every event at once */
export async function ingestEvents(
  request: IngestRequest<WireEvent>,
  parts: TrackingParts,
): Promise<readonly WireEvent[]> {
  const { step, now } = begin(request, parts);
  const sender = await step('validateSender', () => validateSender(request, parts));
  const events = await step('validateEvents', () => validateEvents(request.body, request.reader, now));
  const placed = await step('putWebsites', () => putWebsites(parts.documents, sender, events, request));
  const kept = await step('dropUnwilling', () => dropUnwilling(placed, request, parts.counts), countOf);
  if (kept.length === 0) return events;
  const take = () => takeBytes(sender, request, parts);
  const giveBack = await step('takeBudget', take, () => kept.length);
  const records = await step(
    'putRecords',
    async () => {
      const isKeyless = sender.kind === 'keyless';
      const client = parts.readClient({ headers: request.headers, isKeyless });
      const isHashed = kept.some(({ event }) => hashesVisitor(event, client));
      const visitorKey = isHashed ? await parts.salts.at(now) : NO_KEY;
      const context = { now, visitorKey, client, isKeyless };
      return kept.map(({ event, target }) => makeRecord(event, target, context));
    },
    countOf,
  );
  const stored = (outcome: AppendOutcome) => records.length - outcome.repeated;
  const write = () => writeEvents(parts.events, records).catch(takenBack(giveBack));
  const outcome = await step('writeEvents', write, stored);
  dropRepeats(outcome, parts.counts);
  // All events of a request belong to one organization.
  const organizationId = kept[0]?.target.organizationId;
  if (organizationId !== undefined) parts.usage.addEvents(organizationId, stored(outcome));
  return events;
}

/** Counts a keyless request in the daily budget of its website; returns a function that undoes it. */
async function takeBytes(
  sender: Sender,
  { headers, receivedBytes }: Pick<IngestRequest<unknown>, 'headers' | 'receivedBytes'>,
  { budget }: TrackingParts,
): Promise<() => void> {
  if (sender.kind === 'keyed') return () => undefined;
  return budget.take({ website: sender.website, headers }, { bytes: receivedBytes });
}

/** Counts a new profile in a keyless request; returns a function that undoes it. */
async function takeProfile(
  sender: Sender,
  { headers }: Pick<IngestRequest<unknown>, 'headers'>,
  { budget }: TrackingParts,
): Promise<() => void> {
  if (sender.kind === 'keyed') return () => undefined;
  return budget.take({ website: sender.website, headers }, { profiles: 1 });
}

/** Undoes the count of events that were not stored, and rethrows. */
function takenBack(giveBack: () => void): (fault: unknown) => never {
  return (fault) => {
    giveBack();
    throw fault;
  };
}

/** Drops events of websites that honour the privacy signal of the request; they are answered like stored ones. */
function dropUnwilling<T extends { readonly target: Target }>(
  placed: readonly T[],
  { fromPages, headers }: Pick<IngestRequest<unknown>, 'fromPages' | 'headers'>,
  counts: IngestCounts,
): readonly T[] {
  if (!fromPages || !asksForPrivacy(headers)) return placed;
  const kept = placed.filter(({ target }) => !honorsPrivacySignals(target.website));
  if (kept.length < placed.length) counts.add('privacy_signal', placed.length - kept.length);
  return kept;
}

function countOf(list: readonly unknown[]): number {
  return list.length;
}

/**
 * Counts repeated events, which are not stored again. A repeat is certain only when its commit begins, so the store skips it
 * there (docs/decisions/0009) and returns how many were repeats; they are answered like the others.
 */
function dropRepeats({ repeated }: AppendOutcome, counts: IngestCounts): void {
  if (repeated > 0) counts.add('repeated', repeated);
}

/** Stores the profile in a request. @throws ApiError as {@link ingestEvents} */
export async function ingestProfile(
  request: IngestRequest<ProfileInput>,
  parts: TrackingParts,
): Promise<void> {
  const { step, now } = begin(request, parts);
  const sender = await step('validateSender', () => validateSender(request, parts));
  const profiles = await step('validateEvents', () => validateEvents(request.body, request.reader, now));
  const placed = await step('putWebsites', () => putWebsites(parts.documents, sender, profiles, request));
  const kept = await step('dropUnwilling', () => dropUnwilling(placed, request, parts.counts), countOf);
  if (kept.length === 0) return;
  const take = () => takeBytes(sender, request, parts);
  await step('takeBudget', take, () => kept.length);
  await step('writeProfiles', async () => {
    const isKeyed = sender.kind === 'keyed';
    const admitNew = () => takeProfile(sender, request, parts);
    for (const { event, target } of kept) {
      await writeProfile(parts.documents, target, event, { isKeyed, admitNew });
    }
  });
}

/** Validates the events of a request as {@link ingestEvents} does, but stores nothing: the answer to HEAD. */
export async function judgeEvents(request: IngestRequest<WireEvent>, parts: TrackingParts): Promise<void> {
  const sender = await validateSender(request, parts);
  const events = validateEvents(request.body, request.reader, parts.clock.now());
  await putWebsites(parts.documents, sender, events, request);
}

/** Runs one step; its events (or the number `passed` returns) are counted as passed, or as dropped for the reason of the thrown error. */
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
