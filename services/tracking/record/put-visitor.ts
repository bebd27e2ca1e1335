/** Puts the visitor into the record: as the client names it, or a hash that cannot be followed from one day to the next. */
import { createHmac } from 'node:crypto';
import type { ClientTraits } from '../client/client-traits.ts';

const HASH_CHARACTERS = 32;
const DAY_MS = 86_400_000;

export interface VisitorInput {
  readonly anonymousId: string | null | undefined;
  readonly anonymize: boolean;
  readonly client: Pick<ClientTraits, 'isKeyless' | 'trace'>;
  /** The day of the event decides the salt; milliseconds since the epoch. */
  readonly timestamp: number;
  /** Website or organization: the same visitor has another hash elsewhere. */
  readonly scope: string;
  /** See TrackingPorts. */
  readonly visitorSecret: Uint8Array;
}

/**
 * The column anonymous_id. A keyless client without id gets the hash of its address and agent; one with a key none, for
 * such requests come from servers. The UTC day goes into the
 * keyed hash as its salt, so that a restart on the same day changes nothing.
 */
export function putVisitor(input: VisitorInput): { readonly anonymous_id: string | null } {
  const { anonymousId, anonymize, client } = input;
  if (anonymousId) return { anonymous_id: anonymize ? hash(input, 'visitor', anonymousId) : anonymousId };
  return { anonymous_id: client.isKeyless ? hash(input, 'client', client.trace) : null };
}

/**
 * Whether device and place of the client are those of the event's visitor. Keyless requests come from visitors. One with a
 * key comes from a server, unless it names a visitor and a browser sent it or is passed on by it.
 */
export function describesVisitor(
  client: Pick<ClientTraits, 'isKeyless' | 'device'>,
  anonymousId: string | null | undefined,
): boolean {
  return client.isKeyless || (Boolean(anonymousId) && client.device.browser_name !== null);
}

/** `kind` keeps the hash of an id apart from that of an address which somebody sends as an id. */
function hash(input: VisitorInput, kind: 'visitor' | 'client', text: string): string {
  const day = Math.floor(input.timestamp / DAY_MS);
  const salted = `${kind} of day ${day}\n${input.scope}\n${text}`;
  return createHmac('sha256', input.visitorSecret).update(salted).digest('hex').slice(0, HASH_CHARACTERS);
}
