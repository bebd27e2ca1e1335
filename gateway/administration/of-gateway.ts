/** What only a process with a gateway can tell. */
import { ApiError } from '../../services/shared/errors/api-error.ts';

/** What the gateway gave, or a refusal where this process has none. @throws ApiError SERVICE_UNAVAILABLE */
export function ofGateway<T>(given: T | undefined): T {
  if (given !== undefined) return given;
  throw new ApiError('SERVICE_UNAVAILABLE', { text: 'No gateway runs in this process.' });
}
