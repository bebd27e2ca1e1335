/** The 429 for a used-up limit: what it carries besides its text, wherever it was decided (spec.md, Rate limit error). */
import { ApiError } from '../../services/shared/errors/api-error.ts';
import type { LimitState } from '../../services/shared/ports/counter-store.ts';

/** `text` receives the seconds until a retry may succeed. */
export function limitExceeded(
  { limit, resetAtMs }: LimitState,
  nowMs: number,
  text: (retryAfter: number) => string,
): ApiError {
  const retryAfter = Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000));
  return new ApiError('RATE_LIMIT_EXCEEDED', {
    text: text(retryAfter),
    headers: { 'Retry-After': `${retryAfter}` },
    fields: {
      limit,
      remaining: 0,
      reset: new Date(Math.ceil(resetAtMs / 1000) * 1000).toISOString(),
      retryAfter,
    },
  });
}
