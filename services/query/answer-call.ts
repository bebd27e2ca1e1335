/** Answers a call: its plans, then compile → run → shape. */
import type { EventReach } from '../shared/ports/event-store.ts';
import { type Call, planRequest } from './plan-request.ts';
import type { QueryPorts } from './query-ports.ts';
import { collectRows } from './stages/answer-budget.ts';
import { compilerFor } from './stages/compiler.ts';
import type { ParsedRequest } from './stages/parse.ts';
import type { QueryPlan, Refusal } from './stages/query-plan.ts';
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

/** The answer to one request object; failed datasets come last. */
export interface RequestAnswer {
  readonly queryId?: string;
  readonly data: readonly DatasetAnswer[];
  readonly meta: {
    readonly parameters: readonly string[];
    readonly total_parameters: number;
    readonly page: number;
    readonly limit: number;
    readonly filters_applied: number;
    /** Datasets that failed. */
    readonly failed: number;
  };
}

/** Shown in `meta` when the client gives no limit; each dataset has its own default. */
const META_LIMIT = 100;

/** @throws ApiError when the whole call is refused; faults of single datasets appear in their answers. */
export async function answerCall(
  call: Call,
  ports: QueryPorts,
): Promise<{ isBatch: boolean; answers: RequestAnswer[] }> {
  const { isBatch, requests, plans, budget } = await planRequest(call, ports);
  const uses = countUses(plans.flat());
  const compile = compilerFor(ports.events.engine);
  const run = (plan: QueryPlan, signal: AbortSignal) =>
    ports.events.run(compile(plan), { reach: reachOf(plan), signal });
  const outcomes = new Map<QueryPlan, readonly WireRow[] | Refusal>();
  let left = budget;
  for await (const [plan, raw] of runInOrder([...uses.keys()], run, call.signal)) {
    const rows = shapeRows(plan, raw);
    const collected = collectRows({ plan, rows, uses: uses.get(plan) ?? 1 }, left);
    outcomes.set(plan, collected.outcome);
    left = collected.left;
  }
  const answers = requests.map((request, at) => answerRequest(request, plans[at] ?? [], outcomes));
  return { isBatch, answers };
}

function reachOf({ reach, range }: QueryPlan): EventReach {
  const { organizationId, websiteIds, organizationEvents } = reach;
  return { organizationId, websiteIds, organizationEvents, range };
}

/** How often each plan appears in the answers. */
function countUses(plans: readonly (QueryPlan | Refusal)[]): ReadonlyMap<QueryPlan, number> {
  const uses = new Map<QueryPlan, number>();
  for (const plan of plans) {
    if (!('refused' in plan)) uses.set(plan, (uses.get(plan) ?? 0) + 1);
  }
  return uses;
}

function answerRequest(
  request: ParsedRequest,
  planned: readonly (QueryPlan | Refusal)[],
  outcomes: ReadonlyMap<QueryPlan, readonly WireRow[] | Refusal>,
): RequestAnswer {
  const answers = request.parameters.map(({ name, id }, index): DatasetAnswer => {
    const plan = planned[index];
    const parameter = id ?? name;
    const outcome = plan && !('refused' in plan) ? outcomes.get(plan) : plan;
    if (outcome && !('refused' in outcome)) return { parameter, success: true, data: outcome };
    return { parameter, success: false, data: [], error: outcome?.refused };
  });
  const failed = answers.filter(({ success }) => !success);
  return {
    queryId: request.id,
    data: [...answers.filter(({ success }) => success), ...failed],
    meta: {
      parameters: request.parameters.map(({ name }) => name),
      total_parameters: request.parameters.length,
      page: request.page,
      limit: request.limit ?? META_LIMIT,
      filters_applied: request.filters.length,
      failed: failed.length,
    },
  };
}
