/** Takes a call through the stages: parse → known names → resolve → plan → compile → run → shape. */
import type { Caller } from '../shared/access/caller.ts';
import { DATASETS_BY_NAME } from './datasets/index.ts';
import type { QueryPorts } from './query-ports.ts';
import { compilerFor } from './stages/compiler.ts';
import { requireKnownName } from './stages/known-names.ts';
import { type ParsedRequest, parseCall } from './stages/parse.ts';
import { MAX_ROWS_PER_CALL, type Plan, planDataset, type Refusal } from './stages/plan.ts';
import type { QueryString } from './stages/request-schema.ts';
import { resolveReach } from './stages/resolve.ts';
import { runAll } from './stages/run.ts';
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

/** @throws ApiError when the whole call is refused; faults of single datasets stand in their answers. */
export async function answerCall(
  call: Call,
  ports: QueryPorts,
): Promise<{ isBatch: boolean; answers: RequestAnswer[] }> {
  const parsed = parseCall(call.body, call.query, ports.clock.now());
  requireKnownName(parsed, DATASETS_BY_NAME);
  const reach = await resolveReach(parsed.selectors, call.caller, ports.documents);
  const context = {
    catalogue: DATASETS_BY_NAME,
    reach,
    zone: parsed.zone,
    cut: new Map(),
    rowsLeft: MAX_ROWS_PER_CALL,
  };
  const planned = parsed.requests.map((request) =>
    request.parameters.map((asked) => planDataset(asked, request, context)),
  );
  const plans = planned.flat().filter(isPlan);
  const compile = compilerFor(ports.events.engine);
  const rows = await runAll(plans.map(compile), ports.events, call.signal);
  const shaped = new Map(plans.map((plan, index) => [plan, shapeRows(plan, rows[index] ?? [])]));
  const answers = parsed.requests.map((request, at) => answerRequest(request, planned[at] ?? [], shaped));
  return { isBatch: parsed.isBatch, answers };
}

function isPlan(planned: Plan | Refusal): planned is Plan {
  return !('refused' in planned);
}

function answerRequest(
  request: ParsedRequest,
  planned: readonly (Plan | Refusal)[],
  shaped: ReadonlyMap<Plan, readonly WireRow[]>,
): RequestAnswer {
  const answers = request.parameters.map(({ name, id }, index): DatasetAnswer => {
    const plan = planned[index];
    const parameter = id ?? name;
    if (plan && isPlan(plan)) return { parameter, success: true, data: shaped.get(plan) ?? [] };
    return { parameter, success: false, data: [], error: plan?.refused };
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
