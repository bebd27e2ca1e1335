/**
 * Evaluates all flags of a client into one bounded answer. Anybody may ask for it, so long payloads are serialized only
 * once, and an answer that equals the one before reuses it.
 */
import { entityTagOf } from '../../shared/http/entity-tag.ts';
import type { FlagsByKey } from './compile-flags.ts';
import { type CompiledFlag, evaluateFlag, type FlagVerdict, nothingKnown } from './evaluate-flag.ts';
import { askedKeys, type BulkQuery, contextOf } from './evaluation-query.ts';

/** How many bytes of JSON the payloads of one answer may take together. */
export const MAX_PAYLOAD_BYTES = 524_288;

/** An answer as it is sent. */
export interface BulkAnswer {
  /** JSON in UTF-8. */
  readonly bytes: Buffer;
  readonly etag: string;
}

/** A verdict and its key in an answer, in three parts: payloads are long, and many verdicts share one. */
interface WrittenVerdict {
  readonly before: string;
  readonly payload: string;
  readonly after: string;
}

/** The serialized parts of a flag. They live as long as the compiled flag, which is replaced when a flag changes. */
interface WrittenFlag {
  readonly key: string;
  payload: { readonly text: string; readonly bytes: number } | null;
  /** By what distinguishes one verdict on the flag from another; equal verdicts are the same object. */
  readonly carried: Map<string, WrittenVerdict>;
  readonly omitted: Map<string, WrittenVerdict>;
}
const writtenFlags = new WeakMap<CompiledFlag, WrittenFlag>();

/** The last answer for a client, and the verdicts that it consists of. */
interface LastAnswer extends BulkAnswer {
  readonly verdicts: readonly WrittenVerdict[];
}
const lastAnswers = new WeakMap<FlagsByKey, LastAnswer>();

/**
 * The verdict on each flag, or on those in `keys`, ordered by key. Payloads are included in that order as long as they
 * fit {@link MAX_PAYLOAD_BYTES}; from the first that does not fit on, they are omitted and named.
 */
export function evaluateBulk(flags: FlagsByKey, query: BulkQuery): BulkAnswer {
  const context = contextOf(query);
  const known = nothingKnown();
  const asked = askedKeys(query);
  const verdicts: WrittenVerdict[] = [];
  const omitted: string[] = [];
  let room = MAX_PAYLOAD_BYTES;
  for (const key of asked === null ? flags.keys() : [...asked].sort()) {
    const flag = flags.get(key);
    if (flag === undefined) continue;
    const verdict = evaluateFlag(flag, context, known);
    const written = writtenOf(flag);
    // A payload that cannot fit is not serialized.
    const bytes = verdict.payload === null || omitted.length > 0 ? 0 : payloadOf(written, verdict).bytes;
    const isCarried = verdict.payload === null || (omitted.length === 0 && bytes <= room);
    if (isCarried) room -= bytes;
    else omitted.push(written.key);
    verdicts.push(verdictOf(written, verdict, isCarried));
  }
  return answerOf(flags, verdicts, omitted);
}

function answerOf(
  flags: FlagsByKey,
  verdicts: readonly WrittenVerdict[],
  omitted: readonly string[],
): BulkAnswer {
  const last = lastAnswers.get(flags);
  // The verdicts determine what is omitted: one without its payload differs from one with it.
  if (
    last?.verdicts.length === verdicts.length &&
    verdicts.every((each, index) => each === last.verdicts[index])
  )
    return last;
  const texts = verdicts.map(({ before, payload, after }) => before + payload + after).join(',');
  const more = omitted.length === 0 ? '' : `,"payloadsOmitted":[${omitted.join(',')}]`;
  const bytes = Buffer.from(`{"flags":{${texts}},"count":${verdicts.length}${more}}`);
  const answer = { bytes, etag: entityTagOf(bytes), verdicts };
  lastAnswers.set(flags, answer);
  return answer;
}

function writtenOf(flag: CompiledFlag): WrittenFlag {
  let written = writtenFlags.get(flag);
  if (written === undefined) {
    written = { key: JSON.stringify(flag.key), payload: null, carried: new Map(), omitted: new Map() };
    writtenFlags.set(flag, written);
  }
  return written;
}

/** For a verdict with a payload, which is the flag's. */
function payloadOf(written: WrittenFlag, { payload }: FlagVerdict): NonNullable<WrittenFlag['payload']> {
  if (written.payload === null) {
    const text = JSON.stringify(payload);
    written.payload = { text, bytes: Buffer.byteLength(text) };
  }
  return written.payload;
}

function verdictOf(written: WrittenFlag, verdict: FlagVerdict, isCarried: boolean): WrittenVerdict {
  const { enabled, reason, variant, value, payload } = verdict;
  const name = `${enabled} ${reason} ${variant ?? ''}`;
  const [same, other] = isCarried ? [written.carried, written.omitted] : [written.omitted, written.carried];
  let known = same.get(name);
  if (known === undefined) {
    const text = payload === null ? 'null' : isCarried ? payloadOf(written, verdict).text : OMITTED;
    known = { ...(other.get(name) ?? surroundings()), payload: text };
    same.set(name, known);
  }
  return known;

  function surroundings(): Omit<WrittenVerdict, 'payload'> {
    const ofVariant = variant === undefined ? '' : `,"variant":${JSON.stringify(variant)}`;
    return {
      // The key is written directly: a flag may be called "__proto__", or like an index.
      before: `${written.key}:{"enabled":${enabled},"value":${JSON.stringify(value)},"payload":`,
      after: `,"reason":"${reason}"${ofVariant}}`,
    };
  }
}

const OMITTED = 'null,"payloadOmitted":true';
