/** Puts the visitor into the record: as the client names it, or a hash that cannot be followed from one day to the next. */
import { createHmac } from 'node:crypto';

const HASH_CHARACTERS = 32;

export interface VisitorInput {
  readonly anonymousId: string | null | undefined;
  readonly anonymize: boolean;
  /** The day of the event decides the salt; milliseconds since the epoch. */
  readonly timestamp: number;
  /** Website or organization: the same visitor has another hash elsewhere. */
  readonly scope: string;
  /** See TrackingPorts. */
  readonly visitorSecret: Uint8Array;
}

/** The column anonymous_id. The salt of a UTC day is derived, so that a restart on the same day keeps it. */
export function putVisitor(input: VisitorInput): { readonly anonymous_id: string | null } {
  const { anonymousId, anonymize, timestamp, scope, visitorSecret } = input;
  if (!anonymousId) return { anonymous_id: null };
  if (!anonymize) return { anonymous_id: anonymousId };
  const day = new Date(timestamp).toISOString().slice(0, 10);
  const salt = createHmac('sha256', visitorSecret).update(`visitor salt of ${day}`).digest();
  const hash = createHmac('sha256', salt).update(`${scope}\n${anonymousId}`).digest('hex');
  return { anonymous_id: hash.slice(0, HASH_CHARACTERS) };
}
