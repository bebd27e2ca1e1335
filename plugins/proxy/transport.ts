/** The port by which requests reach one address of a backend: by HTTP, or within the process. */
import type { Dispatcher } from 'undici';
import type { ParsedBody } from '../../services/shared/http/parsed-body.ts';

/** A request on its way to a backend. */
export interface TransportRequest extends Dispatcher.DispatchOptions {
  /** What its whole body holds, where it was parsed; who carries bytes has no use for it. */
  readonly parsed?: ParsedBody | null;
}

/**
 * Whatever carries a request, its handler is called as undici calls it, with undici's faults. It keeps nobody waiting for a
 * turn: that is what a line is for (waiting-line.ts).
 */
export interface Transport {
  dispatch(options: TransportRequest, handler: Dispatcher.DispatchHandler): void;
  /** Ends what is under way with a fault. */
  destroy(): Promise<void>;
}

export interface TransportBounds {
  /** Most requests that are under way at once. */
  readonly connections: number;
  /** How long an answer may take to begin, and to pause, in milliseconds. */
  readonly timeoutMs: number;
}
