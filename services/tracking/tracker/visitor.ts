/** The visitor: an identifier that stays in this browser, and one that ends after half an hour without events. No cookies. */

const KEY = 'tidegate';
/** A session ends after this time without events, in milliseconds. */
const LONGEST_REST_MS = 30 * 60_000;

export interface VisitorIds {
  readonly anonymousId?: string;
  readonly sessionId?: string;
}

/** 128 random bits as text; `crypto.randomUUID` exists only on https. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
}

/** The identifiers of the visitor; reading them extends the session. None where the browser refuses storage. */
export function readVisitor(now: number): VisitorIds {
  try {
    const anonymousId = localStorage.getItem(KEY) || randomId();
    const [known, lastMs] = (sessionStorage.getItem(KEY) || '').split('.');
    const sessionId = known && now - Number(lastMs) < LONGEST_REST_MS ? known : randomId();
    localStorage.setItem(KEY, anonymousId);
    sessionStorage.setItem(KEY, `${sessionId}.${now}`);
    return { anonymousId, sessionId };
  } catch {
    return {};
  }
}
