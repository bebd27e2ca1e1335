/** Answers a call line by line: each dataset as soon as it is ready, in request order, and what `meta` says at the end. */
import { answerDataset, computeCall, type DatasetAnswer, metaOf, type RequestAnswer } from './answer-call.ts';
import type { Call } from './plan-request.ts';
import type { QueryPorts } from './query-ports.ts';
import type { QueryPlan, Refusal } from './stages/query-plan.ts';
import type { WireRow } from './stages/shape.ts';

/** The answer to one dataset, with its place. */
export interface DatasetLine extends DatasetAnswer {
  /** The id of its request object. */
  readonly queryId?: string;
  /** Position of its request object in the call, from 0. */
  readonly request: number;
  /** Position of its parameter in the request object, from 0. */
  readonly dataset: number;
}

type RequestMeta = RequestAnswer['meta'];

/** The last line: of a batch, what `meta` says of each request object, in their order. */
export interface MetaLine {
  readonly meta: RequestMeta | readonly (RequestMeta & { readonly queryId?: string })[];
}

/** @throws ApiError when the whole call is refused, or fails later */
export async function* streamCall(call: Call, ports: QueryPorts): AsyncGenerator<DatasetLine | MetaLine> {
  const { isBatch, requests, plans, periods, uses, computed } = await computeCall(call, ports);
  const outcomes = new KeptOutcomes(computed, uses);
  const metas: RequestMeta[] = [];
  try {
    for (const [request, { id, parameters, ...rest }] of requests.entries()) {
      let failed = 0;
      for (const [dataset, parameter] of parameters.entries()) {
        const plan = plans[request]?.[dataset];
        const outcome = plan && !('refused' in plan) ? await outcomes.take(plan) : plan;
        const answer = answerDataset(parameter, { plan, outcome }, periods[request]);
        if (!answer.success) failed++;
        yield { queryId: id, request, dataset, ...answer };
      }
      metas.push(metaOf({ id, parameters, ...rest }, failed, periods[request]));
    }
    const [only] = metas;
    if (!isBatch && only) yield { meta: only };
    else yield { meta: metas.map((meta, index) => ({ queryId: requests[index]?.id, ...meta })) };
  } finally {
    // Ends the queries that are under way.
    await computed.return(undefined);
  }
}

/** Outcomes from when they are computed until they were used for the last time. */
class KeptOutcomes {
  readonly #computed: AsyncIterator<readonly [QueryPlan, readonly WireRow[] | Refusal]>;
  readonly #usesLeft: Map<QueryPlan, number>;
  readonly #kept = new Map<QueryPlan, readonly WireRow[] | Refusal>();

  constructor(
    computed: AsyncIterator<readonly [QueryPlan, readonly WireRow[] | Refusal]>,
    uses: ReadonlyMap<QueryPlan, number>,
  ) {
    this.#computed = computed;
    this.#usesLeft = new Map(uses);
  }

  /** Waits until the plan is computed; to be called as often as the plan is used. */
  async take(plan: QueryPlan): Promise<readonly WireRow[] | Refusal | undefined> {
    while (!this.#kept.has(plan)) {
      const next = await this.#computed.next();
      if (next.done === true) throw new Error('a plan of the call was not computed');
      this.#kept.set(...next.value);
    }
    const outcome = this.#kept.get(plan);
    const left = (this.#usesLeft.get(plan) ?? 1) - 1;
    this.#usesLeft.set(plan, left);
    if (left === 0) this.#kept.delete(plan);
    return outcome;
  }
}
