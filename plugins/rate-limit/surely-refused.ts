/**
 * Finds out, counting nothing, that a request is refused whatever its body contains, before anything is spent on that
 * body.
 */
import type { ApiError } from '../../services/shared/errors/api-error.ts';
import { type CounterStore, neededOf } from '../../services/shared/ports/counter-store.ts';
import { NOTHING_PASSES } from '../kit/nothing-passes.ts';
import type { RequestContext } from '../kit/request-context.ts';
import type { JudgeUnread } from '../kit/unread-body.ts';
import type { LimitsOf } from './endpoint-limits.ts';
import { exceededBy } from './exceeded.ts';
import type { Charge, LimitUses } from './limit-uses.ts';
import type { WebsiteLimit, WebsiteLimits } from './website-limits.ts';

export interface SurelyRefused {
  /** Whether a window is full, as far as this process knows; the store may know better. */
  seemsFull(charge: Charge): boolean;
  /** The 429 of a caller whose least possible charge the counters refuse. */
  refusedFor(context: RequestContext, charge: Charge): Promise<ApiError | null>;
}

export function createSurelyRefused(counters: CounterStore, endpointLimits: LimitsOf): SurelyRefused {
  function seemsFull({ subject, uses }: Charge): boolean {
    return uses.some((use) => !use.shadow && counters.peek(subject, use).remaining < neededOf(use));
  }
  return {
    seemsFull,
    async refusedFor(context, charge) {
      if (!seemsFull(charge)) return null;
      const { subject, uses } = charge;
      const asked = await counters.decide(subject, [...uses, NOTHING_PASSES]);
      const decision = { ...asked, states: asked.states.slice(0, uses.length) };
      return decision.states.some(({ violated }) => violated)
        ? exceededBy(context, decision, uses, endpointLimits(context.endpoint))
        : null;
    },
  };
}

/** Judges unread bodies of anonymous callers and where bytes count: all others pay for what they send. */
export function createJudgeUnread(
  { seemsFull, refusedFor }: SurelyRefused,
  endpointLimits: LimitsOf,
  limitUses: LimitUses,
  websiteLimit: WebsiteLimits,
): JudgeUnread {
  return function judgeUnread(req, bytes) {
    const { context } = req;
    const limits = endpointLimits(context.endpoint);
    const isNobody = context.principal?.caller.kind === 'public' && context.judge === null;
    if (!isNobody || !limits.countsBytes || context.refusal !== null) return null;
    const judgeBytes = (website: WebsiteLimit | null) => {
      const least = limitUses(context, limits, 1, website, bytes);
      // The decision asks again, and handles a store that fails now.
      return seemsFull(least) ? refusedFor(context, least).catch(() => null) : null;
    };
    const website = websiteLimit(req);
    // While the index of websites is read, bodies wait: a flood must not get through unjudged each time it is due.
    return website instanceof Promise ? website.then(judgeBytes, () => null) : judgeBytes(website);
  };
}
