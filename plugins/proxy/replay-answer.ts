/** Sends a kept answer as if its backend had just given it, and asks for the next one where nobody waits for it. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Dispatcher } from 'undici';
import type { KeptAnswer } from '../kit/kept-answer.ts';
import type { RelayResponse } from './relay-response.ts';

/** There is no connection that could pause. */
const NO_CONNECTION = {
  pause() {},
  resume() {},
  abort() {},
} as unknown as Dispatcher.DispatchController;

/** The changes of the pipeline, the headers of every answer and the compression are those of this request. */
export function replayAnswer(relay: RelayResponse, { status, headers, body }: KeptAnswer): void {
  relay.onResponseStart(
    NO_CONNECTION,
    status,
    headers as Record<string, string | string[]>,
    STATUS_CODES[status] ?? '',
  );
  if (body.length > 0) relay.onResponseData(NO_CONNECTION, body);
  relay.onResponseEnd();
}

/** Takes an answer that nobody waits for. */
class Discarded {
  readonly destroyed = false;
  /** Nobody waits. */
  readonly closed = true;
  readonly socket = null;
  headersSent = false;
  writeHead(): void {
    this.headersSent = true;
  }
  flushHeaders(): void {}
  write(): boolean {
    return true;
  }
  end(): void {}
  destroy(): void {}
  on(): void {}
  once(): void {}
  off(): void {}
}

/** A response that goes nowhere. */
export function discardedResponse(): ServerResponse {
  return new Discarded() as unknown as ServerResponse;
}
