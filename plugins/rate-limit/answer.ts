/** Answers a decided request: 429, the refusal found before, or nothing, since it goes on and is paid. */
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { LimitDecision, LimitState } from '../../services/shared/ports/counter-store.ts';
import { createUsageCounter } from '../../services/shared/usage/usage-counter.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { GatewayRuntime } from '../kit/runtime.ts';
import { shownIndex, showState } from '../kit/shown-limit.ts';
import { createChargeAfterwards } from './charge-afterwards.ts';
import type { Decision } from './decide.ts';
import type { LimitsOf } from './endpoint-limits.ts';
import { exceededBy } from './exceeded.ts';
import { type Charge, usesOf } from './limit-uses.ts';
import { tellShadow } from './shadow-header.ts';
import { tellStandardFields } from './standard-fields.ts';

type Answer = (context: RequestContext, charge: Charge, decision: Decision) => ApiError | undefined;

/** Also sets what the headers show, what the month's usage counts, and what is charged when the work is over. */
export function createAnswer(runtime: GatewayRuntime, limitsOf: LimitsOf): Answer {
  const chargeAfterwards = createChargeAfterwards(runtime);
  const usage = createUsageCounter(runtime);
  const { standardFields } = runtime.plans;
  runtime.onClose(() => usage.close());

  function conclude(context: RequestContext, charge: Charge, decision: LimitDecision): ApiError | undefined {
    const limits = limitsOf(context.endpoint);
    const uses = usesOf(charge);
    if (limits.hasShadow) tellShadow(context, decision, uses);
    if (standardFields) tellStandardFields(context, decision, uses, limits);
    if (!decision.admitted) return exceededBy(context, decision, uses, limits);
    const organizationId = context.principal?.caller.organizationId ?? null;
    if (organizationId !== null) usage.addRequest(organizationId);
    context.shownLimit = showState(decision.states[shownIndex(decision, uses)] as LimitState);
    if (context.refusal === null && limits.chargesAfterwards) {
      const chargeRunning = (milliseconds: number): void => chargeAfterwards(charge, milliseconds);
      context.chargeRunning = chargeRunning;
    }
    return context.refusal ?? undefined;
  }

  return function answer(context, charge, decision) {
    const refusal = decision instanceof ApiError ? decision : conclude(context, charge, decision);
    // A refused request checks no password.
    if (refusal !== undefined) context.passwordPlace?.giveBack();
    return refusal;
  };
}
