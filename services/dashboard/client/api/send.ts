/** The one place that calls `fetch`: sends a request once, and tells its answer or its fault as data. */
import { type Answer, type Request, targetOf } from './answer.ts';
import { faultOf, OFFLINE } from './fault.ts';
import { LINES, linesOf, StreamedBatch } from './streamed-batch.ts';

export interface Sending {
  /** Whether cookies go along. */
  readonly credentials: 'same-origin' | 'omit';
  /** Besides those of the request. */
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

interface Listening<T> {
  /** Told of what has come of a streamed answer, each time that one of its request objects is whole. */
  readonly onPart?: (part: T) => void;
}

/** Never throws, save when `signal` aborts. */
export async function sendOnce<T>(
  request: Request,
  { credentials, headers: further, signal, onPart }: Sending & Listening<T>,
): Promise<Answer<T>> {
  const { method = 'GET', body, ifMatch } = request;
  const headers: Record<string, string> = { ...further };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (ifMatch !== undefined) headers['if-match'] = ifMatch;
  if (request.isStreamed && onPart) headers.accept = `${LINES}, application/json;q=0.5`;
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
    if (response.ok && response.headers.get('content-type')?.startsWith(LINES)) {
      return await readLines<T>(response, onPart);
    }
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
  const { status, headers: told } = response;
  return { ok: true, status, body: parsed as T, etag: told.get('etag'), headers: told };
}

/** An answer that comes line by line. @throws what its connection threw */
async function readLines<T>(response: Response, onPart?: (part: T) => void): Promise<Answer<T>> {
  const batch = new StreamedBatch();
  if (response.body) {
    for await (const line of linesOf(response.body)) {
      if (batch.take(line)) onPart?.(batch.batch(true) as T);
    }
  }
  if (batch.error !== undefined) return { ok: false, fault: faultOf(500, response.headers, batch.error) };
  // Without its last line it was cut.
  if (!batch.isWhole) return { ok: false, fault: OFFLINE };
  return { ok: true, status: response.status, body: batch.batch() as T, etag: null };
}
