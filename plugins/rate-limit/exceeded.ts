/** The 429 for a caller whom a limit refused: which limit, and when to come back. */
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import { windowText } from '../../services/shared/plans/limit-window.ts';
import type { LimitCost } from '../../services/shared/plans/plans.ts';
import type { LimitDecision, LimitState, LimitUse } from '../../services/shared/ports/counter-store.ts';
import { limitExceeded } from '../kit/limit-exceeded.ts';
import type { RequestContext } from '../kit/request-context.ts';
import { shownIndex, showState } from '../kit/shown-limit.ts';
import { costOfUse, type EndpointLimits } from './endpoint-limits.ts';

/** What a limit counts, and what may take several at once. */
const WORDS: Readonly<Record<LimitCost, readonly [what: string, sent: string | null]>> = {
  request: ['requests', null],
  datasets: ['datasets', 'batch'],
  events: ['events', 'batch'],
  bytes: ['bytes', 'request'],
  seconds: ['seconds of running', null],
};

/** The 429 of spec.md, Rate limit error. `counted`: what the limit counts. */
function exceeded(state: LimitState, use: LimitUse, nowMs: number, counted: LimitCost): ApiError {
  const [what, sent] = WORDS[counted];
  const [name = ''] = use.name.split('@', 1);
  const window = windowText(use);
  const by = sent === null ? '' : ` by this ${sent} of ${use.cost}`;
  return limitExceeded(
    state,
    nowMs,
    (retryAfter) =>
      `The limit "${name}" of ${state.limit} ${what} per ${window} was exceeded${by}; retry in ${retryAfter} s.`,
    { name, cost: use.cost, window },
  );
}

/** The 429 of a refusal; its headers show the violated limit that frees last. */
export function exceededBy(
  context: RequestContext,
  decision: LimitDecision,
  uses: readonly LimitUse[],
  limits: EndpointLimits,
): ApiError {
  const shown = shownIndex(decision, uses);
  const state = decision.states[shown] as LimitState;
  context.shownLimit = showState(state);
  const use = uses[shown] as LimitUse;
  return exceeded(state, use, decision.nowMs, costOfUse(limits, use));
}
