/** Reads the head of an answer as strictly as HTTP/1.1 is written: what two readers could take differently is refused. */
import { maxHeaderSize } from 'node:http';
import { errors } from '../../../services/shared/http/late-undici.ts';

/** Most bytes of a head, and of the trailers of a body: what Node and undici bear too. */
export const MOST_HEAD_BYTES = maxHeaderSize;

/** How long the body is (RFC 9112, 6.3); `rest`: until the connection ends. */
export type Framing = 'none' | 'length' | 'chunked' | 'rest';

export interface ResponseHead {
  readonly status: number;
  readonly statusMessage: string;
  /** By their names in lower case. */
  readonly headers: Record<string, string | string[]>;
  readonly framing: Framing;
  /** Bytes of a body by length. */
  readonly length: number;
  /** Whether the connection may carry another request. */
  readonly keeps: boolean;
  /** How long the other side keeps it idle, in milliseconds; null where it does not say. */
  readonly keepsMs: number | null;
}

const STATUS_LINE = /HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\u0020-\u007e\u0080-\u00ff]*))?\r\n/y;
/** A value begins with no blank: where two parts of an expression may take the same blanks, trying all ways takes squares of time. */
const FIELD_LINE =
  /([!#$%&'*+.^_`|~0-9A-Za-z-]+):[ \t]*((?:[!-~\u0080-\u00ff][\t\u0020-\u007e\u0080-\u00ff]*)?)\r\n/y;
/** Far below what a number holds exactly. */
const LENGTH = /^\d{1,15}$/;
const VERSION = 'HTTP/1.';
const SPACE = 0x20;
const TAB = 0x09;

/** No name is inherited: a service may call a header `constructor`. As fast as a literal, which a null prototype alone is not. */
function NoHeaders(): void {}
NoHeaders.prototype = Object.create(null);
const NewHeaders = NoHeaders as unknown as new () => Record<string, string | string[]>;

/** As undici makes it; its types know no code. */
const ParserError = errors.HTTPParserError as unknown as new (message: string, code: string) => Error;

/** The fault of an answer that is none, as undici's own, so that no request is sent anew. */
export function noHttp(reason: string, code: string): Error {
  return new ParserError(`Response does not match the HTTP/1.1 protocol (${reason})`, code);
}

/** Reads a whole head, `text` ending with its empty line. @throws undici's HTTPParserError */
export function readHead(text: string, isAnswerToHead: boolean): ResponseHead {
  STATUS_LINE.lastIndex = 0;
  const first = STATUS_LINE.exec(text);
  if (first === null) throw noHttp('Invalid status line', 'INVALID_CONSTANT');
  const status = Number(first[2]);
  const headers = new NewHeaders();
  const end = text.length - 2;
  let at = STATUS_LINE.lastIndex;
  while (at < end) {
    FIELD_LINE.lastIndex = at;
    const field = FIELD_LINE.exec(text);
    if (field === null) throw noHttp('Invalid header', 'INVALID_HEADER_TOKEN');
    at = FIELD_LINE.lastIndex;
    const name = (field[1] as string).toLowerCase();
    const value = withoutEnd(field[2] as string);
    const known = headers[name];
    if (known === undefined) headers[name] = value;
    else if (typeof known === 'string') headers[name] = [known, value];
    else known.push(value);
  }
  const isOld = first[1] === '0';
  const { framing, length } = framingOf(headers, isOld);
  const isBodiless = status < 200 || status === 204 || status === 304;
  const hasNone = isBodiless || isAnswerToHead;
  return {
    status,
    statusMessage: first[3] ?? '',
    headers,
    framing: hasNone ? 'none' : framing,
    length,
    // Where a body is announced, or could be sent by mistake, what comes next could be it.
    keeps:
      !isOld &&
      !isAnswerToHead &&
      !saysClose(headers.connection) &&
      !(isBodiless ? length > 0 || framing === 'chunked' : framing === 'rest'),
    keepsMs: keptMs(headers['keep-alive']),
  };
}

/** Refuses the beginning of a head that can never become one. @throws undici's HTTPParserError */
export function refuseBeginning(text: string): void {
  if (!VERSION.startsWith(text.slice(0, VERSION.length))) throw noHttp('Expected HTTP/', 'INVALID_CONSTANT');
  if (/(?:^|[^\r])\n/.test(text)) throw noHttp('Missing expected CR', 'CR_EXPECTED');
}

/** `FIELD: value` of a trailer, which is dropped. @throws undici's HTTPParserError */
export function refuseTrailer(line: string): void {
  FIELD_LINE.lastIndex = 0;
  const name = FIELD_LINE.exec(line)?.[1]?.toLowerCase();
  if (name === undefined || FIELD_LINE.lastIndex !== line.length)
    throw noHttp('Invalid trailer', 'INVALID_HEADER_TOKEN');
  if (name === 'content-length' || name === 'transfer-encoding')
    throw noHttp('Framing in a trailer', 'INVALID_HEADER_TOKEN');
}

/** Exactly one of both headers says how long a body is, once. */
function framingOf(
  { 'content-length': length, 'transfer-encoding': coding }: ResponseHead['headers'],
  isOld: boolean,
): { framing: Framing; length: number } {
  if (coding !== undefined) {
    if (length !== undefined || isOld || String(coding).toLowerCase() !== 'chunked')
      throw noHttp('Invalid Transfer-Encoding', 'INVALID_TRANSFER_ENCODING');
    return { framing: 'chunked', length: 0 };
  }
  if (length === undefined) return { framing: 'rest', length: 0 };
  if (typeof length !== 'string' || !LENGTH.test(length))
    throw noHttp('Invalid Content-Length', 'INVALID_CONTENT_LENGTH');
  return { framing: 'length', length: Number(length) };
}

/** Without the spaces and tabs behind it, which `trimEnd` would take further than RFC 9110, 5.5 says. */
function withoutEnd(value: string): string {
  let end = value.length;
  while (end > 0 && isBlank(value.charCodeAt(end - 1))) end--;
  return end === value.length ? value : value.slice(0, end);
}

function isBlank(code: number): boolean {
  return code === SPACE || code === TAB;
}

function saysClose(connection: string | string[] | undefined): boolean {
  if (connection === undefined || connection === 'keep-alive') return false;
  return String(connection)
    .toLowerCase()
    .split(',')
    .some((token) => token.trim() === 'close');
}

function keptMs(keepAlive: string | string[] | undefined): number | null {
  if (keepAlive === undefined) return null;
  const seconds = /timeout=(\d{1,9})/i.exec(String(keepAlive))?.[1];
  return seconds === undefined ? null : Number(seconds) * 1_000;
}
