/** What every ingest route does with a request, as a list of ordered steps, each counted. */
import { type ProfileInput, writeProfile } from '../identify/write-profile.ts';
import type { TrackingParts } from '../ports.ts';
import { makeRecord } from '../record/make-record.ts';
import { hashesVisitor } from '../record/put-visitor.ts';
import { putWebsites, type Target, type Targeted } from '../record/put-websites.ts';
import { type EventReader, validateEvents } from '../record/validate-events.ts';
import type { WireEvent } from '../record/wire-event.ts';
import { writeEvents } from '../record/write-events.ts';
import { NO_KEY, type VisitorKey } from '../salts/daily-salts.ts';
import { IngestRun } from './ingest-run.ts';
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
  const now = parts.clock.now();
  const run = new IngestRun(request, parts);
  const { sender, read, kept } = await place(run, request, parts, now);
  if (kept.length === 0) return read;
  const take = () => takeBytes(sender, request, parts);
  const giveBack = await run.step('takeBudget', take, () => kept.length);
  const records = await run.step(
    'putRecords',
    () => {
      const isKeyless = sender.kind === 'keyless';
      const client = parts.readClient({ headers: request.headers, isKeyless });
      const recordsWith = (visitorKey: VisitorKey) => {
        const context = { now, visitorKey, client, isKeyless };
        return kept.map(({ event, target }) => makeRecord(event, target, context));
      };
      if (!kept.some(({ event }) => hashesVisitor(event, client))) return recordsWith(NO_KEY);
      const key = parts.salts.at(now);
      return key instanceof Promise ? key.then(recordsWith) : recordsWith(key);
    },
    countOf,
  );
  const write = () => writeEvents(parts.events, records).catch(takenBack(giveBack));
  const { repeats } = await run.step(
    'writeEvents',
    write,
    (outcome) => records.length - outcome.repeats.length,
  );
  const stored = withoutRepeats(run, kept, repeats);
  run.became('stored', stored);
  // All events of a request belong to one organization.
  const organizationId = kept[0]?.target.organizationId;
  if (organizationId !== undefined) parts.usage.addEvents(organizationId, stored.length);
  return read;
}

/** What the steps that events and profiles share make of a request: who sends, all that was read, and what is to be stored. */
interface Placed<T> {
  readonly sender: Sender;
  readonly read: readonly T[];
  readonly kept: readonly Targeted<T>[];
}

async function place<T extends { readonly websiteId?: string | null | undefined }>(
  run: IngestRun,
  request: IngestRequest<T>,
  parts: TrackingParts,
  now: number,
): Promise<Placed<T>> {
  const sender = run.sentBy(await run.step('validateSender', () => validateSender(request, parts)));
  const read = await run.step('validateEvents', () => validateEvents(request.body, request.reader, now));
  const placing = () => putWebsites(parts, sender, read, request);
  const placed = run.placedAt(await run.step('putWebsites', placing));
  const kept = await run.step('dropUnwilling', () => dropUnwilling(run, placed, request), countOf);
  return { sender, read, kept: run.placedAt(kept) };
}

/** Counts a keyless request in the daily budget of its website; returns a function that undoes it. */
function takeBytes(
  sender: Sender,
  { headers, receivedBytes }: Pick<IngestRequest<unknown>, 'headers' | 'receivedBytes'>,
  { budget }: TrackingParts,
): (() => void) | Promise<() => void> {
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
  run: IngestRun,
  placed: readonly T[],
  { fromPages, headers }: Pick<IngestRequest<unknown>, 'fromPages' | 'headers'>,
): readonly T[] {
  if (!fromPages || !asksForPrivacy(headers)) return placed;
  const isUnwilling = ({ target }: T) => honorsPrivacySignals(target.website);
  const dropped = placed.filter(isUnwilling).map(({ target }) => target);
  run.became('privacy_signal', dropped);
  return dropped.length === 0 ? placed : placed.filter((each) => !isUnwilling(each));
}

function countOf(list: readonly unknown[]): number {
  return list.length;
}

/**
 * Counts repeated events, which are not stored again, and returns the targets of the others. A repeat is certain only when
 * its commit begins, so the store skips it there (docs/decisions/0009) and tells which were; they are answered like the others.
 */
function withoutRepeats(
  run: IngestRun,
  kept: readonly { readonly target: Target }[],
  repeats: readonly number[],
): readonly Target[] {
  const targets = kept.map(({ target }) => target);
  if (repeats.length === 0) return targets;
  const repeated = new Set(repeats);
  run.became(
    'repeated',
    targets.filter((_, position) => repeated.has(position)),
  );
  return targets.filter((_, position) => !repeated.has(position));
}

/** Stores the profile in a request. @throws ApiError as {@link ingestEvents} */
export async function ingestProfile(
  request: IngestRequest<ProfileInput>,
  parts: TrackingParts,
): Promise<void> {
  const run = new IngestRun(request, parts);
  const { sender, kept } = await place(run, request, parts, parts.clock.now());
  if (kept.length === 0) return;
  const take = () => takeBytes(sender, request, parts);
  await run.step('takeBudget', take, () => kept.length);
  await run.step('writeProfiles', async () => {
    const isKeyed = sender.kind === 'keyed';
    const admitNew = () => takeProfile(sender, request, parts);
    for (const { event, target } of kept) {
      await writeProfile(parts.documents, target, event, { isKeyed, admitNew });
    }
  });
  run.became(
    'stored',
    kept.map(({ target }) => target),
  );
}

/** Validates the events of a request as {@link ingestEvents} does, but stores nothing: the answer to HEAD. */
export async function judgeEvents(request: IngestRequest<WireEvent>, parts: TrackingParts): Promise<void> {
  const sender = await validateSender(request, parts);
  const events = validateEvents(request.body, request.reader, parts.clock.now());
  await putWebsites(parts, sender, events, request);
}
