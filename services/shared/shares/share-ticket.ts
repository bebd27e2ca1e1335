/** Tickets of shares with a password: who unlocked one asks with it for an hour (RFC 7519, HS256). */
import { jwtVerify, SignJWT } from 'jose';
import type { Share } from '../model/share.ts';

/** The request header that carries a ticket. */
export const TICKET_HEADER = 'x-share-ticket';
/** How long a ticket counts, in milliseconds; it does not outlive its share. */
export const TICKET_LIFE_MS = 3_600_000;

const AUDIENCE = 'tidegate-share';
/** Longer texts are no tickets. */
const LONGEST = 1_024;

type Signing = Pick<Share, 'id' | 'ticketKey' | 'expiresAt'>;

/** A ticket for this share and its present password. */
export async function createTicket(
  share: Signing,
  now: number,
): Promise<{ readonly ticket: string; readonly expiresAt: string }> {
  const end = Math.min(
    now + TICKET_LIFE_MS,
    share.expiresAt === null ? Infinity : Date.parse(share.expiresAt),
  );
  const ticket = await new SignJWT()
    .setProtectedHeader({ alg: 'HS256' })
    .setSubject(share.id)
    .setAudience(AUDIENCE)
    .setExpirationTime(Math.floor(end / 1_000))
    .sign(keyOf(share));
  return { ticket, expiresAt: new Date(Math.floor(end / 1_000) * 1_000).toISOString() };
}

/** Whether the text is a ticket of this share that still counts. */
export async function isTicketOf(share: Signing, text: unknown, now: number): Promise<boolean> {
  if (typeof text !== 'string' || text.length > LONGEST) return false;
  try {
    await jwtVerify(text, keyOf(share), {
      algorithms: ['HS256'],
      subject: share.id,
      audience: AUDIENCE,
      requiredClaims: ['exp'],
      currentDate: new Date(now),
    });
    return true;
  } catch {
    return false;
  }
}

function keyOf({ ticketKey }: Signing): Uint8Array {
  return Buffer.from(ticketKey, 'base64url');
}
