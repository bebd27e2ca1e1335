/** The 429 for a used-up limit: what it carries besides its text, wherever it was decided (spec.md, Rate limit error). */
import { ApiError, type RefusedLimit } from '../../services/shared/errors/api-error.ts';
import type { LimitState } from '../../services/shared/ports/counter-store.ts';

/** `text` receives the seconds until a retry may succeed; `named` is the limit as the access log names it. */
export function limitExceeded(
  { limit, resetAtMs }: LimitState,
  nowMs: number,
  text: (retryAfter: number) => string,
  named: Pick<RefusedLimit, 'name' | 'cost' | 'window'>,
): ApiError {
  const retryAfter = Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000));
  const reset = new Date(Math.ceil(resetAtMs / 1000) * 1000).toISOString();
  const { name, cost, window } = named;
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    text: text(retryAfter),
    headers: { 'Retry-After': `${retryAfter}` },
    fields: { limit, remaining: 0, reset, retryAfter },
    limit: { name, limit, cost, remaining: 0, window, reset },
  });
}
