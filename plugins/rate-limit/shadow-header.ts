/** Tells which limits in shadow would have refused a request. */
import type { LimitDecision, LimitUse } from '../../services/shared/ports/counter-store.ts';
import type { RequestContext } from '../kit/request-context.ts';

export const SHADOW_HEADER = 'X-RateLimit-Shadow';

/**
 * Adds the header where some would have: a list (RFC 9651) of their names, each with its number and the Unix second at
 * which it resets, such as `exports;limit=10;reset=1768471200`.
 */
export function tellShadow(
  context: RequestContext,
  decision: LimitDecision,
  uses: readonly LimitUse[],
): void {
  const told = uses.flatMap(({ name }, index) => {
    const state = decision.states[index];
    if (!state?.shadowed) return [];
    return [`${name.split('@')[0]};limit=${state.limit};reset=${Math.ceil(state.resetAtMs / 1000)}`];
  });
  if (told.length > 0) context.addHeader(SHADOW_HEADER, told.join(', '));
}
