/** What a caller is told whom a limit refused: which limit, and when to come back. */
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { LimitState, LimitUse } from '../../services/shared/ports/counter-store.ts';
import type { BodyCost } from './body-cost.ts';

/** The 429 of spec.md, Rate limit error. `kind`: what a use that costs more than one counts. */
export function exceeded(state: LimitState, use: LimitUse, nowMs: number, kind: BodyCost | null): ApiError {
  const resetSeconds = Math.ceil(state.resetAtMs / 1000);
  const retryAfter = Math.max(1, Math.ceil((state.resetAtMs - nowMs) / 1000));
  const what = use.cost === 1 || kind === null ? 'requests' : kind;
  const by = use.cost === 1 ? '' : ` by this batch of ${use.cost}`;
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    text: `The limit of ${state.limit} ${what} per ${use.windowMs / 1000} s was exceeded${by}; retry in ${retryAfter} s.`,
    headers: { 'Retry-After': `${retryAfter}` },
    fields: {
      limit: state.limit,
      remaining: 0,
      reset: new Date(resetSeconds * 1000).toISOString(),
      retryAfter,
    },
  });
}
