/** Takes a call through the stages: parse → known names → resolve → plan → compile → run → shape. */
import type { Caller } from '../shared/access/caller.ts';
import { DATASETS_BY_NAME } from './datasets/index.ts';
import type { FindLink, QueryPorts } from './query-ports.ts';
import { collectRows, createAnswerBudget } from './stages/answer-budget.ts';
import { compilerFor } from './stages/compiler.ts';
import { requireKnownName } from './stages/known-names.ts';
import { type ParsedRequest, parseCall } from './stages/parse.ts';
import { type Plan, planCall, type Refusal } from './stages/plan.ts';
import type { QueryString } from './stages/request-schema.ts';
import { resolveReach } from './stages/resolve.ts';
import { runInOrder } from './stages/run.ts';
import { shapeRows, type WireRow } from './stages/shape.ts';

/** The answer to one dataset; `parameter` is its name, or the id that the client gave it. */
export interface DatasetAnswer {
  readonly parameter: string;
  readonly success: boolean;
  readonly data: readonly WireRow[];
  /** Why it failed. */
  readonly error?: string;
}

/** The answer to one request object; datasets that failed stand last. */
export interface RequestAnswer {
  readonly queryId?: string;
  readonly data: readonly DatasetAnswer[];
  readonly meta: {
    readonly parameters: readonly string[];
    readonly total_parameters: number;
    readonly page: number;
    readonly limit: number;
    readonly filters_applied: number;
  };
}

export interface Call {
  readonly body: unknown;
  readonly query: QueryString;
  readonly caller: Caller;
  readonly signal: AbortSignal;
}

/** Shown in `meta` when the client names no limit; each dataset keeps its own default. */
const META_LIMIT = 100;

/** Where no links are kept, none is found. */
export const noLink: FindLink = async () => null;

/** @throws ApiError when the whole call is refused; faults of single datasets stand in their answers. */
export async function answerCall(
  call: Call,
  ports: QueryPorts,
): Promise<{ isBatch: boolean; answers: RequestAnswer[] }> {
  const now = ports.clock.now();
  const parsed = parseCall(call.body, call.query, now);
  requireKnownName(parsed, DATASETS_BY_NAME);
  const reach = await resolveReach(parsed.selectors, call.caller, ports.documents, ports.findLink ?? noLink);
  const context = {
    catalogue: DATASETS_BY_NAME,
    reach,
    zone: parsed.zone,
    now,
    cut: new Map(),
    budget: createAnswerBudget(),
  };
  const planned = await planCall(parsed.requests, context, call.signal);
  const uses = new Map<Plan, number>();
  for (const plan of planned.flat()) {
    if (!('refused' in plan)) uses.set(plan, (uses.get(plan) ?? 0) + 1);
  }
  const compile = compilerFor(ports.events.engine);
  const run = (plan: Plan, signal: AbortSignal) =>
    ports.events.run(compile(plan), signal, reach.organizationId);
  const outcomes = new Map<Plan, readonly WireRow[] | Refusal>();
  for await (const [plan, rows] of runInOrder([...uses.keys()], run, call.signal)) {
    outcomes.set(plan, collectRows(plan, shapeRows(plan, rows), uses.get(plan) ?? 1, context.budget));
  }
  const answers = parsed.requests.map((request, at) => answerRequest(request, planned[at] ?? [], outcomes));
  return { isBatch: parsed.isBatch, answers };
}

function answerRequest(
  request: ParsedRequest,
  planned: readonly (Plan | Refusal)[],
  outcomes: ReadonlyMap<Plan, readonly WireRow[] | Refusal>,
): RequestAnswer {
  const answers = request.parameters.map(({ name, id }, index): DatasetAnswer => {
    const plan = planned[index];
    const parameter = id ?? name;
    const outcome = plan && !('refused' in plan) ? outcomes.get(plan) : plan;
    if (outcome && !('refused' in outcome)) return { parameter, success: true, data: outcome };
    return { parameter, success: false, data: [], error: outcome?.refused };
  });
  return {
    queryId: request.id,
    data: [...answers.filter(({ success }) => success), ...answers.filter(({ success }) => !success)],
    meta: {
      parameters: request.parameters.map(({ name }) => name),
      total_parameters: request.parameters.length,
      page: request.page,
      limit: request.limit ?? META_LIMIT,
      filters_applied: request.filters.length,
    },
  };
}
