/** The health paths: liveness, and readiness, which probes stores and backends; neither is ever counted (contract.md section 4). */
import type { ServerResponse } from 'node:http';
import { sendError, sendJson } from '../../plugins/kit/reply.ts';
import type { GatewayRequest } from '../../plugins/kit/request-context.ts';
import type { GatewayRuntime } from '../../plugins/kit/runtime.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { askBackend } from '../../services/shared/http/ask-backend.ts';
import type { ServiceEndpoint } from '../../services/shared/plans/service-endpoint.ts';

type Answer = (req: GatewayRequest, res: ServerResponse) => void;

/** How long a backend may take to answer a readiness probe, in milliseconds. */
const PROBE_MS = 2_000;

/** The gateway's own state. */
export interface OwnState {
  countersAreDegraded(): boolean;
  /** It is shutting down, and load balancers should stop using it. */
  isLeaving(): boolean;
  /** Which configuration answers, since when, and its number in the history while it is pinned. */
  inForce(): { readonly hash: string; readonly ageSeconds: number; readonly pinned?: number };
}

export interface Health {
  /** By path; the configuration may not declare these paths. */
  readonly answers: ReadonlyMap<string, Answer>;
  /** Whether each dependency is ready; of the last second. Never rejects. */
  checks(): Promise<Checks>;
}

/**
 * The gateway stays alive and ready when the counters lose their shared store, since each limit defines what applies then; both
 * answers report it.
 */
export function createHealth(
  runtime: GatewayRuntime,
  { countersAreDegraded, isLeaving, inForce }: OwnState,
): Health {
  const alive: Answer = (req, res) =>
    sendJson(
      req,
      res,
      200,
      countersAreDegraded() ? '{"status":"ok","counters":"degraded"}' : '{"status":"ok"}',
    );

  const probe = sharedProbe(runtime, countersAreDegraded);
  const ready: Answer = (req, res) => {
    const sayNot = (text: string, checks: Checks): void =>
      sendError(
        req,
        res,
        new ApiError('SERVICE_UNAVAILABLE', {
          text,
          fields: { status: 'unavailable', checks, configuration: inForce() },
        }),
      );
    if (isLeaving()) {
      sayNot('The gateway is stopping.', { gateway: 'failed' });
      return;
    }
    probe().then(
      (checks) => sendJson(req, res, 200, JSON.stringify({ status: 'ok', checks, configuration: inForce() })),
      (fault: unknown) => {
        sayNot('A store or service does not answer.', checksOf(fault));
      },
    );
  };

  return {
    answers: new Map([
      ['/health', onlyGet(alive)],
      ['/health/ready', onlyGet(ready)],
    ]),
    checks: () => probe().catch(checksOf),
  };
}

function checksOf(fault: unknown): Checks {
  return fault instanceof NotReady ? fault.checks : { gateway: 'failed' };
}

/** How long a result is cached, in milliseconds: readiness is public and must not cost a probe each time. */
const VERDICT_MS = 1_000;

/** One probe at a time, shared by all callers. */
function sharedProbe(runtime: GatewayRuntime, countersAreDegraded: () => boolean): () => Promise<Checks> {
  let verdict: Promise<Checks> | null = null;
  let staleAtMs = 0;
  return () => {
    const now = runtime.clock.now();
    if (verdict === null || now >= staleAtMs) {
      verdict = probeAll(runtime, countersAreDegraded);
      // Only after the probe is over: a slow one is shared too.
      staleAtMs = Number.POSITIVE_INFINITY;
      const settle = (): void => {
        staleAtMs = runtime.clock.now() + VERDICT_MS;
      };
      verdict.then(settle, (fault: NotReady) => {
        settle();
        runtime.logger.error({ err: fault.cause, checks: fault.checks }, 'not ready');
      });
    }
    return verdict;
  };
}

function onlyGet(answer: Answer): Answer {
  return (req, res) => {
    if (req.method === 'GET' || req.method === 'HEAD') answer(req, res);
    else sendError(req, res, new ApiError('METHOD_NOT_ALLOWED', { headers: { Allow: 'GET, HEAD' } }));
  };
}

/** By the names of what is depended on. */
export type Checks = Record<string, 'ok' | 'degraded' | 'failed'>;

class NotReady extends Error {
  readonly checks: Checks;
  constructor(checks: Checks, cause: unknown) {
    super('not ready', { cause });
    this.checks = checks;
  }
}

/** Probes everything concurrently. @throws NotReady when anything fails */
async function probeAll(runtime: GatewayRuntime, countersAreDegraded: () => boolean): Promise<Checks> {
  const checks: Checks = { counters: countersAreDegraded() ? 'degraded' : 'ok' };
  let cause: unknown;
  const probe = async (name: string, ask: () => Promise<unknown>): Promise<void> => {
    try {
      await ask();
      checks[name] = 'ok';
    } catch (fault) {
      checks[name] = 'failed';
      cause ??= fault;
    }
  };
  const probeService = async (name: string, service: ServiceEndpoint): Promise<void> => {
    const answers = await Promise.all(
      service.urls.map((url) => askBackend(url, service, PROBE_MS, runtime.servicesInProcess)),
    );
    const faults = answers.flatMap(({ fault }) => fault ?? []);
    const isDown = faults.length === service.urls.length;
    const isMissed = isDown && service.required;
    const isWhole = faults.length === 0 && !answers.some(({ isDegraded }) => isDegraded);
    checks[name] = isMissed ? 'failed' : isWhole ? 'ok' : 'degraded';
    if (isMissed) cause ??= faults[0];
  };
  await Promise.all([
    probe('documents', () => runtime.documents.ping()),
    ...Object.entries(runtime.serviceEndpoints).map(([name, service]) => probeService(name, service)),
  ]);
  if (cause !== undefined) throw new NotReady(checks, cause);
  return checks;
}
