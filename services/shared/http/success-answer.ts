/** The answers of a service to what its handlers return, with the headers that HTTP asks for (RFC 9110, 8.6, 15.4.5). */
import { type IncomingHttpHeaders, STATUS_CODES, validateHeaderValue } from 'node:http';
import type { Route, RouteOutput } from './route.ts';
import { type BegunBody, leaveStream } from './send-stream.ts';
import type { ServiceAnswer, ServiceRequest } from './service-exchange.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

type Headers = Record<string, string>;

/** Whether the client has the answer already, by its validators (RFC 9110, 13.1.2 and 13.1.3). */
export type IsFresh = (request: ServiceRequest, status: number, answer: Readonly<Headers>) => boolean;

const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

/** `stream`: the begun body of an output that has one. */
export function outputAnswer<Ports>(
  { success }: Route<Ports>,
  output: RouteOutput,
  stream: BegunBody | null,
  request: ServiceRequest,
  isFresh: IsFresh,
): ServiceAnswer {
  const status = output.status ?? success.status;
  const headers: Headers = {};
  if (success.holdsSecret) headers['cache-control'] = 'private, no-store, no-transform';
  for (const name in output.headers) {
    const value = output.headers[name] as string;
    validateHeaderValue(name, value);
    headers[name.toLowerCase()] = value;
  }
  if (stream !== null) {
    headers['content-type'] = stream.mediaType;
    if (request.method !== 'HEAD') return answerOf(status, headers, stream.pieces);
    // Who asks for the head alone lets nothing more be made.
    void leaveStream(stream.pieces);
    return answerOf(status, headers, null);
  }
  if (output.bytes !== undefined) {
    headers['content-type'] = success.mediaType ?? JSON_TYPE;
    headers['content-length'] = `${output.bytes.length}`;
    return answerOf(status, headers, request.method === 'HEAD' ? null : output.bytes);
  }
  if (output.body !== undefined) return jsonAnswer(status, output.body, headers, request, isFresh);
  if (request.method !== 'HEAD' && status !== NO_CONTENT && status !== NOT_MODIFIED)
    headers['content-length'] = '0';
  return answerOf(status, headers, null);
}

/** `headers` become those of the answer. */
export function jsonAnswer(
  status: number,
  value: unknown,
  headers: Headers,
  request: ServiceRequest,
  isFresh: IsFresh,
): ServiceAnswer {
  if (asksWhetherFresh(request.headers) && isFresh(request, status, headers))
    return answerOf(NOT_MODIFIED, headers, null);
  if (status === NO_CONTENT || status === NOT_MODIFIED) return answerOf(status, headers, null);
  const body = JSON.stringify(value);
  headers['content-type'] ??= JSON_TYPE;
  headers['content-length'] = `${Buffer.byteLength(body)}`;
  return answerOf(status, headers, request.method === 'HEAD' ? null : body);
}

function asksWhetherFresh(headers: IncomingHttpHeaders): boolean {
  return headers['if-none-match'] !== undefined || headers['if-modified-since'] !== undefined;
}

function answerOf(status: number, headers: Headers, body: ServiceAnswer['body']): ServiceAnswer {
  return { status, statusMessage: STATUS_CODES[status] ?? '', headers, body };
}
