/** What the gateway of a running server knows of an organization's limits, as the operator socket tells it. */
import type { LimitsInForce, LimitsOf } from '../../plugins/kit/limits-in-force.ts';
import { ApiError } from '../../services/shared/errors/api-error.ts';
import { ofGateway } from './of-gateway.ts';

/** Part of the administration of a running server. */
export interface Limits {
  /** What is left of every limit that binds the organization. @throws ApiError NOT_FOUND; SERVICE_UNAVAILABLE where no gateway runs */
  limits(organizationId: string): Promise<LimitsInForce>;
}

/** `find` is that of the gateway; absent where this process has none. */
export async function limitsFrom(find: LimitsOf | undefined, organizationId: string): Promise<LimitsInForce> {
  const found = await ofGateway(find)(organizationId);
  if (found !== null) return found;
  throw new ApiError('NOT_FOUND', { text: `There is no organization "${organizationId}".` });
}
