/** Sends spans to a collector by OTLP over HTTP; the SDK's packages are loaded only where tracing is on. */
import type { Tracer as OtlpApiTracer, Span as OtlpSpan } from '@opentelemetry/api';
import type { Logger } from 'pino';
import type { Span, SpanKind, TraceHeaders, Tracer } from '../ports/tracer.ts';

export interface OtlpOptions {
  /** The address of the collector, to which `/v1/traces` is added. */
  readonly url: string;
  /** Of the requests whose senders do not decide, from 0 to 1. */
  readonly sample: number;
  /** What the spans call this process. */
  readonly serviceName: string;
  readonly logger: Pick<Logger, 'warn'>;
  /** Numbers from 0 up to 1. */
  readonly random?: () => number;
}

/** Spans that wait to be sent; further ones are dropped. */
const MOST_WAITING = 4_096;
const SENT_EVERY_MS = 2_000;
const MOST_PER_REQUEST = 512;
const SEND_MS = 10_000;
/** A collector that refuses is told of once in this time, in milliseconds. */
const TOLD_EVERY_MS = 60_000;

const PACKAGES = '@opentelemetry/{api,core,resources,sdk-trace-base,exporter-trace-otlp-http}';

async function load() {
  try {
    const [api, core, resources, sdk, exporter] = await Promise.all([
      import('@opentelemetry/api'),
      import('@opentelemetry/core'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/sdk-trace-base'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ]);
    return { api, core, resources, sdk, exporter };
  } catch (cause) {
    throw new Error(
      `TRACING_URL is set, and the optional packages for it are not installed: ${PACKAGES}. Install them, or unset TRACING_URL.`,
      { cause },
    );
  }
}

/** A tracer and the function that sends what waits and ends it. @throws Error when the packages are not installed */
export async function createOtlpTracer({
  url,
  sample,
  serviceName,
  logger,
  random = Math.random,
}: OtlpOptions): Promise<{ readonly tracer: Tracer; close(): Promise<void> }> {
  const { api, core, resources, sdk, exporter } = await load();
  let toldAtMs = Number.NEGATIVE_INFINITY;
  const tell = (fault: unknown): void => {
    if (performance.now() - toldAtMs < TOLD_EVERY_MS) return;
    toldAtMs = performance.now();
    logger.warn({ err: fault }, 'spans could not be sent to the collector');
  };
  const sender = new exporter.OTLPTraceExporter({ url: `${url}/v1/traces`, timeoutMillis: SEND_MS });
  const told = {
    export: (spans: Parameters<typeof sender.export>[0], done: Parameters<typeof sender.export>[1]) =>
      sender.export(spans, (result) => {
        if (result.error !== undefined) tell(result.error);
        done(result);
      }),
    shutdown: () => sender.shutdown(),
    forceFlush: () => sender.forceFlush(),
  };
  const provider = new sdk.BasicTracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName }),
    // Whether a request is sampled is decided before it has a span.
    sampler: new sdk.AlwaysOnSampler(),
    spanProcessors: [
      new sdk.BatchSpanProcessor(told, {
        maxQueueSize: MOST_WAITING,
        maxExportBatchSize: MOST_PER_REQUEST,
        scheduledDelayMillis: SENT_EVERY_MS,
        exportTimeoutMillis: SEND_MS,
      }),
    ],
  });
  const propagator = new core.W3CTraceContextPropagator();
  const made = provider.getTracer('tidegate');
  const kinds: Readonly<Record<SpanKind, number>> = {
    server: api.SpanKind.SERVER,
    client: api.SpanKind.CLIENT,
    internal: api.SpanKind.INTERNAL,
  };

  /** `parent`: the context that it begins in. */
  function begin(name: string, kind: SpanKind, parent: ReturnType<typeof api.trace.setSpan>): Span {
    const span: OtlpSpan = (made as OtlpApiTracer).startSpan(name, { kind: kinds[kind] }, parent);
    const within = api.trace.setSpan(parent, span);
    let isOver = false;
    return {
      set: (attribute, value) => void span.setAttribute(attribute, value),
      rename: (to) => void span.updateName(to),
      fail: () => void span.setStatus({ code: api.SpanStatusCode.ERROR }),
      child: (childName, childKind = 'internal') => begin(childName, childKind, within),
      headers() {
        const carrier: Record<string, string> = {};
        propagator.inject(within, carrier, api.defaultTextMapSetter);
        return Object.entries(carrier).flat();
      },
      end() {
        if (!isOver) span.end();
        isOver = true;
      },
    };
  }

  function receive(name: string, headers: TraceHeaders, isTrusted: boolean): Span | null {
    const carried =
      headers.traceparent === undefined
        ? null
        : propagator.extract(api.ROOT_CONTEXT, headers, api.defaultTextMapGetter);
    const sent = carried === null ? undefined : api.trace.getSpanContext(carried);
    const isSampled =
      isTrusted && sent !== undefined ? (sent.traceFlags & api.TraceFlags.SAMPLED) !== 0 : random() < sample;
    return isSampled ? begin(name, 'server', carried ?? api.ROOT_CONTEXT) : null;
  }

  return {
    tracer: { receive },
    close: () => provider.shutdown().catch(tell),
  };
}
