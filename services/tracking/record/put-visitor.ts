/** Puts the visitor into the record: as named by the client, or as a hash that cannot be linked from one day to the next. */
import { createHmac } from 'node:crypto';
import type { ClientTraits } from '../client/client-traits.ts';
import type { VisitorKey } from '../salts/daily-salts.ts';
import type { WireEvent } from './wire-event.ts';

const HASH_CHARACTERS = 32;
const DAY_MS = 86_400_000;

export interface VisitorInput {
  readonly anonymousId: string | null | undefined;
  readonly anonymize: boolean;
  readonly client: Pick<ClientTraits, 'isKeyless' | 'trace'>;
  /** The day of the event decides the salt; milliseconds since the epoch. */
  readonly timestamp: number;
  /** Website or organization: the same visitor has a different hash elsewhere. */
  readonly scope: string;
  readonly visitorKey: VisitorKey;
}

/**
 * The column anonymous_id. A keyless client without id gets the hash of its address and agent; one with a key gets none,
 * since such requests come from servers. The key is that of the UTC day (salts/daily-salts.ts), which is also part of
 * the text: events that arrive later than the day after theirs get the key of the day of arrival.
 */
export function putVisitor(input: VisitorInput): { readonly anonymous_id: string | null } {
  const { anonymousId, anonymize, client } = input;
  if (anonymousId) return { anonymous_id: anonymize ? hash(input, 'visitor', anonymousId) : anonymousId };
  return { anonymous_id: client.isKeyless ? hash(input, 'client', client.trace) : null };
}

/** Whether the visitor of an event is stored as a hash, which needs the salt of the day. */
export function hashesVisitor(
  { anonymousId, anonymizeVisitorIds }: Pick<WireEvent, 'anonymousId' | 'anonymizeVisitorIds'>,
  client: Pick<ClientTraits, 'isKeyless'>,
): boolean {
  return anonymousId ? anonymizes(anonymizeVisitorIds) : client.isKeyless;
}

/** Whether an event asks for a hash in place of its visitor's id. */
export function anonymizes(anonymizeVisitorIds: WireEvent['anonymizeVisitorIds']): boolean {
  return anonymizeVisitorIds === true || anonymizeVisitorIds === 'auto';
}

/**
 * Whether the client's device and place are those of the event's visitor. Keyless requests come from visitors. A request with
 * a key comes from a server, unless it names a visitor and a browser sent it or its headers were passed on.
 */
export function describesVisitor(
  client: Pick<ClientTraits, 'isKeyless' | 'device'>,
  anonymousId: string | null | undefined,
): boolean {
  return client.isKeyless || (Boolean(anonymousId) && client.device.browser_name !== null);
}

/** `kind` separates the hash of an id from that of an address which a client sends as an id. */
function hash(input: VisitorInput, kind: 'visitor' | 'client', text: string): string {
  const day = Math.floor(input.timestamp / DAY_MS);
  const salted = `${kind} of day ${day}\n${input.scope}\n${text}`;
  return createHmac('sha256', input.visitorKey(input.timestamp))
    .update(salted)
    .digest('hex')
    .slice(0, HASH_CHARACTERS);
}
