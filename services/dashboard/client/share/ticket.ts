/** The ticket of a share that was unlocked, kept as long as the tab: a reload asks for no password, another tab does. */
import type { ShownShare } from '../api/wire.ts';

export interface Unlocked {
  readonly ticket: string;
  /** As the API writes it. */
  readonly expiresAt: string;
  readonly share: ShownShare;
}

const STORED = 'tidegate-share';

/** Null: none is kept, or it counts no more. */
export function recallTicket(token: string, now: number): Unlocked | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(STORED) ?? 'null');
    return kept?.token === token && Date.parse(kept.expiresAt) > now ? kept : null;
  } catch {
    // Storage is off, as in frames of other sites it may be.
    return null;
  }
}

/** Null forgets it. */
export function keepTicket(token: string, unlocked: Unlocked | null): void {
  try {
    if (unlocked === null) sessionStorage.removeItem(STORED);
    else sessionStorage.setItem(STORED, JSON.stringify({ token, ...unlocked }));
  } catch {
    // It lasts as long as the page.
  }
}
