/** Stands before several gateways as an operator's load balancer does: asks each whether it is ready, and sends requests to those that are. */
import { setTimeout as delay } from 'node:timers/promises';
import { Agent, request } from 'undici';

/** From one question to the next, and how long an answer may take, in milliseconds: what gateways themselves keep to. */
const INTERVAL_MS = 2_000;
const TIMEOUT_MS = 1_000;
/** Failures in a row that take a gateway out; a 503 does so at once. */
const FAILURES = 2;

/** As the balancer was answered. */
export interface Balanced {
  readonly origin: string;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** A connection that broke under a request, and whose. */
export class BrokenExchange extends Error {
  readonly origin: string;
  constructor(origin: string, cause: unknown) {
    super(`${origin}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.origin = origin;
  }
}

export interface BalancedRequest {
  readonly method: 'GET' | 'POST' | 'PATCH';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Balancer {
  /**
   * Sends it to one gateway that is ready, or to any when none is; to another one only where the connection was refused,
   * so that nothing was sent. @throws BrokenExchange
   */
  send(asked: BalancedRequest, timeoutMs: number): Promise<Balanced>;
  close(): Promise<void>;
}

interface Target {
  readonly origin: string;
  isReady: boolean;
  failures: number;
}

export function startBalancer(origins: readonly string[]): Balancer {
  // Below what gateways keep idle connections for, so that none is used as it closes.
  const dispatcher = new Agent({ keepAliveTimeout: 2_000, keepAliveMaxTimeout: 2_000 });
  const targets: Target[] = origins.map((origin) => ({ origin, isReady: true, failures: 0 }));
  const ended = new AbortController();
  let next = 0;

  async function watch(target: Target): Promise<void> {
    while (!ended.signal.aborted) {
      const status = await readiness(target.origin);
      target.failures = status === 200 ? 0 : target.failures + 1;
      target.isReady = status === 200 || (status !== 503 && target.failures < FAILURES && target.isReady);
      await delay(INTERVAL_MS, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  }

  async function readiness(origin: string): Promise<number | null> {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const { statusCode, body } = await request(`${origin}/health/ready`, { signal });
      await body.dump();
      return statusCode;
    } catch {
      return null;
    }
  }

  /** All of them in the order in which they are tried: ready ones first, each in turn. */
  function inTurn(): readonly Target[] {
    next = (next + 1) % targets.length;
    const turned = [...targets.slice(next), ...targets.slice(0, next)];
    return [...turned.filter(({ isReady }) => isReady), ...turned.filter(({ isReady }) => !isReady)];
  }

  const watching = targets.map(watch);
  return {
    async send({ path, ...asked }, timeoutMs) {
      const signal = AbortSignal.timeout(timeoutMs);
      let refused: unknown;
      for (const { origin } of inTurn()) {
        try {
          const { statusCode, headers, body } = await request(`${origin}${path}`, {
            ...asked,
            dispatcher,
            signal,
            headersTimeout: 0,
          });
          const lines = Object.entries(headers).flatMap(([name, value]) =>
            value === undefined ? [] : [[name, String(value)] as [string, string]],
          );
          return { origin, status: statusCode, headers: new Headers(lines), text: await body.text() };
        } catch (fault) {
          if (!isRefused(fault)) throw new BrokenExchange(origin, fault);
          refused = fault;
        }
      }
      throw new BrokenExchange('every gateway', refused);
    },
    async close() {
      ended.abort();
      await Promise.all(watching);
      await dispatcher.destroy();
    },
  };
}

/** Whether nothing listened, so that nothing was sent. */
function isRefused(fault: unknown): boolean {
  return fault instanceof Error && 'code' in fault && fault.code === 'ECONNREFUSED';
}
