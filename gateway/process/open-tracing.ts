/** Opens tracing where a collector is set, and lets the stores of a process tell what requests ask of them. */
import type { Logger } from 'pino';
import type { TracingSettings } from '../../config/tracing-settings.ts';
import type { DocumentStore } from '../../services/shared/ports/document-store.ts';
import type { EventStore } from '../../services/shared/ports/event-store.ts';
import type { Tracer } from '../../services/shared/ports/tracer.ts';
import { createOtlpTracer } from '../../services/shared/tracing/otlp-tracer.ts';
import { traceCalls } from '../../services/shared/tracing/trace-calls.ts';
import type { Closers } from './all-or-nothing.ts';

/** `process`: which part of Tidegate this is. Null: tracing is off. @throws Error when the optional packages are missing */
export async function openTracing(
  { url, sample }: TracingSettings,
  process: string,
  logger: Logger,
  closers: Closers,
): Promise<Tracer | null> {
  if (url === null) return null;
  const { tracer, close } = await createOtlpTracer({ url, sample, serviceName: process, logger });
  closers.push(close);
  return tracer;
}

/** The stores of services; without tracing the same objects. */
export function tracedStores<
  Stores extends { readonly documents: DocumentStore; readonly events: EventStore },
>(tracer: Tracer | null, stores: Stores): Stores {
  if (tracer === null) return stores;
  return {
    ...stores,
    documents: traceCalls(stores.documents, 'documents'),
    events: traceCalls(stores.events, 'events'),
  };
}
