/** The port by which a gateway asks a service of its own process: a request and an answer, without a connection between. */
import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { ParsedBody } from './parsed-body.ts';

/** A part of a body. */
export type Piece = string | Uint8Array;

/** A request as a service takes it, whatever carried it. */
export interface ServiceRequest {
  readonly method: string;
  /** Path and query string, as they came. */
  readonly target: string;
  /** Names in lower case, repeated ones joined as node:http does; they say how long the body is, as over HTTP. */
  readonly headers: IncomingHttpHeaders;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
  /** Tells the gateway that work begins which is charged by its time. */
  beginsWork(): void;
}

/** A request within the process. */
export interface ProcessRequest extends ServiceRequest {
  /** What was read whole, or as it comes; null: there is none. */
  readonly body: Buffer | Readable | null;
  /** What `body` holds, where it was parsed on its way; null: it was not. */
  readonly parsed: ParsedBody | null;
}

export interface ServiceAnswer {
  readonly status: number;
  readonly statusMessage: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Whole, with its length among the headers, or piece by piece; null: there is none. */
  readonly body: string | Uint8Array | AsyncIterable<Piece> | null;
}

/** Never rejects: what goes wrong is an answer too, or, once its body began, a piece that fails. */
export type AnswerInProcess = (request: ProcessRequest) => Promise<ServiceAnswer>;

/** By their addresses; a service of another process is none of them. */
export type ServicesInProcess = ReadonlyMap<string, AnswerInProcess>;

/** Whether a body comes piece by piece. */
export function isStreamed(body: ServiceAnswer['body']): body is AsyncIterable<Piece> {
  return body !== null && typeof body === 'object' && Symbol.asyncIterator in body;
}
