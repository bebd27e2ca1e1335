/** The headers of a request within the process, as a service would get them over HTTP. */
import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

/** Of these node:http keeps the first alone. */
const SINGLE: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
]);

/** Methods whose requests say that they have no body. */
const HAVE_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);

/** `options.headers` is a list of name, value, name, value. */
export function processHeaders({ headers, method, body }: Dispatcher.DispatchOptions): IncomingHttpHeaders {
  const made: Record<string, string> = {};
  const list = headers as readonly string[];
  for (let index = 0; index < list.length; index += 2) {
    const name = (list[index] as string).toLowerCase();
    const value = list[index + 1] as string;
    const before = made[name];
    if (typeof before !== 'string') made[name] = value;
    else if (!SINGLE.has(name)) made[name] = `${before}${name === 'cookie' ? '; ' : ', '}${value}`;
  }
  if (Buffer.isBuffer(body)) made['content-length'] = `${body.length}`;
  else if (body instanceof Readable) {
    if (made['content-length'] === undefined) made['transfer-encoding'] = 'chunked';
  } else if (HAVE_BODY.has(method)) made['content-length'] = '0';
  return made;
}
