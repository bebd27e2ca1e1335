/** The error when a credential could not be judged: a store that cannot answer is 503, never INVALID_API_KEY. */
import { ApiError } from '../../services/shared/errors/api-error.ts';

export function storeFault(fault: unknown): ApiError {
  if (fault instanceof ApiError) return fault;
  return new ApiError('SERVICE_UNAVAILABLE', { cause: fault });
}
