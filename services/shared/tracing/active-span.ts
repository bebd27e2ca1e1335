/** The span of the request that the code at hand works for, where tracing is on. */
import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span } from '../ports/tracer.ts';

const active = new AsyncLocalStorage<Span>();

/** Runs `work`, and what follows from it, within the span. */
export function withinSpan<T>(span: Span, work: () => T): T {
  return active.run(span, work);
}

/** Undefined: nothing is traced here. */
export function activeSpan(): Span | undefined {
  return active.getStore();
}
