/** The one place that calls `fetch`: sends a request once, and tells its answer or its fault as data. */
import { type Answer, type Request, targetOf } from './answer.ts';
import { faultOf, OFFLINE } from './fault.ts';

export interface Sending {
  /** Whether cookies go along. */
  readonly credentials: 'same-origin' | 'omit';
  /** Besides those of the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Never throws, save when `signal` aborts. */
export async function sendOnce<T>(
  request: Request,
  { credentials, headers: further, signal }: Sending,
): Promise<Answer<T>> {
  const { method = 'GET', body, ifMatch } = request;
  const headers: Record<string, string> = { ...further };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  let response: Response;
  let text: string;
  try {
    response = await fetch(targetOf(request), {
      method,
      headers,
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials,
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
