/**
 * Asks by HTTP and reads the answer whole, at a quarter of what `fetch` costs a processor: suites send tens of thousands of requests.
 * What is sent, and what an answer reads as, is the same as by `fetch` that follows no redirect.
 */
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { Agent, type Dispatcher, request } from 'undici';

/** An answer that came to its end. */
export interface WholeAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  /** Empty when it has none. */
  readonly mediaType: string;
  readonly text: string;
}

export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly signal?: AbortSignal;
}

/** What `fetch` says of itself. */
const SENT = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate',
};
const INFLATE: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  br: brotliDecompressSync,
  deflate: inflateSync,
  gzip: gunzipSync,
};

/** Reused only within a second: a server closes an idle one after five, and a busy machine holds up whoever hears of it. */
const connections = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });
const utf8 = new TextDecoder();

/** @throws Error when no whole answer comes */
export async function askWhole(url: string, options: AskOptions = {}): Promise<WholeAnswer> {
  const { method = 'GET', body = null, signal } = options;
  const headers: Record<string, string> = { ...SENT };
  if (typeof body === 'string') headers['content-type'] = 'text/plain;charset=UTF-8';
  for (const [name, value] of Object.entries(options.headers ?? {})) headers[name.toLowerCase()] = value;
  const answer = await request(url, {
    method: method as Dispatcher.HttpMethod,
    headers,
    body,
    signal,
    // After HEAD as well, a connection is kept.
    reset: false,
    dispatcher: connections,
  });
  const received = answer.headers;
  const bytes = new Uint8Array(await answer.body.arrayBuffer());
  const inflate = bytes.length === 0 ? undefined : INFLATE[String(received['content-encoding'])];
  let read: Headers | null = null;
  return {
    status: answer.statusCode,
    statusText: answer.statusText,
    mediaType: String(received['content-type'] ?? ''),
    text: utf8.decode(inflate === undefined ? bytes : inflate(bytes)),
    // Most tests look at few of them, and to make them takes as long as to ask.
    get headers() {
      read ??= headersOf(received);
      return read;
    },
  };
}

function headersOf(received: Readonly<Record<string, string | string[] | undefined>>): Headers {
  const headers = new Headers();
  for (const [name, values] of Object.entries(received))
    for (const value of Array.isArray(values) ? values : [values ?? '']) headers.append(name, value);
  return headers;
}
