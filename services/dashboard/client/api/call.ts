/** The one place that calls the API: sends, renews the session when it ran out, and sends again, so that no screen has to know. */
import { type Answer, type Request, targetOf } from './answer.ts';
import { faultOf, OFFLINE } from './fault.ts';
import { tellWritten } from './memory.ts';
import { alone, knownAccess, type Renewal, renewSession } from './renewal.ts';
import type { SessionView } from './wire.ts';

/** Sends once, with the session's cookies. Never throws, save when `signal` aborts. */
async function send<T>(request: Request, signal?: AbortSignal): Promise<Answer<T>> {
  const { method = 'GET', body, ifMatch } = request;
  const headers: Record<string, string> = {};
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  let response: Response;
  let text: string;
  try {
    response = await fetch(targetOf(request), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: 'same-origin',
      cache: 'no-store',
      redirect: 'error',
      signal,
    });
    text = await response.text();
  } catch {
    signal?.throwIfAborted();
    return { ok: false, fault: OFFLINE };
  }
  let parsed: unknown;
  try {
    parsed = text === '' ? undefined : JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  if (!response.ok) return { ok: false, fault: faultOf(response.status, response.headers, parsed) };
  return { ok: true, status: response.status, body: parsed as T, etag: response.headers.get('etag') };
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

/** Calls that are about the session itself: a 401 is their answer, and renewing would not change it. */
export function callOnce<T>(request: Request, signal?: AbortSignal): Promise<Answer<T>> {
  return send<T>(request, signal);
}

/**
 * Calls the API for the screen that is open. A session that ran out is renewed, once for all tabs, and the call sent again; when it
 * cannot be renewed, the user logs in over the page, and the call is sent again after that: what was typed is not lost.
 */
export function call<T>(request: Request, signal?: AbortSignal): Promise<Answer<T>> {
  return calling(request, () => send<T>(request, signal));
}

/** Like {@link call}, for what sets the access cookie: no renewal goes on while it is sent. */
export function callAlone<T>(request: Request): Promise<Answer<T>> {
  return calling(request, () => alone(() => send<T>(request)));
}

async function calling<T>(request: Request, sendIt: () => Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await renewing(sendIt);
  if (!answer.ok && answer.fault.kind === 'forbidden') refused();
  // Whether a write that failed was done is not always known.
  if (isWrite(request)) tellWritten();
  return answer;
}

/** Whether it may change what was read before; queries are reads that are posted. */
function isWrite({ method = 'GET', path }: Request): boolean {
  return method !== 'GET' && !path.startsWith('/v1/query');
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
