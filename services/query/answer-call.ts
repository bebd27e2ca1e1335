/** Answers a call: its plans, then compile → run → shape. */
import { type Call, type PlannedRequest, planRequest } from './plan-request.ts';
import type { QueryPorts } from './query-ports.ts';
import { bundleRunnerOf } from './run-plan.ts';
import { type AnswerBudget, collectRows } from './stages/answer-budget.ts';
import { bundlePlans } from './stages/bundle-plans.ts';
import { cursorBehind } from './stages/feed.ts';
import { countSingle } from './stages/filter-groups.ts';
import type { DatedRequest } from './stages/first-events.ts';
import type { QueryPlan, Refusal } from './stages/query-plan.ts';
import { inOrderOf, runInOrder } from './stages/run.ts';
import { shapeRows, type WireRow } from './stages/shape.ts';
import { isSameRange, type NamedRange } from './time/comparison.ts';

/** The answer to one dataset; `parameter` is its name, or the id that the client gave it. */
export interface DatasetAnswer {
  readonly parameter: string;
  readonly success: boolean;
  readonly data: readonly WireRow[];
  /** Why it failed. */
  readonly error?: string;
  /** Of a feed: what its next question has as `cursor`. */
  readonly cursor?: string;
  /** The period that it is compared with, if that is not the one of `meta`. */
  readonly compare?: NamedRange;
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
    /** With the preset all: the instant of the first event of what is queried, or null. */
    readonly first_event?: string | null;
    /** The period that is compared with. */
    readonly compare?: NamedRange;
  };
}

/** Shown in `meta` when the client gives no limit; each dataset has its own default. */
const META_LIMIT = 100;

/** A plan with its rows, or why it has none. */
type Computed = readonly [plan: QueryPlan, outcome: readonly WireRow[] | Refusal];

/** A call that is being computed. */
export interface ComputedCall {
  readonly isBatch: boolean;
  readonly requests: readonly DatedRequest[];
  /** For each request object those of its parameters. */
  readonly plans: readonly (readonly (QueryPlan | Refusal)[])[];
  /** For each request object that compares: the other period of its dates. */
  readonly periods: readonly (NamedRange | undefined)[];
  /** How often each plan appears in the answers. */
  readonly uses: ReadonlyMap<QueryPlan, number>;
  /** Each plan once, in the order in which they appear; fails with the fault of the whole call. */
  readonly computed: AsyncGenerator<Computed>;
}

/** @throws ApiError when the whole call is refused; faults of single datasets appear in their answers. */
export async function answerCall(
  call: Call,
  ports: QueryPorts,
): Promise<{ isBatch: boolean; answers: RequestAnswer[] }> {
  return answerPlanned(await planRequest(call, ports), call.signal, ports);
}

/** The same for a call whose plans are made. */
export async function answerPlanned(
  planned: PlannedRequest,
  signal: AbortSignal,
  ports: QueryPorts,
): Promise<{ isBatch: boolean; answers: RequestAnswer[] }> {
  const { isBatch, requests, plans, periods, computed } = computePlanned(planned, ports, {
    signal,
    isFirstAlone: false,
  });
  const outcomes = new Map<QueryPlan, readonly WireRow[] | Refusal>();
  for await (const [plan, outcome] of computed) outcomes.set(plan, outcome);
  const answers = requests.map((request, at) =>
    answerRequest({ request, plans: plans[at] ?? [], period: periods[at] }, outcomes),
  );
  return { isBatch, answers };
}

/** For answers that are sent one by one. @throws ApiError when the whole call is refused */
export async function computeCall(call: Call, ports: QueryPorts): Promise<ComputedCall> {
  return computePlanned(await planRequest(call, ports), ports, { signal: call.signal, isFirstAlone: true });
}

/** How plans are computed. */
interface Computing {
  readonly signal: AbortSignal;
  /** The first plan waits for no other. */
  readonly isFirstAlone: boolean;
}

function computePlanned(
  { isBatch, requests, plans, periods, budget }: PlannedRequest,
  ports: QueryPorts,
  computing: Computing,
): ComputedCall {
  const uses = countUses(plans.flat());
  return { isBatch, requests, plans, periods, uses, computed: compute(uses, budget, ports, computing) };
}

async function* compute(
  uses: ReadonlyMap<QueryPlan, number>,
  budget: AnswerBudget,
  ports: QueryPorts,
  { signal, isFirstAlone }: Computing,
): AsyncGenerator<Computed> {
  const plans = [...uses.keys()];
  const run = bundleRunnerOf(ports);
  let left = budget;
  const bundles = bundlePlans(plans, { isFirstAlone });
  for await (const [plan, raw] of inOrderOf(plans, runInOrder(bundles, run, signal))) {
    const rows = shapeRows(plan, raw);
    const collected = collectRows({ plan, rows, uses: uses.get(plan) ?? 1 }, left);
    left = collected.left;
    yield [plan, collected.outcome];
  }
}

/** How often each plan appears in the answers. */
function countUses(plans: readonly (QueryPlan | Refusal)[]): ReadonlyMap<QueryPlan, number> {
  const uses = new Map<QueryPlan, number>();
  for (const plan of plans) {
    if (!('refused' in plan)) uses.set(plan, (uses.get(plan) ?? 0) + 1);
  }
  return uses;
}

/** A request object with its plans, and the other period of its dates if it compares. */
interface PlannedDatasets {
  readonly request: DatedRequest;
  readonly plans: readonly (QueryPlan | Refusal)[];
  readonly period: NamedRange | undefined;
}

function answerRequest(
  { request, plans, period }: PlannedDatasets,
  outcomes: ReadonlyMap<QueryPlan, readonly WireRow[] | Refusal>,
): RequestAnswer {
  const answers = request.parameters.map((parameter, index): DatasetAnswer => {
    const plan = plans[index];
    const outcome = plan && !('refused' in plan) ? outcomes.get(plan) : plan;
    return answerDataset(parameter, { plan, outcome }, period);
  });
  const failed = answers.filter(({ success }) => !success);
  return {
    queryId: request.id,
    data: [...answers.filter(({ success }) => success), ...failed],
    meta: metaOf(request, failed.length, period),
  };
}

/** A plan with its rows, or why there are none. */
interface Answered {
  readonly plan: QueryPlan | Refusal | undefined;
  readonly outcome: readonly WireRow[] | Refusal | undefined;
}

/** The answer to one parameter; `period`: what `meta` says that datasets are compared with. */
export function answerDataset(
  { name, id }: DatedRequest['parameters'][number],
  { plan, outcome }: Answered,
  period: NamedRange | undefined,
): DatasetAnswer {
  const parameter = id ?? name;
  if (!outcome || 'refused' in outcome || !plan || 'refused' in plan) {
    return {
      parameter,
      success: false,
      data: [],
      error: outcome && 'refused' in outcome ? outcome.refused : undefined,
    };
  }
  const cursor = cursorBehind(plan, outcome);
  const own = plan.compared?.period;
  return {
    parameter,
    success: true,
    data: outcome,
    ...(cursor !== undefined && { cursor }),
    ...(own && !isSameRange(own, period) && { compare: own }),
  };
}

/** `failed`: how many datasets of the request object; `compare`: the other period of its dates. */
export function metaOf(
  request: DatedRequest,
  failed: number,
  compare: NamedRange | undefined,
): RequestAnswer['meta'] {
  return {
    parameters: request.parameters.map(({ name }) => name),
    total_parameters: request.parameters.length,
    page: request.page,
    limit: request.limit ?? META_LIMIT,
    filters_applied: countSingle(request.filters),
    failed,
    ...(request.firstEvent !== undefined && { first_event: isoOf(request.firstEvent) }),
    ...(compare && { compare }),
  };
}

function isoOf(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}
