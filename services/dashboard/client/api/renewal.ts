/** Renews the session once for all tabs: who holds the lock refreshes, and who waited for it finds that done. */
import type { Answer } from './answer.ts';
import type { Fault } from './fault.ts';
import type { SessionView } from './wire.ts';

const LOCK = 'tidegate-refresh';
/**
 * A cookie of the pages' own: when the access cookie ends, in milliseconds since 1970, and a mark. No secret. It is a cookie because all
 * tabs see it at once; what one tab puts into storage, another may see later.
 */
const ACCESS = 'tidegate-access';
/** As long as a session lives without use. */
const KEPT_SECONDS = 30 * 86_400;

/** `refused`: the refresh token is spent or over. A fault: nothing is known of the session, and the call has that fault too. */
export type Renewal = 'renewed' | 'refused' | Fault;

/** Keeps when the access cookie ends, so that every tab knows how far the session is. */
export function rememberAccess(view: SessionView): void {
  write(`${Date.parse(view.data.accessExpiresAt)}.${Math.random().toString(36).slice(2)}`, KEPT_SECONDS);
}

/** Keeps it after an answer that brought no new cookie: the mark stays, or other tabs would take this for a renewal. */
export function noteAccess(view: SessionView): void {
  if (Number.parseInt(knownAccess(), 10) !== Date.parse(view.data.accessExpiresAt)) rememberAccess(view);
}

/** Forgets the session at its end; the next page asks for a login without a call that must fail. */
export function forgetAccess(): void {
  write('', 0);
}

/** What is known of the access cookie, another text for each; empty: nobody is logged in here. */
export function knownAccess(): string {
  const line = document.cookie.split('; ').find((each) => each.startsWith(`${ACCESS}=`));
  return line?.slice(ACCESS.length + 1) ?? '';
}

function write(value: string, seconds: number): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in every browser
  document.cookie = `${ACCESS}=${value}; Path=/dashboard; Max-Age=${seconds}; SameSite=Strict`;
}

/** Whether the access cookie has run out, as far as this browser knows. */
export function hasRunOut(access: string): boolean {
  return Number.parseInt(access, 10) <= Date.now();
}

/** Renews the session, unless another tab has since `before` was known. */
export function renewSession(before: string, refresh: () => Promise<Answer<SessionView>>): Promise<Renewal> {
  return alone(async () => {
    const now = knownAccess();
    if (now !== '' && now !== before) return 'renewed';
    const answer = await refresh();
    if (answer.ok) {
      rememberAccess(answer.body);
      return 'renewed';
    }
    return answer.fault.status === 401 ? 'refused' : answer.fault;
  });
}

/** Does it while no tab renews the session: of two answers that set the access cookie, the later act's comes last. */
export function alone<T>(act: () => Promise<T>): Promise<T> {
  // Locks exist on https and localhost alone, and so do the session's cookies.
  return navigator.locks === undefined ? act() : navigator.locks.request(LOCK, act);
}
