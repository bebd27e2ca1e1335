/** The health paths: alive, and ready with stores and backends asked; neither is ever counted (contract.md section 4). */
import type { ServerResponse } from 'node:http';
import { ApiError } from '../services/shared/errors/api-error.ts';
import { askStatus } from '../services/shared/http/ask-status.ts';
import { sendError, sendJson } from '../services/shared/plugin/reply.ts';
import type { GatewayRequest } from '../services/shared/plugin/request-context.ts';
import type { GatewayRuntime } from '../services/shared/plugin/runtime.ts';
import type { ServiceEndpoint } from '../services/shared/plugin/service-endpoint.ts';

type Answer = (req: GatewayRequest, res: ServerResponse) => void;

/** How long a backend may take to answer a readiness question, in milliseconds. */
const PROBE_MS = 2_000;

/** What the gateway knows of itself. */
export interface OwnState {
  countersAreDegraded(): boolean;
  /** It ends, and is to be left by whoever balances over several. */
  isLeaving(): boolean;
}

/**
 * The answers by path; the configuration may not declare these paths. Counters without their shared store leave the
 * gateway alive and ready, since each limit says what holds then; both answers name it.
 */
export function createHealth(
  runtime: GatewayRuntime,
  { countersAreDegraded, isLeaving }: OwnState,
): ReadonlyMap<string, Answer> {
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
        new ApiError('SERVICE_UNAVAILABLE', { text, fields: { status: 'unavailable', checks } }),
      );
    if (isLeaving()) {
      sayNot('The gateway is stopping.', { gateway: 'failed' });
      return;
    }
    probe().then(
      (checks) => sendJson(req, res, 200, JSON.stringify({ status: 'ok', checks })),
      (fault: unknown) => {
        const failed = fault instanceof NotReady ? fault : new NotReady({ gateway: 'failed' }, fault);
        sayNot('A store or service does not answer.', failed.checks);
      },
    );
  };

  return new Map([
    ['/health', onlyGet(alive)],
    ['/health/ready', onlyGet(ready)],
  ]);
}

/** How long a verdict serves, in milliseconds: readiness is open to anybody and must not cost a probe each time. */
const VERDICT_MS = 1_000;

/** One probe at a time for everybody who asks. */
function sharedProbe(runtime: GatewayRuntime, countersAreDegraded: () => boolean): () => Promise<Checks> {
  let verdict: Promise<Checks> | null = null;
  let staleAtMs = 0;
  return () => {
    const now = runtime.clock.now();
    if (verdict === null || now >= staleAtMs) {
      verdict = probeAll(runtime, countersAreDegraded);
      // Not before the probe is over: a slow one is shared too.
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

type Checks = Record<string, 'ok' | 'degraded' | 'failed'>;

class NotReady extends Error {
  readonly checks: Checks;
  constructor(checks: Checks, cause: unknown) {
    super('not ready', { cause });
    this.checks = checks;
  }
}

/** Asks everything at once. @throws NotReady when anything fails */
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
    const faults = (await Promise.all(service.urls.map((url) => faultOf(url, service)))).filter(
      (fault) => fault !== null,
    );
    const isDown = faults.length === service.urls.length;
    checks[name] = isDown ? 'failed' : faults.length === 0 ? 'ok' : 'degraded';
    if (isDown) cause ??= faults[0];
  };
  await Promise.all([
    probe('documents', () => runtime.documents.ping()),
    ...Object.entries(runtime.serviceEndpoints).map(([name, service]) => probeService(name, service)),
  ]);
  if (cause !== undefined) throw new NotReady(checks, cause);
  return checks;
}

/** Why an address does not serve; null when it does: by its health check where it has one, else whatever it answers below 500. */
async function faultOf(url: string, { healthCheck }: ServiceEndpoint): Promise<Error | null> {
  const path = healthCheck?.path ?? '/health/ready';
  // Without an identity a service refuses, and that is an answer.
  const highest = healthCheck === null ? 499 : 299;
  try {
    const status = await askStatus({ origin: url, path, timeoutMs: PROBE_MS });
    return status <= highest ? null : new Error(`${url}${path} answered ${status}`);
  } catch (fault) {
    return fault instanceof Error ? fault : new Error(String(fault));
  }
}
