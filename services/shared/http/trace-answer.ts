/** Lets each request of a service be a span, and what it does be within it. */
import type { Span, Tracer } from '../ports/tracer.ts';
import { withinSpan } from '../tracing/active-span.ts';
import { isStreamed, type Piece, type ServiceAnswer, type ServiceRequest } from './service-exchange.ts';

/**
 * The answer within a span that ends with it, a streamed one with its last piece. The gateway decided whether the request is
 * sampled. `service`: begins the name of the span; `path`: that of the route which answered, as declared.
 */
export function traceAnswer(
  { tracer, service }: { readonly tracer: Tracer; readonly service: string },
  request: ServiceRequest,
  path: () => string | null,
  answer: () => Promise<ServiceAnswer>,
): Promise<ServiceAnswer> {
  const span = tracer.receive(service, request.headers, true);
  if (span === null) return answer();
  function end(status: number, isWhole: boolean): void {
    const route = path();
    if (route !== null) {
      span?.rename(`${service} ${request.method} ${route}`);
      span?.set('http.route', route);
    }
    span?.set('http.request.method', request.method);
    span?.set('http.response.status_code', status);
    if (status >= 500 || !isWhole) span?.fail();
    span?.end();
  }
  return withinSpan(span, async () => {
    const made = await answer();
    const { status, body } = made;
    if (isStreamed(body))
      return { ...made, body: tracedPieces(body, span, (isWhole) => end(status, isWhole)) };
    end(status, !request.signal.aborted);
    return made;
  });
}

async function* tracedPieces(
  pieces: AsyncIterable<Piece>,
  span: Span,
  end: (isWhole: boolean) => void,
): AsyncGenerator<Piece> {
  const iterator = withinSpan(span, () => pieces[Symbol.asyncIterator]());
  let isWhole = false;
  try {
    for (;;) {
      const piece = await withinSpan(span, () => iterator.next());
      if (piece.done === true) break;
      yield piece.value;
    }
    isWhole = true;
  } finally {
    await iterator.return?.();
    end(isWhole);
  }
}
