/** The port of traces: spans of requests that are sampled, joined over processes by W3C trace context. Absent when tracing is off. */

/** What a span is about: a request that came, one that was sent, or work within the process. */
export type SpanKind = 'server' | 'client' | 'internal';

export interface Span {
  /** Adds an attribute: a name of the configuration, an id or a number, never what a client sent. */
  set(name: string, value: string | number | boolean): void;
  /** Gives it another name: a method and a path as the configuration writes it. */
  rename(name: string): void;
  /** Marks it as failed. */
  fail(): void;
  /** A span within this one. */
  child(name: string, kind?: SpanKind): Span;
  /** The headers that join the request of whoever is called within it, as name, value, name, value. */
  headers(): string[];
  /** Ends it now; a second call does nothing. */
  end(): void;
}

/** Headers of a request, names in lower case. */
export type TraceHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface Tracer {
  /**
   * The span of a request that came. `isTrusted`: its sender decided whether it is sampled; of anybody else only the ids are
   * taken, and the share of the settings decides. Null: it is not sampled.
   */
  receive(name: string, headers: TraceHeaders, isTrusted: boolean): Span | null;
}

/** Headers that carry a trace. */
export const TRACE_HEADERS = ['traceparent', 'tracestate'] as const;

const UNSAMPLED = '00';
const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** The headers of a request that is not sampled, for whoever is called: its ids go on, and nobody else samples it. */
export function unsampledHeaders({ traceparent }: TraceHeaders): string[] {
  if (typeof traceparent !== 'string' || !TRACEPARENT.test(traceparent)) return [];
  return ['traceparent', traceparent.slice(0, -2) + UNSAMPLED];
}
