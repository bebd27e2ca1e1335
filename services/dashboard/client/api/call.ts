/**
 * The one place that calls the API for those who are logged in: sends, renews the session when it ran out, and sends again, so that no screen has to know. A call says
 * which organization the page shows, so that none is answered, and nothing written, for another one that another tab switched to.
 */
import type { Answer, Request } from './answer.ts';
import { ORGANIZATION_HEADER } from './fault.ts';
import { tellWritten } from './memory.ts';
import { alone, knownAccess, type Renewal, renewSession } from './renewal.ts';
import { sendOnce } from './send.ts';
import { shownOrganization } from './shown-organization.ts';
import type { SessionView } from './wire.ts';

/** Session and account are those of the user in whichever organization; to learn of a switch must not fail for it. */
function isOfUser({ path }: Request): boolean {
  return path.startsWith('/v1/auth/');
}

/** Sends once, with the session's cookies. Never throws, save when `signal` aborts. */
function send<T>(request: Request, signal?: AbortSignal, onPart?: (part: T) => void): Promise<Answer<T>> {
  const organizationId = shownOrganization();
  const isNamed = organizationId !== undefined && !isOfUser(request);
  const headers: Record<string, string> = isNamed ? { [ORGANIZATION_HEADER]: organizationId } : {};
  return sendOnce<T>(request, { credentials: 'same-origin', headers, signal, onPart });
}

const isOver = (answer: Answer<unknown>): boolean =>
  !answer.ok && answer.fault.status === 401 && answer.fault.code === 'AUTH_REQUIRED';

/** Asks somebody to log in, and tells whether the same user is back; set by the frame, which shows the login over the page. */
type Reentry = () => Promise<boolean>;
let reenter: Reentry = () => Promise.resolve(false);
export function onSessionOver(ask: Reentry): void {
  reenter = ask;
}

/** Told of a refusal for want of rights: the role may have become another one since the page was drawn. */
let refused: () => void = () => {};
export function onForbidden(listener: () => void): void {
  refused = listener;
}

/** Told that the session acts for another organization than the page shows; resolves once the page shows that one. */
let switched: () => Promise<void> = () => Promise.resolve();
export function onSwitched(listener: () => Promise<void>): void {
  switched = listener;
}

/** Calls that are about the session itself: a 401 is their answer, and renewing would not change it. */
export function callOnce<T>(request: Request, signal?: AbortSignal): Promise<Answer<T>> {
  return send<T>(request, signal);
}

/**
 * Calls the API for the screen that is open. A session that ran out is renewed, once for all tabs, and the call sent again; when it
 * cannot be renewed, the user logs in over the page, and the call is sent again after that: what was typed is not lost. `onPart` is told
 * of what has come of a streamed answer.
 */
export function call<T>(
  request: Request,
  signal?: AbortSignal,
  onPart?: (part: T) => void,
): Promise<Answer<T>> {
  return calling(request, () => send<T>(request, signal, onPart));
}

/** Like {@link call}, for what sets the access cookie: no renewal goes on while it is sent. */
export function callAlone<T>(request: Request): Promise<Answer<T>> {
  return calling(request, () => alone(() => send<T>(request)));
}

const isSwitched = (answer: Answer<unknown>): boolean => !answer.ok && answer.fault.kind === 'switched';

async function calling<T>(request: Request, sendIt: () => Promise<Answer<T>>): Promise<Answer<T>> {
  const meant = shownOrganization();
  let answer = await renewing(sendIt);
  if (isSwitched(answer)) {
    await switched();
    // Switched back meanwhile, it is asked again; or else who asked is gone from the page with the organization that it was for.
    if (shownOrganization() === meant) answer = await renewing(sendIt);
  }
  if (!answer.ok && answer.fault.kind === 'forbidden') refused();
  // Whether a write that failed was done is not always known.
  if (isWrite(request)) tellWritten();
  return answer;
}

/** Whether it may change what was read before; queries are reads that are posted, as that of an invitation is by its token. */
function isWrite({ method = 'GET', path }: Request): boolean {
  return method !== 'GET' && !path.startsWith('/v1/query') && path !== '/v1/auth/invitation';
}

async function renewing<T>(sendIt: () => Promise<Answer<T>>): Promise<Answer<T>> {
  const access = knownAccess();
  let answer = await sendIt();
  if (!isOver(answer)) return answer;
  const outcome = await renew(access);
  if (typeof outcome === 'object') return { ok: false, fault: outcome };
  // A refused refresh is no verdict: another tab may have been first.
  answer = await sendIt();
  return isOver(answer) && (await reenter()) ? sendIt() : answer;
}

/** Renews the session when it ran out while no page was open; `call` does by itself. */
export function renew(access: string): Promise<Renewal> {
  return renewSession(access, () => send<SessionView>({ method: 'POST', path: '/v1/auth/refresh' }));
}
