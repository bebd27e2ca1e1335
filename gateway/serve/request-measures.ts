/** Measures every response of the gateway when it ends: endpoint, kind of method, status and duration. */
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { GatewayRequest, RequestContext } from '../../plugins/kit/request-context.ts';
import type { Count, Distribution, Metrics } from '../../services/shared/ports/metrics.ts';
import type { ActivityCounter } from '../../services/shared/usage/activity-counter.ts';
import type { AccessLog } from './access-log/access-log.ts';
import { endSpans } from './end-span.ts';
import { countRequest } from './request-activity.ts';
import type { NearLimits } from './traffic/near-limits.ts';

/** What a method does: reads, writes, or neither (OPTIONS and the rest). */
const METHOD_CLASSES = ['read', 'write', 'other'] as const;
type MethodClass = (typeof METHOD_CLASSES)[number];
const CLASS_OF: Readonly<Record<string, MethodClass>> = {
  GET: 'read',
  HEAD: 'read',
  POST: 'write',
  PUT: 'write',
  PATCH: 'write',
  DELETE: 'write',
};

/** A status, `aborted` if the client left before the answer was complete, `other` for a status unknown to HTTP. */
const STATUSES = [...Object.keys(STATUS_CODES), 'aborted', 'other'];

/** Upper bounds of the duration buckets, in seconds. */
const DURATION_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

export interface RequestMeasures {
  /** Measures this request when its response ends. */
  begin(res: ServerResponse): void;
  /** Measures a reply written to the raw socket: the parser refused the request. */
  countRaw(status: number): void;
  /** Resolves when no response that began here is in progress. */
  idle(): Promise<void>;
}

/** The cells of one endpoint; those of a status are created when it first occurs. */
interface EndpointCells {
  readonly duration: Distribution;
  readonly byStatus: Readonly<Record<MethodClass, Map<number, Count>>>;
}

/** The status of a response whose client did not wait for it. */
const ABORTED = 0;
/** The status of one that became a WebSocket; how long that was open says nothing of how long an answer took. */
const SWITCHED = 101;
/** From this status on the log wants to know of a request, on or off. */
const REFUSED = 400;

/** What is told of each request that ended: the log, how it learns of a path's template, and the organization's counts. */
export interface Told {
  readonly log: AccessLog;
  readonly activity: ActivityCounter;
  readonly nearLimits: NearLimits;
  templateOf(req: GatewayRequest): string | null;
}

/** `ownName` is the endpoint name of the gateway's own answers; unknown endpoints count as that. */
export function createRequestMeasures(
  metrics: Metrics,
  endpointNames: Iterable<string>,
  ownName: string,
  { log, activity, nearLimits, templateOf }: Told,
): RequestMeasures {
  const endpoints = [...new Set([...endpointNames, ownName])];
  const counts = metrics.counter('tidegate_requests_total', 'Responses by endpoint, method and status.', {
    endpoint: endpoints,
    method: METHOD_CLASSES,
    status: STATUSES,
  });
  const durations = metrics.histogram(
    'tidegate_request_duration_seconds',
    'Time from the parsed header section to the end of the response.',
    DURATION_BOUNDS,
    { endpoint: endpoints },
  );
  const cells = new Map<string, EndpointCells>(
    endpoints.map((endpoint) => [
      endpoint,
      {
        duration: durations.of({ endpoint }),
        byStatus: { read: new Map(), write: new Map(), other: new Map() },
      },
    ]),
  );
  const own = cells.get(ownName) as EndpointCells;

  function count(endpoint: string, at: EndpointCells, method: MethodClass, status: number): void {
    let cell = at.byStatus[method].get(status);
    if (cell === undefined) {
      const listed = STATUS_CODES[status] !== undefined ? `${status}` : 'other';
      const label = status === ABORTED ? 'aborted' : listed;
      cell = counts.of({ endpoint: at === own ? ownName : endpoint, method, status: label });
      at.byStatus[method].set(status, cell);
    }
    cell.add();
  }

  let underWay = 0;
  let becameIdle: (() => void) | null = null;

  // One function for all responses: a closure per response would be garbage per response.
  function measure(this: ServerResponse): void {
    const req = this.req as unknown as GatewayRequest;
    const context: RequestContext = req.context;
    const { name } = context.endpoint;
    const at = cells.get(name) ?? own;
    const method = CLASS_OF[req.method] ?? 'other';
    const endedAtMs = performance.now();
    const isSwitched = context.upgrade?.isTaken === true;
    const sent = this.writableFinished ? this.statusCode : ABORTED;
    const status = isSwitched ? SWITCHED : sent;
    if (!isSwitched) at.duration.observe((endedAtMs - context.startedAtMs) / 1000);
    count(name, at, method, status);
    countRequest(activity, context, status);
    nearLimits.note(context);
    if (context.span !== null) endSpans(req, status, templateOf(req));
    if (log.isOn || status >= REFUSED) log.ended({ req, res: this, status, endedAtMs }, templateOf);
    if (--underWay === 0) becameIdle?.();
  }

  return {
    begin(res) {
      underWay++;
      if (log.isOn) (res.req as unknown as GatewayRequest).context.bytesBefore = res.req.socket.bytesWritten;
      res.on('close', measure);
    },
    countRaw: (status) => count(ownName, own, 'other', status),
    idle: () =>
      new Promise((resolve) => {
        becameIdle = resolve;
        if (underWay === 0) resolve();
      }),
  };
}
