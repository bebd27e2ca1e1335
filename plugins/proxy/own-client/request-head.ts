/** The head of a request as text, where it is plain: whatever asks for more than characters to be judged is left to undici. */
import type { TransportRequest } from '../transport.ts';

/** Those with a body, which is announced also where it is empty (RFC 9110, 8.6). */
const BODY_METHODS = new Set(['POST', 'PUT', 'PATCH']);
const PLAIN_METHODS = new Set([...BODY_METHODS, 'GET', 'HEAD', 'DELETE', 'OPTIONS']);

/** What decides over the connection, or over where a message ends. */
const JUDGED_NAMES = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'keep-alive',
  'upgrade',
  'expect',
  'te',
  'trailer',
]);
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const NO_VALUE = /[^\t\u0020-\u007e\u0080-\u00ff]/;
const TARGET = /^\/[\u0021-\u00ff]*$/;

/** Header names come in few spellings; each is judged once. At this many, all are forgotten. */
const REMEMBERED_NAMES = 1_000;
const judged = new Map<string, boolean>();

function isPlainName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const isPlain = TOKEN.test(name) && !JUDGED_NAMES.has(name.toLowerCase());
  if (judged.size === REMEMBERED_NAMES) judged.clear();
  judged.set(name, isPlain);
  return isPlain;
}

/** The head, to be followed by the body if there is one; null: the request is not plain, or no request at all. */
export function requestHead(options: TransportRequest, host: string): string | null {
  const { method, path, headers, body } = options;
  const isWhole = body == null || Buffer.isBuffer(body);
  if (!isWhole || options.upgrade || options.query || options.reset || !Array.isArray(headers)) return null;
  if (!PLAIN_METHODS.has(method) || !TARGET.test(path) || headers.length % 2 !== 0) return null;
  let head = `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n`;
  for (let index = 0; index < headers.length; index += 2) {
    const name: unknown = headers[index];
    const value: unknown = headers[index + 1];
    if (typeof name !== 'string' || typeof value !== 'string') return null;
    if (!isPlainName(name) || NO_VALUE.test(value)) return null;
    head += `${name}: ${value}\r\n`;
  }
  const bytes = body?.length ?? 0;
  return bytes > 0 || BODY_METHODS.has(method) ? `${head}content-length: ${bytes}\r\n\r\n` : `${head}\r\n`;
}
