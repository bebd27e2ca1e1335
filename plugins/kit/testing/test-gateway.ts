/** Runs policies as the gateway does, over counters in memory and a clock that the test moves. */
import type { Logger } from 'pino';
import type { z } from 'zod';
import { Principal } from '../../../services/shared/access/principal.ts';
import { plansFileSchema } from '../../../services/shared/plans/plans.ts';
import { policyInstance } from '../define-plugin.ts';
import { type PolicyDefinition, type PolicyRuntime, policyRuntimeOf } from '../policy.ts';
import { sendError, sendJson } from '../reply.ts';
import { type GatewayRequest, type PolicyHandler, RequestContext } from '../request-context.ts';
import { runChain } from '../run-chain.ts';
import type { GatewayRuntime } from '../runtime.ts';
import { exchange } from './in-memory-exchange.ts';
import type { PolicyParams, Step } from './step.ts';
import { TestClock } from './test-clock.ts';
import { callerOf, type TestAnswer, type TestRequest, testEndpoint } from './test-request.ts';
import { createMemoryRuntime } from './test-runtime.ts';

export interface TestGatewayOptions {
  readonly clock?: TestClock;
  /** In the form of plans.yml. Default: the plans free and pro, and 100 requests a minute without a credential. */
  readonly plans?: z.input<typeof plansFileSchema>;
  /** Where policies log. Default: nowhere. */
  readonly logger?: Logger;
  /** How long a policy may take to answer or to call `next`, in milliseconds of real time. Default: 5000. */
  readonly patienceMs?: number;
}

export interface TestGateway {
  readonly clock: TestClock;
  readonly runtime: PolicyRuntime;
  /** Runs one policy. Rejects with a ZodError when the schema refuses `params`, and when nothing is answered. */
  run(policy: PolicyDefinition, params?: PolicyParams, request?: TestRequest): Promise<TestAnswer>;
  /** Runs a pipeline: the steps in turn, each created once for its parameters. */
  runPipeline(steps: readonly Step[], request?: TestRequest): Promise<TestAnswer>;
  /** Runs the functions that policies passed to `onClose`, in reverse order. */
  close(): Promise<void>;
}

/** A gateway for one test: counters, metrics and policies are its own. */
export function createTestGateway({
  clock,
  plans,
  logger,
  patienceMs,
}: TestGatewayOptions = {}): TestGateway {
  const own = {
    ...(plans && { plans: plansFileSchema.parse(plans) }),
    ...(logger && { logger }),
  };
  return createTestGatewayOver(clock ?? new TestClock(), own, patienceMs);
}

/** The same for the platform's own policies, which may be given more ports. */
export function createTestGatewayOver(
  clock: TestClock,
  own: Partial<GatewayRuntime>,
  patienceMs = 5_000,
): TestGateway {
  const closers: (() => Promise<void> | void)[] = [];
  const runtime = createMemoryRuntime(clock, { onClose: (close) => closers.push(close), ...own });

  async function runPipeline(steps: readonly Step[], request: TestRequest = {}): Promise<TestAnswer> {
    let reached = 'none';
    let passed = false;
    const handlers: PolicyHandler[] = steps.map(({ policy, params }) => {
      const handler = policyInstance(policy, { ...params }, runtime);
      return (req, res, next) => {
        reached = policy.name;
        return handler(req, res, next);
      };
    });
    handlers.push((req, res) => {
      const { refusal } = req.context;
      passed = refusal === null;
      if (refusal === null) sendJson(req, res, 200, '{}');
      else sendError(req, res, refusal);
    });
    const answer = await exchange(
      request,
      (incoming, res) => {
        const req = incoming as GatewayRequest;
        req.context = contextOf(runtime, request, req);
        runChain({ handlers }, req, res);
      },
      patienceMs,
      () => `the policy "${reached}" neither answered nor called next`,
    );
    const json = jsonOf(answer.text);
    return { ...answer, passed, code: passed ? null : codeOf(json), json };
  }

  return {
    clock,
    runtime: policyRuntimeOf(runtime),
    runPipeline,
    run: (policy, params = {}, request = {}) => runPipeline([{ policy, params }], request),
    async close() {
      for (const each of closers.splice(0).reverse()) await each();
    },
  };
}

function contextOf(runtime: GatewayRuntime, request: TestRequest, req: GatewayRequest): RequestContext {
  const context = new RequestContext(runtime, 'req_test', testEndpoint(request.endpoint), req);
  const caller = callerOf(request);
  if (caller !== null) context.principal = new Principal(caller, {});
  if (request.bodyWasRead) context.body = Buffer.from(request.body ?? '');
  return context;
}

function codeOf(json: unknown): string | null {
  const { success, code } = (json ?? {}) as { success?: unknown; code?: unknown };
  return success === false && typeof code === 'string' ? code : null;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
